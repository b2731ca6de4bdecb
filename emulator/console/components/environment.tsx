import type { Child } from "hono/jsx";
import { hostOf } from "../format";
import type { DeploymentRow, EnvironmentView, Section } from "../views";
import { Address, CommandLine, Commit, Own, Pages, Region, ServingLine, TenantLine } from "./bits";

/** Everything that exists. */
export function Environment({ view }: { readonly view: EnvironmentView }) {
  const { deployments, oauth_providers: providers, sandbox_templates: templates, listeners } = view;
  const total = [deployments, providers, templates, listeners].reduce((sum, section) => sum + section.total, 0);
  if (total === 0) return <Empty view={view} />;
  return (
    <div>
      <List id="deployments" name="Deployments" section={deployments} head={["Deployment", "Runs", "Revisions"]}>
        {deployments.rows.map((row) => (
          <Deployment key={row.id} row={row} />
        ))}
      </List>
      <List
        id="oauth_providers"
        name="OAuth providers"
        section={providers}
        head={["Provider", "Signs in at", "Workspace"]}
      >
        {providers.rows.map((row) => (
          <ObjectRow key={row.id} collection="oauth_providers" row={row} title={row.title}>
            <td>
              <Own text={hostOf(row.address)} />
            </td>
          </ObjectRow>
        ))}
      </List>
      <List
        id="sandbox_templates"
        name="Sandbox templates"
        section={templates}
        head={["Template", "Image", "Resources", "Workspace"]}
      >
        {templates.rows.map((row) => (
          <ObjectRow key={row.id} collection="sandbox_templates" row={row}>
            <td class="mono">
              <Own text={row.image} />
            </td>
            <td>
              <Own text={row.resources} />
            </td>
          </ObjectRow>
        ))}
      </List>
      <List
        id="listeners"
        name="Listeners"
        section={listeners}
        head={["Listener", "Namespaces", "Version", "Workspace"]}
      >
        {listeners.rows.map((row) => (
          <ObjectRow key={row.id} collection="listeners" row={row}>
            <td>
              <Own text={row.namespaces} />
            </td>
            <td>
              <Own text={row.version ?? "unknown"} />
            </td>
          </ObjectRow>
        ))}
      </List>
    </div>
  );
}

interface ObjectRowProps {
  readonly collection: string;
  readonly row: { readonly id: string; readonly name: string; readonly tenant: string };
  /** What stands below the name. */
  readonly title?: string;
  /** The cells between the name and the workspace. */
  readonly children: Child;
}

/** An object that is not a deployment. */
function ObjectRow({ collection, row: { id, name, tenant }, title, children }: ObjectRowProps) {
  return (
    <tr data-object={name}>
      <th scope="row">
        <a href={`/console/${collection}/${id}`}>
          <Own text={name} />
        </a>
        {title === undefined ? null : (
          <div class="faint">
            <Own text={title} />
          </div>
        )}
      </th>
      {children}
      <td>
        <TenantLine id={tenant} />
      </td>
    </tr>
  );
}

function Deployment({ row }: { readonly row: DeploymentRow }) {
  return (
    <tr data-object={row.name}>
      <th scope="row">
        <a href={`/console/deployments/${row.id}`}>
          <Own text={row.name} />
        </a>{" "}
        <ServingLine serving={row.serving} />
        <div class="faint">
          <Own text={row.source} /> in <TenantLine id={row.tenant} />
        </div>
      </th>
      <td>
        <div class="mono">
          {row.image === null ? <span class="faint">no image yet</span> : <Own text={row.image} />}
        </div>
        {row.commit === null ? null : (
          <div>
            commit <Commit commit={row.commit} />
          </div>
        )}
        {row.address === null ? <div class="faint">no address yet</div> : <Address address={row.address} />}
      </td>
      <td>
        <a href={`/console/deployments/${row.id}#revisions`}>{row.revisions}</a>
      </td>
    </tr>
  );
}

interface ListProps {
  readonly id: string;
  readonly name: string;
  readonly section: Section<unknown>;
  readonly head: readonly string[];
  readonly children?: Child;
}

function List({ id, name, section, head, children }: ListProps) {
  return (
    <Region id={id} name={name} note={String(section.total)}>
      {section.total === 0 ? <p class="faint">None yet.</p> : null}
      {section.total === 0 ? null : (
        <div class="scroll">
          <table aria-labelledby={id} class={id}>
            <thead>
              <tr>
                {head.map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </div>
      )}
      <Pages path="/console" list={id} section={section} />
    </Region>
  );
}

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
        In a checkout, <CommandLine text="npm start" /> creates the example, and <CommandLine text="npm run platform" />{" "}
        then shows it.
      </p>
    </div>
  );
}
