import { Region } from "../components/bits";
import { StackCommands } from "./commands";
import { FieldRow, type FormField } from "./field";

/** The forms that change one object. */
export interface ObjectForms {
  readonly name: string;
  /** Below which its forms are sent: /console/objects/<collection>/<id>. */
  readonly action: string;
  readonly fields: readonly FormField[];
}

/** Changes or deletes one object behind the stack's back. */
export const ChangeObject = ({ forms: { name, action, fields } }: { readonly forms: ObjectForms }) => (
  <Region id="behind" name="Behind the stack's back">
    <form method="post" action={`${action}/change`} aria-label={`Change ${name}`} class="fields paths">
      {fields.map((field) => (
        <FieldRow form="change" field={field} />
      ))}
      <button type="submit">Change</button>
    </form>
    <form method="post" action={`${action}/delete`} aria-label={`Delete ${name}`} class="inline">
      <button type="submit" class="danger">
        Delete
      </button>
    </form>
    <StackCommands />
  </Region>
);
