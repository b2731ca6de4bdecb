import { Own, Region } from "../components/bits";
import { StackCommands } from "./commands";
import { FieldRow, FormAnswer, type FormField, type Said } from "./field";

/** The forms that change one object. */
export interface ObjectForms {
  readonly name: string;
  /** Below which its forms are sent: /console/objects/<collection>/<id>. */
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly said: Said;
  /** Why it was not deleted. */
  readonly refused: string | undefined;
}

/** Changes or deletes one object behind the stack's back. */
export const ChangeObject = ({ forms: { name, action, fields, said, refused } }: { readonly forms: ObjectForms }) => (
  <Region id="behind" name="Behind the stack's back">
    <form method="post" action={`${action}/change`} aria-label={`Change ${name}`} class="fields paths">
      {fields.map((field) => (
        <FieldRow form="change" field={field} />
      ))}
      <button type="submit">Change</button>
      <FormAnswer said={said} />
    </form>
    <details class="question" open={refused !== undefined}>
      <summary class="danger">Delete…</summary>
      <form method="post" action={`${action}/delete`} aria-label={`Delete ${name}`}>
        <p>
          Delete <Own text={name} /> on the platform? Your stack is not told, and there is no way back.
        </p>
        <button type="submit" class="danger">
          Yes, delete it
        </button>
        <FormAnswer said={{ problem: refused }} />
      </form>
    </details>
    <StackCommands />
  </Region>
);
