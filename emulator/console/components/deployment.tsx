import { toneOf } from "../format";
import type { DeploymentRow, DeploymentView, RevisionRow } from "../views";
import { Address, Commit, Own, Region, type RegionProps, ServingLine, SettingsTable, TenantLine, Time } from "./bits";

/** What serves, where. */
const Lead = ({ deployment }: { readonly deployment: DeploymentRow }) => (
  <div class="lead">
    <p class="serving">
      <ServingLine serving={deployment.serving} />
    </p>
    <p>
      in workspace <TenantLine id={deployment.tenant} />
      {deployment.address === null ? null : (
        <span>
          {" "}
          at <Address address={deployment.address} />
        </span>
      )}
    </p>
  </div>
);

/** One deployment, without its forms. */
export function DeploymentContent({ view }: { readonly view: DeploymentView }) {
  const { deployment, settings, variables, history } = view;
  return (
    <div>
      <Lead deployment={deployment} />
      <Region id="revisions" name="Revisions" note={revisionsNote(view)}>
        {history.length === 0 ? <p class="faint">No revision yet.</p> : null}
        {history.map((revision) => (
          <Revision
            key={revision.id}
            revision={revision}
            redeploy={`/console/deployments/${deployment.id}/revisions/${revision.id}/redeploy`}
          />
        ))}
      </Region>
      <Folded id="configuration" name="Configuration" note={String(settings.length)}>
        <SettingsTable settings={settings} />
      </Folded>
      <Folded id="variables" name="Variables" note={String(variables.length)}>
        {variables.length === 0 ? <p class="faint">It has none.</p> : null}
        <dl class="settings">
          {variables.map(({ name, from }) => (
            <div key={name}>
              <dt class="mono">
                <Own text={name} />
              </dt>
              <dd class="faint">
                <Own text={from} />
              </dd>
            </div>
          ))}
        </dl>
      </Folded>
    </div>
  );
}

/** A part of the page that is opened by whoever needs it. */
const Folded = ({ id, name, note, children }: RegionProps) => (
  <section aria-labelledby={id} class="region folded">
    <details>
      <summary>
        <h2 id={id}>
          {name}
          <span class="faint note"> {note}</span>
        </h2>
      </summary>
      {children}
    </details>
  </section>
);

function revisionsNote({ deployment, history }: DeploymentView): string {
  return deployment.revisions > history.length
    ? `the latest ${history.length} of ${deployment.revisions}`
    : String(deployment.revisions);
}

interface RevisionProps {
  readonly revision: RevisionRow;
  /** Where the form is sent that deploys it once more. */
  readonly redeploy: string;
}

function Revision({ revision, redeploy }: RevisionProps) {
  return (
    <article class="revision-card" aria-label={`Revision ${revision.number}`}>
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
        <Time at={revision.createdAt} full={true} />
        {revision.isActive ? <strong class="serves"> serves</strong> : null}
        {revision.image === null ? null : (
          <span class="mono">
            {" "}
            <Own text={revision.image} />
          </span>
        )}
        {revision.commit === null ? null : (
          <span>
            {" "}
            commit <Commit commit={revision.commit} />
          </span>
        )}
      </p>
      {revision.canComeBack ? (
        <form method="post" action={redeploy} class="inline">
          <button type="submit">Roll back to revision {revision.number}</button>
        </form>
      ) : null}
      <details open={revision.hasFailed}>
        <summary>
          Times{revision.log.length === 0 ? "" : ` and log, ${revision.log.length} lines`}
          <span class="visually-hidden"> of revision {revision.number}</span>
        </summary>
        <p>
          {revision.times}; id <code>{revision.id}</code>
        </p>
        {revision.log.length === 0 ? null : (
          <ol class={`log mono${revision.hasFailed ? " whole" : ""}`}>
            {revision.log.map(({ id, at, level, message }) => (
              <li key={id} class={level.toLowerCase()}>
                <Time at={at} /> <span class="level">{level}</span> <Own text={message} />
              </li>
            ))}
          </ol>
        )}
      </details>
    </article>
  );
}
