import { Own, Region } from "../components/bits";
import { FAULT_EFFECTS } from "../fault-form";
import { FaultCommands, StackCommands } from "./commands";
import { FieldRow, type FormField } from "./field";
import { ChangeObject, type ObjectForms } from "./object-forms";

/** A kind of fault, and the fields of its form. */
export interface FaultForm {
  readonly kind: keyof typeof FAULT_EFFECTS;
  readonly effect: readonly FormField[];
  readonly which: readonly FormField[];
  /** How many of the kind are on. */
  readonly on: number;
  readonly isOpen: boolean;
  /** What is wrong with the whole. */
  readonly problem: string | undefined;
}

export interface BreakForms {
  readonly faults: readonly FaultForm[];
  readonly outcomes: readonly string[];
  readonly push: readonly FormField[];
  readonly repositories: readonly string[];
  readonly branches: readonly string[];
  readonly search: string;
  readonly found: readonly { readonly href: string; readonly name: string; readonly what: string }[];
  /** The object that was chosen. */
  readonly object: ObjectForms | undefined;
}

/** The switches that make things go wrong. */
export const BreakPage = ({ forms }: { readonly forms: BreakForms }) => (
  <div>
    <Region id="faults" name="Faults" note="the top of every page lists the active ones">
      {forms.faults.map((fault) => (
        <Fault fault={fault} />
      ))}
      <FaultCommands />
    </Region>
    <Region id="next-revision" name="Next revision">
      <form method="post" action="/console/next-revision" aria-label="Next revision" class="fields">
        <div class="field">
          <label for="outcome">Ends as</label>
          <select id="outcome" name="outcome">
            {forms.outcomes.map((outcome) => (
              <option value={outcome}>{outcome === "STUCK" ? "STUCK (never leaves BUILDING)" : outcome}</option>
            ))}
          </select>
        </div>
        <button type="submit">Set</button>
      </form>
      <p class="faint">This applies to the next revision of any deployment. You can queue several.</p>
      <FaultCommands />
    </Region>
    <Region id="push" name="Push a commit">
      <form method="post" action="/console/push" aria-label="Push a commit" class="fields">
        {forms.push.map((field) => (
          <FieldRow form="push" field={field} />
        ))}
        <button type="submit">Push</button>
        <Choices id="repositories" of={forms.repositories} />
        <Choices id="branches" of={forms.branches} />
      </form>
      <p class="faint">Each deployment that builds this branch on push gets a new revision.</p>
      <StackCommands />
    </Region>
    <Region id="object" name="Change an object">
      <form method="get" action="/console/break#object" aria-label="Find an object" class="fields">
        <div class="field">
          <label for="find">Find an object</label>
          <input id="find" type="search" name="find" value={forms.search} autocomplete="off" spellcheck={false} />
        </div>
        <button type="submit">Find</button>
      </form>
      {forms.found.length === 0 ? <p class="faint">None found.</p> : null}
      <ul class="found">
        {forms.found.map(({ href, name, what }) => (
          <li>
            <a href={href}>
              <Own text={name} />
            </a>{" "}
            <span class="faint">{what}</span>
          </li>
        ))}
      </ul>
    </Region>
    {forms.object === undefined ? null : <ChangeObject forms={forms.object} />}
  </div>
);

const Choices = ({ id, of }: { readonly id: string; readonly of: readonly string[] }) => (
  <datalist id={id}>
    {of.map((value) => (
      <option value={value}></option>
    ))}
  </datalist>
);

const Fault = ({ fault: { kind, effect, which, on, isOpen, problem } }: { readonly fault: FaultForm }) => (
  <details class="fault" data-fault-kind={kind} open={isOpen}>
    <summary>
      <span class="mono">{kind}</span> <span class="faint">{FAULT_EFFECTS[kind]}</span>
      {on === 0 ? null : <strong class="struck"> {on} on</strong>}
    </summary>
    <form method="post" action="/console/faults" aria-label={`Fault ${kind}`} class="fields">
      <input type="hidden" name="kind" value={kind} />
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {[...effect, ...which].map((field) => (
        <FieldRow form={`fault-${kind}`} field={field} />
      ))}
      <button type="submit">Switch on</button>
    </form>
  </details>
);
