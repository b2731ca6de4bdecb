import type { ConsoleServices, Query } from "../handler";
import type { ConsoleParts } from "../parts";
import { deploymentNow, revisionsOf } from "./deployment";
import { TYPES, type ConsoleObject } from "./objects";
import { pageOf, requestRow } from "./requests";
import { underProgramName } from "./settings";

const LATEST_REQUESTS = 10;

/** The page of everything that exists, of all tenants. */
export function environment(parts: ConsoleParts, query: Query) {
  const existing = TYPES.map((type) => ({ ...type, all: type.all(parts.store) })).filter(({ all }) => all.length > 0);
  const workspaces = new Set(existing.flatMap(({ all }) => all.map(({ record }) => record.tenant_id)));
  const own = <T>(cell: T): T[] => (workspaces.size > 1 ? [cell] : []);
  const rowOf = ({ record: { id, tenant_id: workspace }, name, row }: ConsoleObject) => {
    const { serving, cells } = row(parts);
    return { id, name, serving, cells: [...cells, ...own(workspace)] };
  };
  const lists = existing.map(({ collection, head, title, all }) => ({
    ...{ collection, title, head: [...head, ...own("Workspace")] },
    section: pageOf(all, query(collection), rowOf),
  }));
  return { address: parts.publicUrl(), keyFile: parts.keyFile, lists };
}

export function objectPage(services: ConsoleServices, object: ConsoleObject) {
  const { deployment, name, record, resource } = object;
  const now = deployment && deploymentNow(services, deployment);
  return {
    ...{ id: record.id, name, serving: now?.serving, silence: now?.silence },
    settings: object.settings(services).map((setting) => underProgramName(resource, setting)),
    requests: requestsFor(services, object),
    ...(now ? revisionsOf(services, deployment, now.active) : { revisions: [], made: 0 }),
  };
}

/** The latest requests for an object, newest first. */
function requestsFor({ log }: ConsoleServices, { path, record }: ConsoleObject) {
  const paths = [path, `/agents/${record.id}`].map((each) => `${each}/`);
  const found = log.entries.filter((entry) => paths.some((each) => `${entry.path}/`.startsWith(each)));
  return found.slice(-LATEST_REQUESTS).reverse().map(requestRow);
}
