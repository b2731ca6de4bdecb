import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { EnvironmentView } from "../views";
import { deploymentRow, nextChangeOfDeployment } from "./deployment-row";
import { allOf, listenerRow, providerRow, templateRow } from "./objects";
import { pageOf, type Query } from "./pages";
import { switchedOn } from "./switched-on";

/** The page of everything that exists, of all tenants. */
export function environment(parts: ConsoleParts, query: Query): ShownPage & { readonly view: EnvironmentView } {
  const { store, services, clock } = parts;
  const now = clock.now();
  // Whatever is due to go goes with a look, as for the API.
  for (const { tenantId } of parts.tenants.slice(0, 1)) services.platform.deployments.list(tenantId, now);
  const shown = pageOf(allOf.deployments(store), query("deployments"), (record) => record);
  const view: EnvironmentView = {
    kind: "environment",
    switchedOn: switchedOn(parts),
    address: services.publicUrl(),
    keyFile: parts.keyFile,
    deployments: { ...shown, rows: shown.rows.map((record) => deploymentRow(services, record, now)) },
    oauth_providers: pageOf(allOf.oauth_providers(store), query("oauth_providers"), providerRow),
    sandbox_templates: pageOf(allOf.sandbox_templates(store), query("sandbox_templates"), templateRow),
    listeners: pageOf(allOf.listeners(store), query("listeners"), listenerRow),
  };
  const nextAt = Math.min(...shown.rows.map((record) => nextChangeOfDeployment(services, record, now)), Infinity);
  return { view, nextAt };
}
