import type { Child } from "hono/jsx";
import { moment } from "../format";
import type { WhatServes } from "../model/deployment";
import type { pageOf } from "../model/requests";
import type { ShownSetting } from "../model/settings";

/** Text that an object holds: whatever direction it is written in, it does not turn what stands around it. */
export const Own = ({ text }: { readonly text: string }) => <bdi>{text}</bdi>;

/** The cells of a row of a table, and the heads of their columns, for a screen that has room for lines alone. */
export const Cells = ({ texts, heads }: { readonly texts: readonly string[]; readonly heads: readonly string[] }) => (
  <>
    {texts.map((text, index) => (
      <td data-head={heads[index]}>
        <Own text={text} />
      </td>
    ))}
  </>
);

/** What serves of a deployment, with a mark beside it. */
export const ServingLine = ({ serving: { text, tone } }: { readonly serving: WhatServes }) => (
  <span class={`status ${tone}`} data-serving={tone}>
    {text}
  </span>
);

/** A time, which the page's script writes again in the zone of its reader. */
export const Time = ({ at }: { readonly at: number }) => (
  <time datetime={new Date(at).toISOString()}>{moment(at)}</time>
);

/** A part of a page with its heading. */
export function Region({ id, name, note, children }: RegionProps) {
  return (
    <section aria-labelledby={id} class="region" data-key={id}>
      <h2 id={id}>
        {name}
        {note === undefined ? null : <span class="faint"> {note}</span>}
      </h2>
      {children}
    </section>
  );
}

interface RegionProps {
  readonly id: string;
  readonly name: string;
  readonly note?: string | undefined;
  readonly children?: Child;
}

/** A table below the heading with this id, whose rows are its own elements. */
export const PlainTable = ({ id, head, rows }: PlainTableProps) =>
  rows.length === 0 ? (
    <p class="faint">None.</p>
  ) : (
    <div class="scroll">
      <table aria-labelledby={id} class={id}>
        <thead>
          <tr>
            {head.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );

interface PlainTableProps {
  readonly id: string;
  readonly head: readonly string[];
  readonly rows: readonly Child[];
}

export const SettingsTable = ({ settings }: { readonly settings: readonly ShownSetting[] }) => (
  <dl class="settings">
    {settings.map(({ path, value, wire }) => (
      <div>
        <dt>
          <Own text={path} />
          {wire === undefined ? null : <small> {wire}</small>}
        </dt>
        <dd>
          <Own text={value} />
        </dd>
      </div>
    ))}
  </dl>
);

export function Pages({ path, list, section: { page, pages } }: PagesProps) {
  if (pages === 1) return null;
  return (
    <nav class="pages" aria-label={`Pages of ${list}`}>
      {page > 1 ? <a href={`${path}?${list}=${page - 1}#${list}`}>Newer</a> : null}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages ? <a href={`${path}?${list}=${page + 1}#${list}`}>Older</a> : null}
    </nav>
  );
}

interface PagesProps {
  readonly path: string;
  /** Its name in the address, and the id of its heading. */
  readonly list: string;
  readonly section: Pick<ReturnType<typeof pageOf>, "page" | "pages">;
}
