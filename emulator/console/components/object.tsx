import { toneOf } from "../format";
import type { RevisionRow } from "../model/deployment";
import type { objectPage } from "../model/looks";
import { Own, Region, ServingLine, SettingsTable, Time } from "./bits";
import { RequestTable } from "./requests";

/** One object: what serves, its revisions, the requests for it, and what it is made of. */
export const OneObject = ({ view }: { readonly view: ReturnType<typeof objectPage> }) => (
  <div data-silent={String(view.silence !== undefined)}>
    {view.serving === undefined ? null : (
      <p class="lead">
        <ServingLine serving={view.serving} />
      </p>
    )}
    {view.made === 0 ? null : (
      <Region id="revisions" name="Revisions" note={`the latest ${view.revisions.length} of ${view.made}`}>
        {view.revisions.map((revision) => (
          <Revision revision={revision} of={view.id} />
        ))}
      </Region>
    )}
    <Region id="configuration" name="Configuration">
      <SettingsTable settings={view.settings} />
    </Region>
    <Region id="requests" name="Latest requests">
      <RequestTable rows={view.requests} />
    </Region>
  </div>
);

function Revision({ revision, of }: { readonly revision: RevisionRow; readonly of: string }) {
  return (
    <article aria-label={`Revision ${revision.number}`} data-key={revision.id}>
      <h3>
        Revision {revision.number}{" "}
        <span
          class={`status ${toneOf(revision.status)}`}
          data-revision={revision.id}
          data-revision-status={revision.status}
        >
          {revision.status}
        </span>
        {revision.again === undefined ? null : ` deploys revision ${revision.again} once more`}
      </h3>
      <p class="faint">
        <Time at={revision.createdAt} />
        {revision.isActive ? <strong class="good"> serves</strong> : null}
        {revision.image === null ? null : (
          <span>
            {" "}
            <Own text={revision.image} />
          </span>
        )}
        {revision.commit === null ? null : (
          <span>
            {" "}
            commit <Own text={revision.commit} />
          </span>
        )}
      </p>
      {revision.comesBack === undefined ? null : (
        <details data-key="back">
          <summary>Roll back to revision {revision.number}…</summary>
          <form method="post" action={`/console/deployments/${of}/revisions/${revision.id}/redeploy`}>
            <p>{revision.comesBack} Your program does not know about it: to go back for good, change the program.</p>
            <button type="submit">Yes, roll back to revision {revision.number}</button>
          </form>
        </details>
      )}
      <details open={revision.hasFailed} data-key={revision.hasFailed ? "failed" : "log"}>
        <summary>
          Times
          {revision.log.length === 0
            ? ""
            : ` and log, ${revision.log.length} line${revision.log.length === 1 ? "" : "s"}`}
          <span class="visually-hidden"> of revision {revision.number}</span>
        </summary>
        <p>
          {revision.times}; id <code>{revision.id}</code>
        </p>
        {revision.log.length === 0 ? null : (
          <div class="log" tabindex={0}>
            <ol>
              {revision.log.map(({ at, level, message }) => (
                <li class={level.toLowerCase()}>
                  <Time at={at} /> {level} <Own text={message} />
                </li>
              ))}
            </ol>
          </div>
        )}
      </details>
    </article>
  );
}
