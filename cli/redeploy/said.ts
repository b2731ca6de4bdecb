import { shellWord } from "../../provider/base/shell";
import { showDuration } from "../../provider/base/time";
import type { Log } from "../../provider/lifecycle/observe/context";
import { nameLines } from "../base/value-text";
import { lineText } from "../base/printable";
import { builtFrom, type Revision, type ShownDeployment } from "../base/deployment";

/** What to do when the wait does not end well. */
export const ADVICE = {
  failed:
    "Redeploy another revision, or run `pulumi refresh` and then `pulumi up` to restore what the program declares",
  timedOut:
    "The rollout continues without this command: look at `npx pulumi-agent-platform revisions`, or raise --timeout",
  stopped: "The rollout may continue without this command: look at `npx pulumi-agent-platform revisions`",
} as const;

/** How wide a list of names may be. */
const WIDTH = 80;

/** What comes back beside the image: of the variables only the names, since their values may be secret. */
export function environmentText(variables: readonly string[], haveChanged: boolean): string {
  return [
    "The whole environment of that revision comes back, each variable as it was then:",
    ...nameLines(variables, WIDTH),
    haveChanged
      ? "The program has changed its secrets since: the old values come back."
      : "Whether any of them has changed since is not known.",
    "",
  ].join("\n");
}

/** The redeploy that was asked for. @param made The new revision; undefined while the platform has not named it. */
export function askedForText({ name }: ShownDeployment, earlier: Revision, made: string | undefined): string {
  const runs = builtFrom(earlier);
  const from = `revision ${earlier.id}${runs === null ? "" : ` (${runs})`}`;
  return `${lineText(`Deployment ${name}: ${from} comes back as ${made === undefined ? "a new revision" : `revision ${made}`}.`)}\n`;
}

export const deployed = (deployment: ShownDeployment, revisionId: string): string =>
  `${lineText(`Deployment ${deployment.name}: revision ${revisionId} is DEPLOYED.`)}\n`;

/** How a redeploy looks from the program, which knows nothing of it. */
export function afterwards({ name }: ShownDeployment, waited: boolean): string {
  const watch = waited ? "" : `\nTo follow it: npx pulumi-agent-platform revisions ${shellWord(lineText(name))}\n`;
  return `${watch}
Your program does not know about this. \`npx pulumi-agent-platform drift\` shows the other revision as \`rollout.revisionId\` of the Deployment, with
the arguments that differ. After \`pulumi refresh\`, the next \`pulumi up\` restores what the program declares, in one more revision. If nothing
differs, it keeps this one. To go back for good, change the program.
`;
}

/** The progress of a wait: a line that changes, for a person at a terminal; a line for each status otherwise. */
export function waitProgressOn(stream: NodeJS.WriteStream): { readonly log: Log; readonly end: () => void } {
  let last = "";
  const log: Log = {
    progress: ({ status, of, waitedMs }) => {
      const line = lineText(of === undefined ? status : `${of} is ${status}`);
      if (stream.isTTY) stream.write(`\r\x1b[K${line} (${showDuration(waitedMs)}; Ctrl-C ends only the wait)`);
      else if (line !== last) stream.write(`${line}\n`);
      last = line;
    },
    // The command says itself how the wait ended.
    finishProgress: () => Promise.resolve(),
    debug: () => undefined,
    info: (message) => stream.write(`${lineText(message)}\n`),
    warn: (message) => stream.write(`warning: ${lineText(message)}\n`),
  };
  const end = (): void => {
    if (stream.isTTY) stream.write("\r\x1b[K");
  };
  return { log, end };
}
