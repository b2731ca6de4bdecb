import { isFinished } from "../../platform/revision-record";
import type { ConsoleServices, Look, Query } from "../handler";
import type { ConsoleParts } from "../parts";
import { deploymentNow, revisionsOf } from "./deployment";
import { findObject, TYPES, type ConsoleObject } from "./objects";
import { pageOf, requestPage, requestRow, requests } from "./requests";
import { underProgramName } from "./settings";

/** Requests on the page of an object. */
const LATEST_REQUESTS = 10;

/** What each page looks at, by its path below /console; undefined for a path without a page. */
export function lookAt(services: ConsoleServices, path: string, query: Query): Look | undefined {
  const [place = "", id = "", ...rest] = path.split("/").slice(1);
  if (rest.length > 0) return undefined;
  if (place === "") return () => environment(services, query);
  if (place === "requests")
    return () => still(id === "" ? requests(services, query) : (requestPage(services, id) ?? NO_REQUEST));
  if (place === "break") return id === "" ? () => still({ kind: "break" }) : undefined;
  return TYPES.some(({ collection }) => collection === place) ? () => objectPage(services, place, id) : undefined;
}

const still = (shown: ReturnType<Look>["shown"]): ReturnType<Look> => ({ shown, nextAt: Infinity });
const NO_REQUEST = { kind: "gone", what: "The log does not contain this request." } as const;
const NO_OBJECT = { kind: "gone", what: "This object does not exist, or no longer exists." } as const;

/** Whatever is due to go goes with a look, as for the API. */
function removeDue({ tenants: [first], services, clock }: ConsoleParts): void {
  if (first !== undefined) services.platform.deployments.list(first.tenantId, clock.now());
}

/** The page of everything that exists, of all tenants. */
function environment(parts: ConsoleParts, query: Query): ReturnType<Look> {
  removeDue(parts);
  const existing = TYPES.map((type) => ({ ...type, all: type.all(parts.store) })).filter(({ all }) => all.length > 0);
  const workspaces = new Set(existing.flatMap(({ all }) => all.map(({ record }) => record.tenant_id)));
  const own = <T>(cell: T): T[] => (workspaces.size > 1 ? [cell] : []);
  const moments: number[] = [];
  const rowOf = ({ record: { id, tenant_id: workspace }, name, row, nextAt }: ConsoleObject) => {
    moments.push(nextAt(parts));
    const { serving, cells } = row(parts);
    return { id, name, serving, cells: [...cells, ...own(workspace)] };
  };
  const lists = existing.map(({ collection, head, title, all }) => ({
    ...{ collection, title, head: [...head, ...own("Workspace")] },
    section: pageOf(all, query(collection), rowOf),
  }));
  const { services, keyFile } = parts;
  return {
    shown: { kind: "environment", address: services.publicUrl(), keyFile, lists },
    nextAt: Math.min(...moments, Infinity),
  };
}

/** The page of one object. */
function objectPage(services: ConsoleServices, collection: string, id: string): ReturnType<Look> {
  removeDue(services);
  const object = findObject(services.store, collection, id);
  if (object === undefined) return still(NO_OBJECT);
  const shown = {
    kind: "object",
    id,
    name: object.name,
    settings: object.settings(services).map((setting) => underProgramName(object.resource, setting)),
    requests: requestsFor(services, object),
    ...{ serving: undefined, silence: undefined, revisions: [], made: 0 },
  } as const;
  const nextAt = object.nextAt(services);
  const { deployment: record } = object;
  if (record === undefined) return { shown, nextAt };
  const { active, serving, silence } = deploymentNow(services, record);
  const { revisions, made } = revisionsOf(services, record, active);
  // Times grow and lines of a log come between the statuses: while a revision is under way, the page looks again now and then.
  const [latest] = revisions;
  const tick = latest === undefined || isFinished(latest.status) ? Infinity : services.clock.now() + 250;
  return { shown: { ...shown, serving, silence, revisions, made }, nextAt: Math.min(nextAt, tick) };
}

/** The latest requests for an object, newest first. */
function requestsFor({ log }: ConsoleServices, { path, record }: ConsoleObject) {
  const paths = [path, `/agents/${record.id}`];
  const found = [];
  for (let index = log.entries.length - 1; index >= 0 && found.length < LATEST_REQUESTS; index -= 1) {
    const entry = log.entries[index];
    if (entry !== undefined && paths.some((each) => `${entry.path}/`.startsWith(`${each}/`)))
      found.push(requestRow(entry));
  }
  return found;
}
