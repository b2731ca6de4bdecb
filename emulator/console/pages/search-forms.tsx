/** A search by name. The script searches as one types. */
export const NameSearch = ({
  action,
  name,
  label,
  value,
}: Readonly<Record<"action" | "name" | "label" | "value", string>>) => (
  <form method="get" action={action} role="search" aria-label={label} class="fields" data-as-typed="">
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} type="search" name={name} value={value} autocomplete="off" spellcheck={false} />
    </div>
    <button type="submit">Search</button>
    {value === "" ? null : <a href={action}>Show all</a>}
  </form>
);

/** The filter of the request log. */
export const RequestFilter = ({ path, status, client }: Readonly<Record<"path" | "status" | "client", string>>) => (
  <form method="get" action="/console/requests" aria-label="Filter requests" class="fields" data-as-typed="">
    <FilterField name="path" label="Path" value={path} hint="a part of it, or a pattern: /v2/**" />
    <FilterField name="status" label="Status" value={status} hint="503, 5xx, none, or a kind of fault" />
    <FilterField name="client" label="Client" value={client} hint="a part of its User-Agent" />
    <button type="submit">Filter</button>
    {path + status + client === "" ? null : <a href="/console/requests">Show all</a>}
  </form>
);

const FilterField = ({ name, label, value, hint }: Readonly<Record<"name" | "label" | "value" | "hint", string>>) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      type="text"
      name={name}
      value={value}
      aria-describedby={`${name}-hint`}
      autocomplete="off"
      spellcheck={false}
    />
    <span id={`${name}-hint`} class="faint hint">
      {hint}
    </span>
  </div>
);
