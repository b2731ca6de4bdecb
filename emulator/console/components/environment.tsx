import type { EnvironmentView, ObjectList, ObjectRow } from "../views";
import { Cells, Own, Pages, Region, ServingLine, PlainTable } from "./bits";

/** Everything that exists. */
export const Environment = ({ view }: { readonly view: EnvironmentView }) =>
  view.lists.length === 0 ? (
    <Empty view={view} />
  ) : (
    <div>
      {view.lists.map((list) => (
        <List key={list.collection} list={list} />
      ))}
    </div>
  );

const List = ({ list: { collection, title, head, section } }: { readonly list: ObjectList }) => (
  <Region id={collection} name={title} note={String(section.total)}>
    <PlainTable
      id={collection}
      head={head}
      rows={section.rows.map((row) => (
        <Row key={row.id} collection={collection} head={head} row={row} />
      ))}
    />
    <Pages path="/console" list={collection} section={section} />
  </Region>
);

interface RowProps {
  readonly collection: string;
  readonly head: readonly string[];
  readonly row: ObjectRow;
}

const Row = ({ collection, head, row: { id, name, serving, cells } }: RowProps) => (
  <tr data-object={name}>
    <th scope="row">
      <a href={`/console/${collection}/${id}`}>
        <Own text={name} />
      </a>
    </th>
    {serving === undefined ? null : (
      <td>
        <ServingLine serving={serving} />
      </td>
    )}
    <Cells texts={cells} heads={head.slice(-cells.length)} />
  </tr>
);

/** A word of a shell: nothing in it is expanded. */
const quoted = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function Empty({ view: { address, keyFile } }: { readonly view: EnvironmentView }) {
  const project = [
    `pulumi config set agent-platform:baseUrl ${address}`,
    `pulumi config set --secret agent-platform:apiKey${keyFile === undefined ? "" : ` < ${quoted(keyFile)}`}`,
  ];
  return (
    <div class="empty" data-empty="">
      <p>There is nothing here yet. Whatever you create appears at once. From a project of your own:</p>
      <pre tabindex={0}>{project.join("\n")}</pre>
      <pre tabindex={0}>pulumi up</pre>
    </div>
  );
}
