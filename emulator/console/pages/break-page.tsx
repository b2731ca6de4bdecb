import { Region } from "../components/bits";
import { FAULT_GROUPS, FAULT_WORDS } from "../fault-form";
import { FaultCommands } from "./commands";
import { FieldRow, FormAnswer, type FormField, type Said } from "./field";

/** A kind of fault, and the fields of its form. */
export interface FaultForm {
  readonly kind: keyof typeof FAULT_WORDS;
  readonly effect: readonly FormField[];
  readonly which: readonly FormField[];
  /** How many of the kind are on. */
  readonly on: number;
  readonly isOpen: boolean;
  readonly said: Said;
}

export interface BreakForms {
  readonly faults: readonly FaultForm[];
  readonly outcomes: readonly string[];
  readonly outcomeSaid: Said;
  readonly push: readonly FormField[];
  readonly pushSaid: Said;
  readonly repositories: readonly string[];
  readonly branches: readonly string[];
}

/** What the next revisions do, what is pushed, and the faults. An object is changed on its own page. */
export const BreakPage = ({ forms }: { readonly forms: BreakForms }) => (
  <div>
    <FaultCommands />
    <Region id="next-revision" name="How the next revision ends">
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
        <FormAnswer said={forms.outcomeSaid} />
      </form>
      <p class="faint">This applies to the next revision of any deployment. You can queue several.</p>
    </Region>
    <Region id="push" name="Push a commit">
      <form method="post" action="/console/push" aria-label="Push a commit" class="fields">
        {forms.push.map((field) => (
          <FieldRow form="push" field={field} />
        ))}
        <button type="submit">Push</button>
        <FormAnswer said={forms.pushSaid} />
        <Choices id="repositories" of={forms.repositories} />
        <Choices id="branches" of={forms.branches} />
      </form>
      <p class="faint">Each deployment that builds this branch on push gets a new revision.</p>
    </Region>
    <Region id="faults" name="Faults" note="the top of every page lists the active ones">
      {FAULT_GROUPS.map((group) => (
        <section class="fault-group" aria-label={group}>
          <h3>{group}</h3>
          {forms.faults
            .filter(({ kind }) => FAULT_WORDS[kind].group === group)
            .map((fault) => (
              <Fault fault={fault} />
            ))}
        </section>
      ))}
    </Region>
  </div>
);

const Choices = ({ id, of }: { readonly id: string; readonly of: readonly string[] }) => (
  <datalist id={id}>
    {of.map((value) => (
      <option value={value}></option>
    ))}
  </datalist>
);

const Fault = ({ fault: { kind, effect, which, on, isOpen, said } }: { readonly fault: FaultForm }) => (
  <details id={`fault-${kind}`} class="fault" data-fault-kind={kind} open={isOpen}>
    <summary>
      <strong>{FAULT_WORDS[kind].name}</strong> <span class="faint">{FAULT_WORDS[kind].effect}</span>
      {on === 0 ? null : <strong class="struck"> {on} on</strong>}
    </summary>
    <form method="post" action="/console/faults" aria-label={`Fault: ${FAULT_WORDS[kind].name}`} class="fields">
      <input type="hidden" name="kind" value={kind} />
      {[...effect, ...which].map((field) => (
        <FieldRow form={`fault-${kind}`} field={field} />
      ))}
      <button type="submit">Switch on</button>
      <FormAnswer said={said} />
    </form>
    <p class="faint">
      In tests, its kind is <code>{kind}</code>.
    </p>
  </details>
);
