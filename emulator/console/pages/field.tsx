/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "number" | "checkbox";
  /** The only values that it takes, if there are such. */
  readonly choices?: readonly string[];
  /** What people call a choice, where that differs. */
  readonly choiceWords?: Readonly<Record<string, string>>;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly list?: string;
  /** Why what was entered is refused. */
  readonly problem?: string | undefined;
}

/** A field with its label, its hint and the reason why it was refused. `form` keeps the ids of several forms apart. */
export function FieldRow({ form, field }: { readonly form: string; readonly field: FormField }) {
  const id = `${form}-${field.name}`;
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  const described = [
    ...(field.hint === undefined ? [] : [hintId]),
    ...(field.problem === undefined ? [] : [problemId]),
  ];
  const attributes = {
    id,
    name: field.name,
    ...(described.length === 0 ? {} : { "aria-describedby": described.join(" ") }),
    ...(field.problem === undefined ? {} : { "aria-invalid": "true", autofocus: true }),
  };
  return (
    <div class={`field ${field.type}`}>
      <label for={id}>{field.label}</label>
      <Input field={field} attributes={attributes} />
      {field.hint === undefined ? null : (
        <span id={hintId} class="faint hint">
          {field.hint}
        </span>
      )}
      {field.problem === undefined ? null : (
        <span id={problemId} class="field-problem">
          <bdi>{field.problem}</bdi>
        </span>
      )}
    </div>
  );
}

function Input({
  field,
  attributes,
}: {
  readonly field: FormField;
  readonly attributes: Readonly<Record<string, string | boolean>>;
}) {
  const { type, value, choices, choiceWords, list } = field;
  if (choices !== undefined) {
    return (
      <select {...attributes}>
        {choices.map((choice) => (
          <option value={choice} selected={choice === value}>
            {choice === "" ? "default" : (choiceWords?.[choice] ?? choice)}
          </option>
        ))}
      </select>
    );
  }
  if (type === "checkbox")
    return <input type="checkbox" {...attributes} checked={value === "on" || value === "true"} />;
  // Not type=number: what is no number must reach the schema, whose words come back at the field.
  const mode = type === "number" ? ({ inputmode: "decimal" } as const) : {};
  return (
    <input
      type="text"
      autocomplete="off"
      spellcheck={false}
      {...mode}
      {...attributes}
      value={value}
      {...(list === undefined ? {} : { list })}
    />
  );
}

/** What a form says beside its button: what was done, or why it was not. */
export interface Said {
  readonly notice?: string | undefined;
  readonly problem?: string | undefined;
}

export const FormAnswer = ({ said: { notice, problem } }: { readonly said: Said }) =>
  problem === undefined ? (
    notice === undefined ? null : (
      <p class="notice" role="status" data-notice="">
        {notice}
      </p>
    )
  ) : (
    <p class="problem" role="alert" data-problem="" tabindex={-1} autofocus>
      <bdi>{problem}</bdi>
    </p>
  );
