import type { FaultKind } from "../../faults/fault";
import { faultSchema } from "../../faults/fault-schema";
import type { RevisionOutcome } from "../../platform/options";
import type { AgentAnswer } from "../ask";
import { Region, SettingsTable } from "../components/bits";
import type { CollectionName } from "../model/objects";

/** What was typed into a form that was refused, by field. */
type Typed = ReadonlyMap<string, string>;

interface FieldProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly typed: Typed | undefined;
  readonly hint: string;
}

const Field = ({ id, name, label, typed, hint }: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      type="text"
      name={name}
      value={typed?.get(name) ?? ""}
      autocomplete="off"
      spellcheck={false}
      aria-describedby={`${id}-hint`}
    />
    <span id={`${id}-hint`} class="faint hint">
      {hint}
    </span>
  </div>
);

/** What each kind of fault does. */
const EFFECTS: Readonly<Record<FaultKind, string>> = {
  latency: 'the request is delayed; needs {"ms": 2000}',
  status: 'the platform or a gateway answers with another status; needs {"status": 503}',
  "reset-before-commit": "the connection is cut before anything is written",
  "reset-after-commit": "the connection is cut after everything is written",
  hold: "the request waits until you release it",
  "truncated-json": "the answer ends in the middle, and the client can tell",
  "malformed-json": "the answer ends in the middle as if it were complete",
  html: "the answer is an HTML page, with status 200",
  "empty-body": "the answer has no body",
  "endless-body": "the answer never ends",
  "slow-body": "the answer arrives slowly, in small pieces",
  "wrong-content-type": "the answer has the wrong content type",
  "stale-read": "a GET shows data from before the last writes",
  "duplicate-page": "a list returns a page twice",
  "stuck-offset": "the offset of a list does not advance",
  "short-page": "each page of a list is one item short",
  "ignored-offset": "a list ignores the offset and always starts at the beginning",
};

/** The fields of each kind, as the schema has them. */
const FIELDS = faultSchema.options.map(({ shape }) => ({
  kind: shape.kind.value,
  fields: Object.keys(shape).filter((name) => !["kind", "method", "path", "count"].includes(name)),
}));

export const FaultForm = ({ typed }: { readonly typed?: Typed }) => (
  <form method="post" action="/console/faults" aria-label="Switch on a fault" class="fields">
    <div class="field wide">
      <label for="fault-kind">Fault</label>
      <select id="fault-kind" name="kind">
        {FIELDS.map(({ kind }) => (
          <option value={kind} selected={kind === typed?.get("kind")}>
            {kind}: {EFFECTS[kind]}
          </option>
        ))}
      </select>
    </div>
    <Field id="fault-method" name="method" label="Method" typed={typed} hint="in capitals; empty: all" />
    <Field
      id="fault-path"
      name="path"
      label="Path"
      typed={typed}
      hint="* between slashes, ** for any rest; empty: all"
    />
    <Field id="fault-count" name="count" label="How many requests" typed={typed} hint="empty: no limit" />
    <Field id="fault-more" name="more" label="Further fields" typed={typed} hint='JSON, such as {"status": 503}' />
    <button type="submit">Switch on</button>
  </form>
);

