import { KeptList } from "../../lifecycle/observe/kept-list";
import { deploymentPages } from "./api";
import type { DeploymentWire } from "./wire";
import type { Context } from "../../lifecycle/observe/context";

/** The deployments of the tenant, for reads of deployments and of their rollouts. */
export const deploymentList = new KeptList<DeploymentWire>(
  async function* ({ send }) {
    for await (const { data } of deploymentPages(send)) yield data.map((live) => ({ id: live.id, live }));
  },
  ({ live }) => isWhole(live),
  ({ tenant_id: tenantId }) => ({ tenantId }),
);

/** Makes the platform name the workspace of the connection: any of its deployments does. */
export async function askWorkspace(context: Context): Promise<void> {
  if (context.connection.contract === "documented") return;
  await deploymentList.current(context).findWhere(() => true);
}

/** False for a summary, which leaves out what a deployment alone would show. */
function isWhole({ source_config, source_revision_config, latest_revision_id }: Partial<DeploymentWire>): boolean {
  return [source_config, source_revision_config, latest_revision_id].every((value) => value !== undefined);
}
