import type { EnvironmentView, ObjectList, ObjectRow, RevisionProgress } from "../views";
import { Own, Pages, Region, ServingLine, PlainTable } from "./bits";

/** Everything that exists. */
export const Environment = ({ view }: { readonly view: EnvironmentView }) =>
  view.lists.length === 0 ? (
    <Empty view={view} />
  ) : (
    <div>
      {view.lists.map((list) => (
        <List key={list.collection} list={list} hasWorkspaces={view.hasWorkspaces} />
      ))}
    </div>
  );

interface ListProps {
  readonly list: ObjectList;
  readonly hasWorkspaces: boolean;
}

const List = ({ list: { collection, title, head, section }, hasWorkspaces }: ListProps) => (
  <Region id={collection} name={title} note={String(section.total)}>
    <PlainTable
      id={collection}
      isDense={collection === "deployments"}
      head={[...head, ...(hasWorkspaces ? ["Workspace"] : [])]}
      rows={section.rows.map((row) => (
        <Row key={row.id} collection={collection} row={row} hasWorkspaces={hasWorkspaces} />
      ))}
    />
    <Pages path="/console" list={collection} section={section} />
  </Region>
);

interface RowProps extends Pick<ListProps, "hasWorkspaces"> {
  readonly collection: string;
  readonly row: ObjectRow;
}

const Row = ({ collection, row: { id, name, serving, cells, progress, workspace }, hasWorkspaces }: RowProps) => (
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
    {cells.map((text, index) => (
      <td key={index}>
        <Own text={text} />
      </td>
    ))}
    {serving === undefined ? null : <td>{progress === undefined ? null : <Progress progress={progress} />}</td>}
    {hasWorkspaces ? <td>{workspace}</td> : null}
  </tr>
);

const Progress = ({ progress: { text, tone, reached, took } }: { readonly progress: RevisionProgress }) => (
  <span class="faint">
    <progress class={tone} max={7} value={reached} aria-label={text} title={text} /> {took}
  </span>
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