/** What goes wrong first. */
const OUTCOMES: readonly RevisionOutcome[] = ["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "STUCK", "DEPLOYED"];

/** What the next revisions do, and the faults. An object is changed on its own page. */
export const BreakPage = () => (
  <div>
    <p class="faint">
      See how your stack reacts: <code>npm start</code> or <code>npm run drift</code> in a checkout,{" "}
      <code>pulumi up</code> or <code>pulumi refresh</code> in a project of your own. Objects are changed and deleted on
      their own pages.
    </p>
    <Region id="next-revision" name="How the next revision ends">
      <form method="post" action="/console/next-revision" aria-label="Next revision" class="fields">
        <div class="field">
          <label for="outcome">Ends as</label>
          <select id="outcome" name="outcome">
            {OUTCOMES.map((outcome) => (
              <option value={outcome}>{outcome === "STUCK" ? "STUCK (never leaves BUILDING)" : outcome}</option>
            ))}
          </select>
        </div>
        <button type="submit">Set</button>
      </form>
      <p class="faint">This applies to the next revision of any deployment. You can queue several.</p>
    </Region>
    <Region id="faults" name="Faults" note="the top of every page lists the active ones">
      <FaultForm />
      <details>
        <summary>Further fields of each</summary>
        <SettingsTable settings={FIELDS.map(({ kind, fields }) => ({ path: kind, value: fields.join(", ") }))} />
      </details>
    </Region>
  </div>
);

const EXAMPLES: Readonly<Record<CollectionName, string>> = {
  deployments: '{"source_revision_config": {"image_uri": "registry.example/agent:2"}}',
  oauth_providers: '{"name": "Another name"}',
  sandbox_templates: '{"image": "python:3.13", "resources": {"cpu": "2"}}',
  listeners: '{"compute_config": {"k8s_namespaces": ["one", "two"]}}',
};

export interface ObjectProps {
  readonly collection: CollectionName;
  readonly id: string;
}

export const ChangeForm = ({ collection, id, typed }: ObjectProps & { readonly typed?: Typed }) => (
  <form method="post" action={`/console/objects/${collection}/${id}/change`} aria-label="Change it" class="fields">
    <div class="field wide">
      <label for="change">Fields to change, as JSON</label>
      <textarea id="change" name="change" rows={3} spellcheck={false} required aria-describedby="change-hint">
        {typed?.get("change") ?? ""}
      </textarea>
      <span id="change-hint" class="faint hint">
        such as <code>{EXAMPLES[collection]}</code>
      </span>
    </div>
    <button type="submit">Change</button>
  </form>
);

/** Changes or deletes one object behind the stack's back. */
export const ObjectForms = ({ collection, id, isBuilt }: ObjectProps & { readonly isBuilt: boolean }) => (
  <Region id="behind" name="Behind the stack's back">
    {isBuilt ? (
      <form method="post" action={`/console/deployments/${id}/push`} aria-label="Push a commit" class="fields">
        <button type="submit">Push a commit</button>
        <span class="faint">Each deployment that builds this branch on push gets a new revision.</span>
      </form>
    ) : null}
    <ChangeForm collection={collection} id={id} />
    <details>
      <summary>Delete…</summary>
      <form method="post" action={`/console/objects/${collection}/${id}/delete`} aria-label="Delete it">
        <p>Delete it on the platform? Your stack is not told, and there is no way back.</p>
        <button type="submit" class="danger">
          Yes, delete it
        </button>
      </form>
    </details>
    <p class="faint">
      See how your stack reacts: <code>npm run drift</code> in a checkout, <code>pulumi refresh</code> in a project of
      your own.
    </p>
  </Region>
);

interface AskProps {
  readonly id: string;
  readonly graphs: readonly string[];
  readonly asked: AgentAnswer | undefined;
}

/** The box to ask the agent of a deployment, and its answer. */
export const AskForm = ({ id, graphs, asked }: AskProps) => (
  <Region id="ask-title" name="Ask its agent">
    <form id="ask" method="post" action={`/console/deployments/${id}/ask`} aria-label="Ask the agent" class="fields">
      <div class="field wide">
        <label for="ask-question">Question</label>
        <textarea id="ask-question" name="question" rows={2} required maxlength={4000}>
          {asked?.question ?? ""}
        </textarea>
      </div>
      <div class="field">
        <label for="ask-graph">Graph</label>
        <select id="ask-graph" name="graph">
          {graphs.map((graph) => (
            <option value={graph} selected={graph === asked?.graph}>
              {graph}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">Ask</button>
    </form>
    {asked === undefined ? null : (
      <pre id="answer" class={asked.hasFailed ? "problem" : "said"} role="status" tabindex={-1} autofocus>
        {asked.answer}
      </pre>
    )}
  </Region>
);
