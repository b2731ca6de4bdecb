import { ApiError } from "../base/api-error";
import type { DeploymentDesk } from "../platform/deployment-service";
import { progressOf, type RevisionRecord } from "../platform/revision-record";
import type { Call, Services } from "../routes/route";
import { builtinGraphs, failGraphMarker, failing } from "./builtin-graphs";
import type { Graph } from "./graph";

/** What answers at a deployment's url. */
export interface Serving {
  readonly deploymentId: string;
  readonly tenantId: string;
  readonly graphs: Readonly<Record<string, Graph>>;
}

/**
 * The newest DEPLOYED revision answers, also while a newer one is being built. The first one of a deployment needs time to accept requests;
 * a later one is DEPLOYED only once it has taken over. No such deployment: 404. Nothing that accepts requests yet, or the deployment is being
 * deleted: 503.
 */
export function serving(services: Services, desk: DeploymentDesk, call: Call): Serving {
  const id = call.param("deployment_id");
  const deployment = desk.get(call.tenant.tenantId, id, call.now);
  if (deployment.deleted_at !== null) throw new ApiError(503, `Deployment ${id} is being deleted`);
  const { agentStartMs, graphs } = services.settings;
  const deployed = desk
    .revisionsOf(deployment, call.now)
    .map((revision) => ({ revision, ...progressOf(revision, call.now) }))
    .filter(({ status }) => status === "DEPLOYED");
  const [first] = deployed;
  const revision = deployed.at(-1)?.revision;
  if (first === undefined || revision === undefined || first.since + agentStartMs > call.now) {
    throw new ApiError(503, `Deployment ${id} does not accept requests yet`);
  }
  const all = { ...builtinGraphs, ...graphs };
  return {
    deploymentId: id,
    tenantId: call.tenant.tenantId,
    graphs: isMarked(revision) ? mapped(all, failing) : all,
  };
}

function isMarked({ source_revision_config: config }: RevisionRecord): boolean {
  return [config["image_uri"], config["repo_ref"]].some(
    (value) => typeof value === "string" && value.includes(failGraphMarker),
  );
}

function mapped(
  graphs: Readonly<Record<string, Graph>>,
  change: (graph: Graph) => Graph,
): Readonly<Record<string, Graph>> {
  return Object.fromEntries(Object.entries(graphs).map(([name, graph]) => [name, change(graph)]));
}
