import { ApiError } from "../base/api-error";
import type { EmulatedPlatform } from "../platform/platform";
import { isMarked } from "../platform/revision-outcomes";
import { progressOf } from "../platform/revision-record";
import { BUILTIN_GRAPHS, failGraphMarker, failingGraph } from "./builtin-graphs";
import type { AgentSettings } from "./options";

/** The agent that answers at a deployment's url. */
export type ServedAgent = Readonly<ReturnType<typeof servedAgent>>;

/**
 * The newest DEPLOYED revision answers, even while a newer one is being built. The first revision of a deployment needs time to accept
 * requests; a later one is DEPLOYED only once it has taken over. Throws 404 for an unknown deployment, and 503 if no revision accepts
 * requests yet or the deployment is being deleted.
 */
export function servedAgent(
  { deployments, revisions }: EmulatedPlatform,
  settings: AgentSettings,
  { tenantId, deploymentId }: { readonly tenantId: string; readonly deploymentId: string },
  now: number,
) {
  const deployment = deployments.get(tenantId, deploymentId, now);
  if (deployment.deleted_at !== null) throw new ApiError(503, `Deployment ${deploymentId} is being deleted`);
  const deployed = revisions
    .of(deployment, now)
    .map((revision) => ({ revision, ...progressOf(revision, now) }))
    .filter(({ status }) => status === "DEPLOYED");
  const [first] = deployed;
  const revision = deployed.at(-1)?.revision;
  if (first === undefined || revision === undefined || first.since + settings.agentStartMs > now) {
    throw new ApiError(503, `Deployment ${deploymentId} does not accept requests yet`);
  }
  const isFailing = isMarked(revision.source_revision_config, failGraphMarker);
  const graphs = Object.entries({ ...BUILTIN_GRAPHS, ...settings.graphs });
  return {
    deploymentId,
    tenantId,
    graphs: Object.fromEntries(graphs.map(([name, graph]) => [name, isFailing ? failingGraph(graph) : graph])),
    /** The revision that answers. */
    revisionId: revision.id,
    /** When the first revision was DEPLOYED. Milliseconds since the epoch. */
    servedSince: first.since,
  };
}
