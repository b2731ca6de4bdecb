import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { EnvironmentView } from "../views";
import { deploymentRow, nextChangeOfDeployment } from "./deployment-row";
import { allOf, listenerRow, providerRow, templateRow } from "./objects";
import { pageOf, type Query } from "./paging";
import { switchedOn } from "./switched-on";

/** The page of everything that exists, of all tenants. */
export function environment(parts: ConsoleParts, query: Query): ShownPage & { readonly view: EnvironmentView } {
  const { store, services, clock } = parts;
  const now = clock.now();
  const search = (query("q") ?? "").trim();
  const fits = (...texts: readonly string[]): boolean =>
    texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));
  // Whatever is due to go goes with a look, as for the API.
  for (const { tenantId } of parts.tenants.slice(0, 1)) services.platform.deployments.list(tenantId, now);
  const records = allOf.deployments(store).filter(({ id, name, tenant_id: tenant }) => fits(name, id, tenant));
  const shown = pageOf(records, query("deployments"), (record) => record);
  const providers = allOf.oauth_providers(store).filter(({ provider_id: id, name }) => fits(id, name));
  const templates = allOf.sandbox_templates(store).filter(({ name, image }) => fits(name, image));
  const listeners = allOf.listeners(store).filter(({ compute_id: id }) => fits(id));
  const view: EnvironmentView = {
    kind: "environment",
    switchedOn: switchedOn(parts),
    search,
    address: services.publicUrl(),
    keyFile: parts.keyFile,
    deployments: { ...shown, rows: shown.rows.map((record) => deploymentRow(services, record, now)) },
    oauth_providers: pageOf(providers, query("oauth_providers"), providerRow),
    sandbox_templates: pageOf(templates, query("sandbox_templates"), templateRow),
    listeners: pageOf(listeners, query("listeners"), listenerRow),
  };
  const nextAt = Math.min(...shown.rows.map((record) => nextChangeOfDeployment(services, record, now)), Infinity);
  return { view, nextAt };
}
