import type { NamedRevision, WayBack } from "../views";
import { shortCommit } from "../format";
import { Own } from "./bits";

/** That a deployment went back to an earlier revision, in a few words. */
export const WayBackShort = ({ wayBack: { state, origin } }: { readonly wayBack: WayBack }) => (
  <div class="faint">
    {WORDS[state]} to revision {origin.number}
  </div>
);

/** The same in full: what serves now, and what does not. */
export function WayBackLine({ wayBack: { state, made, origin, left } }: { readonly wayBack: WayBack }) {
  if (state !== "went back")
    return (
      <p data-way-back={state}>
        {WORDS[state]} to revision <NumberAndRuns revision={origin} />: revision {made.number} is {made.status}.
      </p>
    );
  return (
    <p data-way-back={state}>
      {WORDS[state]}: revision {made.number} serves with the configuration of revision{" "}
      <NumberAndRuns revision={origin} />. Revision <NumberAndRuns revision={left} /> was {left.status} before and does
      not serve.
    </p>
  );
}

const WORDS = {
  "went back": "Went back",
  "is going back": "Is going back",
  "did not go back": "Did not go back",
} as const;

/** Its number, and what it runs. */
function NumberAndRuns({ revision: { number, image, commit } }: { readonly revision: NamedRevision }) {
  const runs = commit === null ? image : `commit ${shortCommit(commit)}`;
  return (
    <span>
      {number}
      {runs === null ? null : (
        <span>
          {" "}
          (<Own text={runs} />)
        </span>
      )}
    </span>
  );
}
