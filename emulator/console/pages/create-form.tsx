import { Region } from "../components/bits";
import { FieldRow, FormAnswer, type FormField, type Said } from "./field";

/** The form that makes a deployment. */
export interface CreateForm {
  readonly fields: readonly FormField[];
  readonly said: Said;
}

export const CreateAgent = ({ form: { fields, said } }: { readonly form: CreateForm }) => (
  <Region id="create" name="Create an agent">
    <form method="post" action="/console/deployments" aria-label="Create an agent" class="fields">
      {fields.map((field) => (
        <FieldRow form="create" field={field} />
      ))}
      <button type="submit">Create</button>
      <FormAnswer said={said} />
    </form>
  </Region>
);
