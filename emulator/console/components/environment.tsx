import type { environment } from "../model/looks";
import { Cells, Own, Pages, Region, ServingLine, PlainTable } from "./bits";

type EnvironmentView = ReturnType<typeof environment>;
type ObjectList = EnvironmentView["lists"][number];

export const Environment = ({ view }: { readonly view: EnvironmentView }) =>
  view.lists.length === 0 ? (
    <Empty view={view} />
  ) : (
    <div>
      {view.lists.map((list) => (
        <List list={list} />
      ))}
    </div>
  );

const List = ({ list: { collection, title, head, section } }: { readonly list: ObjectList }) => (
  <Region id={collection} name={title} note={String(section.total)}>
    <PlainTable
      id={collection}
      head={head}
      rows={section.rows.map(({ id, name, serving, cells }) => (
        <tr data-object={name} data-key={id}>
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
      ))}
    />
    <Pages path="/console" list={collection} section={section} />
  </Region>
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
