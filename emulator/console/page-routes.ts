import { deploymentPage } from "./model/deployment";
import { environment } from "./model/environment";
import type { Query } from "./model/pages";
import { objectPage } from "./model/object";
import { findObject } from "./model/objects";
import { request } from "./model/request";
import { requests } from "./model/requests";
import { switchedOn } from "./model/switched-on";
import type { ConsoleServices, Look } from "./handler";
import type { View } from "./views";

/** What each page looks at, by its path below /console; undefined for a path without a page. */
export function lookAt(services: ConsoleServices, path: string, query: Query): Look | undefined {
  const [place = "", id = "", ...rest] = path.split("/").slice(1);
  if (rest.length > 0) return undefined;
  if (place === "") return () => environment(services, query);
  if (place === "requests") return id === "" ? () => requests(services, query) : () => oneRequest(services, id);
  if (place === "break")
    return id === "" ? () => still({ kind: "break", switchedOn: switchedOn(services) }) : undefined;
  return () => oneObject(services, place, id);
}

const still = (view: View): ReturnType<Look> => ({ view, nextAt: Infinity });

const gone = (services: ConsoleServices, what: string): ReturnType<Look> =>
  still({ kind: "gone", switchedOn: switchedOn(services), what });

function oneObject(services: ConsoleServices, collection: string, id: string): ReturnType<Look> {
  // Whatever is due to go goes with a look, as for the API.
  const [first] = services.tenants;
  if (first !== undefined) services.services.platform.deployments.list(first.tenantId, services.clock.now());
  const found = findObject(services.store, collection, id);
  if (found === undefined) return gone(services, "This object does not exist, or no longer exists.");
  return found.collection === "deployments" ? deploymentPage(services, found.record) : objectPage(services, found);
}

function oneRequest(services: ConsoleServices, seq: string): ReturnType<Look> {
  const { entries } = services.log;
  const index = Number(seq) - (entries[0]?.seq ?? 0);
  const entry = /^\d{1,15}$/.test(seq) ? entries[index] : undefined;
  return entry === undefined ? gone(services, "The log does not contain this request.") : request(services, entry);
}
