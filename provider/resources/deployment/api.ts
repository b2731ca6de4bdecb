import { z } from "zod";
import { type Answer, ANY_JSON, NO_BODY, type Request, type Send } from "../../http/request";
import { segment } from "../../http/segment";
import { resourcePages } from "../../http/resource-pages";
import { asObject, type JsonObject } from "../../base/json";
import { noteSecrets } from "../../base/masker";
import type { DeploymentInputs } from "./fields";
import { DeploymentWire, toWire, UNDECLARED } from "./wire";
import { AgentPlatformError, isNotFound } from "../../base/errors";
import { isBare } from "../../lifecycle/observe/observation";
import { KeptList } from "../../lifecycle/observe/kept-list";
import type { Context } from "../../lifecycle/observe/context";
import type { Workspace } from "../../lifecycle/observe/workspace";

// A + marks an endpoint that only contract `extended` has.

const PATH = "/v2/deployments";
const one = (id: string): string => `${PATH}/${segment(id)}`;
const revision = (id: string, revisionId: string): string => `${one(id)}/revisions/${segment(revisionId)}`;

const RevisionWire = z.looseObject({
  id: z.string().optional().catch(undefined),
  status: z.string().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  source_revision_config: z.record(z.string(), ANY_JSON).nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
});
export type RevisionWire = z.infer<typeof RevisionWire>;
const ListedRevision = RevisionWire.extend({ id: z.string().min(1) });

/** The body may contain live values that somebody else gave to declared secrets (patch.ts). Throws if it would write over one that nobody knows. */
function noteSent({ secrets = {} }: Pick<DeploymentInputs, "secrets">, { secrets: environment }: JsonObject): void {
  for (const variable of Array.isArray(environment) ? environment : []) {
    const { name, value } = asObject(variable);
    if (value === UNDECLARED) throw unknownValue(typeof name === "string" ? name : "");
    if (typeof name === "string" && Object.hasOwn(secrets, name)) noteSecrets(value);
  }
}

const unknownValue = (name: string): AgentPlatformError =>
  new AgentPlatformError(
    `the variable ${name} was set outside of this program, which ignores it (ignoreChanges), and the platform does not show its value, so that it would be lost ` +
      "with this change of the environment: declare it, or take it away on the platform and run `pulumi refresh`",
  );

/** POST /v2/deployments (docs/internals/platform.md, Deployments). */
export const createDeployment = (send: Send, inputs: DeploymentInputs): Promise<Answer<DeploymentWire>> => {
  const body = toWire(inputs);
  noteSent(inputs, body);
  return send({ method: "POST", path: PATH, body }, DeploymentWire);
};

/** GET /v2/deployments/{deployment_id} (docs/internals/platform.md, Deployments). @param until The end of the wait that this belongs to. */
export const readDeployment = (
  send: Send,
  id: string,
  until?: number,
  effort: Request["effort"] = until === undefined ? undefined : "poll",
): Promise<Answer<DeploymentWire>> =>
  send({ method: "GET", path: one(id), effort }, DeploymentWire, until).catch(notOfRouter);

/** Every platform has this path. So the bare answer of a router that does not know it is no more the platform's own than a gateway's is. */
function notOfRouter(error: unknown): never {
  throw isNotFound(error) && isBare(error) ? error.with({ isPlatforms: false }) : error;
}

/** GET /v2/deployments/{deployment_id}/revisions/{revision_id} (docs/internals/platform.md, Revisions). */
export const readRevision = (
  send: Send,
  id: string,
  revisionId: string,
  until?: number,
): Promise<Answer<RevisionWire>> => {
  const effort = until === undefined ? undefined : "poll";
  return send({ method: "GET", path: revision(id, revisionId), effort }, RevisionWire, until);
};

/** + GET list of the revisions of a deployment, or of those with one of these statuses, page by page (docs/internals/platform.md, Lists). */
export const revisionPages = (
  send: Send,
  id: string,
  statuses: readonly string[],
): AsyncGenerator<Answer<readonly z.infer<typeof ListedRevision>[]>> =>
  resourcePages(send, `${one(id)}/revisions`, ListedRevision, (each) => each.id, {
    filters: statuses.length === 0 ? {} : { status: statuses.join(",") },
  });

/** + POST .../redeploy (docs/internals/platform.md, PATCH of a deployment): makes a revision with the configuration of this one. */
export const redeployRevision = (send: Send, id: string, revisionId: string): Promise<Answer<DeploymentWire>> =>
  send({ method: "POST", path: `${revision(id, revisionId)}/redeploy` }, DeploymentWire);

/** PATCH /v2/deployments/{deployment_id} (docs/internals/platform.md, PATCH of a deployment): answers the whole deployment. */
export const updateDeployment = (
  send: Send,
  id: string,
  body: JsonObject,
  inputs: Pick<DeploymentInputs, "secrets">,
  repeatable: boolean,
): Promise<Answer<DeploymentWire>> => {
  noteSent(inputs, body);
  return send({ method: "PATCH", repeatable, path: one(id), body }, DeploymentWire);
};

/** + DELETE (docs/internals/platform.md, Deletion of a deployment): asynchronous, the deployment is gone when GET answers 404. */
export const deleteDeployment = (send: Send, id: string, withTracingProject: boolean): Promise<Answer<unknown>> => {
  const query = withTracingProject ? { delete_tracing_project: "true" } : undefined;
  return send({ method: "DELETE", path: one(id), query }, NO_BODY);
};

/** + GET list of the deployments, or of those that the platform's filters leave, page by page (docs/internals/platform.md, Lists). */
export const deploymentPages = (
  send: Send,
  filters: Readonly<Record<string, string>> = {},
): AsyncGenerator<Answer<readonly DeploymentWire[]>> =>
  resourcePages(send, PATH, DeploymentWire, ({ id }) => id, { filters });

/** The deployments of the tenant, for reads of deployments and of their rollouts. */
export const deploymentList = new KeptList<DeploymentWire>(
  async function* ({ send }) {
    for await (const { data } of deploymentPages(send)) yield data.map((live) => ({ id: live.id, live }));
  },
  ({ live }) => isWhole(live),
  ({ tenant_id: tenantId }) => ({ tenantId }),
);

/** Reads the list up to the first deployment, which names the workspace of the connection. */
export async function askWorkspace(context: Context): Promise<Workspace> {
  if (context.connection.contract === "documented") return {};
  const first = await deploymentList.current(context).findWhere(() => true);
  return first.state === "found" ? { tenantId: first.value.live.tenant_id } : {};
}

/** False for a summary, which lacks fields that the answer for one deployment has. */
function isWhole({ source_config, source_revision_config, latest_revision_id }: Partial<DeploymentWire>): boolean {
  return [source_config, source_revision_config, latest_revision_id].every((value) => value !== undefined);
}
