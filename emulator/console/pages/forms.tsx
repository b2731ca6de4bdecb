import type { FaultKind } from "../../faults/fault";
import { faultSchema } from "../../faults/fault-schema";
import type { RevisionOutcome } from "../../platform/options";
import { Region, SettingsTable } from "../components/bits";
import type { ConsoleObject } from "../model/objects";

/** What was typed into a form that was refused, by field. */
type Typed = ReadonlyMap<string, string>;

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly typed: Typed | undefined;
  readonly hint: string;
}

const Field = ({ name, label, typed, hint }: FieldProps) => (
  <div class="field">
    <label for={`fault-${name}`}>{label}</label>
    <input
      id={`fault-${name}`}
      type="text"
      name={name}
      value={typed?.get(name) ?? ""}
      autocomplete="off"
      spellcheck={false}
      aria-describedby={`fault-${name}-hint`}
    />
    <span id={`fault-${name}-hint`} class="faint hint">
      {hint}
    </span>
  </div>
);

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
    <Field name="method" label="Method" typed={typed} hint="in capitals; empty: all" />
    <Field name="path" label="Path" typed={typed} hint="* between slashes, ** for any rest; empty: all" />
    <Field name="count" label="How many requests" typed={typed} hint="empty: no limit" />
    <Field name="more" label="Further fields" typed={typed} hint='JSON, such as {"status": 503}' />
    <button type="submit">Switch on</button>
  </form>
);

/** What goes wrong first. */
const OUTCOMES: readonly RevisionOutcome[] = ["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "STUCK", "DEPLOYED"];

/** What the next revisions do, and the faults. An object is changed on its own page. */
export const BreakPage = () => (
  <div>
    <p class="faint">
      See how your stack reacts: <code>npx pulumi-agent-platform drift</code>, <code>pulumi up</code>. Objects are
      changed and deleted on their own pages.
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

const pathOf = ({ collection, record }: ObjectProps["object"]): string => `/console/objects/${collection}/${record.id}`;

export interface ObjectProps {
  readonly object: Pick<ConsoleObject, "collection" | "example" | "record">;
}

export const ChangeForm = ({ object, typed }: ObjectProps & { readonly typed?: Typed }) => (
  <form method="post" action={`${pathOf(object)}/change`} aria-label="Change it" class="fields">
    <div class="field wide">
      <label for="change">Fields to change, as JSON</label>
      <textarea id="change" name="change" rows={3} spellcheck={false} required aria-describedby="change-hint">
        {typed?.get("change") ?? ""}
      </textarea>
      <span id="change-hint" class="faint hint">
        under the API's names, such as <code>{object.example}</code>
      </span>
    </div>
    <button type="submit">Change</button>
  </form>
);

/** Changes or deletes one object behind the stack's back. */
export const ObjectForms = ({ object, isBuilt }: ObjectProps & { readonly isBuilt: boolean }) => (
  <Region id="behind" name="Behind the stack's back">
    {isBuilt ? (
      <form
        method="post"
        action={`/console/deployments/${object.record.id}/push`}
        aria-label="Push a commit"
        class="fields"
      >
        <button type="submit">Push a commit</button>
        <span class="faint">Each deployment that builds this branch on push gets a new revision.</span>
      </form>
    ) : null}
    {object.example === undefined ? null : <ChangeForm object={object} />}
    <details>
      <summary>Delete…</summary>
      <form method="post" action={`${pathOf(object)}/delete`} aria-label="Delete it">
        <p>Delete it on the platform? Your stack is not told, and there is no way back.</p>
        <button type="submit" class="danger">
          Yes, delete it
        </button>
      </form>
    </details>
    <p class="faint">
      See how your stack reacts: <code>npx pulumi-agent-platform drift</code>.
    </p>
  </Region>
);
