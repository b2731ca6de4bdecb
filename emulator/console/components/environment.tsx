import type { CollectionName } from "../model/objects";
import type { EnvironmentView, ObjectList, ObjectRow } from "../views";
import { Own, Pages, Region, ServingLine, PlainTable } from "./bits";

const TYPES: Readonly<Record<CollectionName, { readonly name: string; readonly head: readonly string[] }>> = {
  deployments: { name: "Deployments", head: ["Deployment", "Runs", "Address", "Workspace"] },
  oauth_providers: { name: "OAuth providers", head: ["Provider", "Name", "Signs in at", "Workspace"] },
  sandbox_templates: { name: "Sandbox templates", head: ["Template", "Image", "Resources", "Workspace"] },
  listeners: { name: "Listeners", head: ["Listener", "Namespaces", "Version", "Workspace"] },
};

/** Everything that exists. */
export const Environment = ({ view }: { readonly view: EnvironmentView }) =>
  view.lists.every(({ section }) => section.total === 0) ? (
    <Empty view={view} />
  ) : (
    <div>
      {view.lists.map((list) => (
        <List key={list.collection} list={list} />
      ))}
    </div>
  );

const List = ({ list: { collection, section } }: { readonly list: ObjectList }) => (
  <Region id={collection} name={TYPES[collection].name} note={String(section.total)}>
    <PlainTable
      id={collection}
      head={TYPES[collection].head}
      rows={section.rows.map((row) => (
        <Row key={row.id} collection={collection} row={row} />
      ))}
    />
    <Pages path="/console" list={collection} section={section} />
  </Region>
);

const Row = ({ collection, row }: { readonly collection: CollectionName; readonly row: ObjectRow }) => (
  <tr data-object={row.name}>
    <th scope="row">
      <a href={`/console/${collection}/${row.id}`}>
        <Own text={row.name} />
      </a>{" "}
      {row.serving === undefined ? null : <ServingLine serving={row.serving} />}
    </th>
    {row.cells.map((text, index) => (
      <td key={index}>
        <Own text={text} />
      </td>
    ))}
  </tr>
);

/** A word of a shell: nothing in it is expanded. */
const quoted = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function Empty({ view: { address, keyFile } }: { readonly view: EnvironmentView }) {
  const project = [
    `pulumi config set agent-platform:baseUrl ${address}`,
    `pulumi config set --secret agent-platform:apiKey${keyFile === undefined ? "" : ` < ${quoted(keyFile)}`}`,
    "pulumi up",
  ];
  return (
    <div class="empty" data-empty="">
      <p>There is nothing here yet. Whatever you create appears at once. From a project of your own:</p>
      <pre tabindex={0}>{project.join("\n")}</pre>
      <p>
        In a checkout, <code>npm start</code> creates the example, and <code>npm run platform</code> then shows it.
      </p>
    </div>
  );
}
