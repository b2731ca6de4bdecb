import { isFinished } from "../../platform/revision-record";
import type { ConsoleParts, ConsoleServices, Look, Query } from "../handler";
import type { ObjectRow, ShownSetting } from "../views";
import { deploymentNow, nextChangeOf, revisionsOf } from "./deployment";
import { allObjects, findObject, objectName, pathOf, type ConsoleObject } from "./objects";
import { pageOf, requestPage, requestRow, requests } from "./requests";

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
  return () => objectPage(services, place, id);
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
  const lists = allObjects(parts.store).map(([collection, all]) => ({
    collection,
    section: pageOf(all, query(collection), (object) => object),
  }));
  const shown = lists.flatMap(({ section: { rows } }) => rows);
  const moments = shown.map((object) =>
    object.collection === "deployments" ? nextChangeOf(parts, object.record) : Infinity,
  );
  return {
    shown: {
      kind: "environment",
      address: parts.services.publicUrl(),
      keyFile: parts.keyFile,
      lists: lists.map(({ collection, section }) => ({
        collection,
        section: { ...section, rows: section.rows.map((object) => rowOf(parts, object)) },
      })),
    },
    nextAt: Math.min(...moments, Infinity),
  };
}

function rowOf(parts: ConsoleParts, object: ConsoleObject): ObjectRow {
  const { id, tenant_id: tenant } = object.record;
  const row = { id, name: objectName(object), serving: undefined };
  switch (object.collection) {
    case "deployments": {
      const { serving, runs, address } = deploymentNow(parts, object.record);
      return { ...row, serving, cells: [runs, address, tenant] };
    }
    case "oauth_providers":
      return { ...row, cells: [object.record.name, object.record.auth_url, tenant] };
    case "sandbox_templates": {
      const { image, resources } = object.record;
      return {
        ...row,
        cells: [
          image,
          settingRowsOf(resources)
            .map(({ path, value }) => `${path} ${value}`)
            .join(", "),
          tenant,
        ],
      };
    }
    case "listeners": {
      const { compute_config: config, version } = object.record;
      return { ...row, cells: [config.k8s_namespaces?.join(", ") ?? "any namespace", version ?? "unknown", tenant] };
    }
  }
}

/** The page of one object. */
function objectPage(services: ConsoleServices, collection: string, id: string): ReturnType<Look> {
  removeDue(services);
  const object = findObject(services.store, collection, id);
  if (object === undefined) return still(NO_OBJECT);
  const shown = {
    kind: "object",
    id,
    name: objectName(object),
    requests: requestsFor(services, object),
    ...{ serving: undefined, revisions: [], made: 0 },
  } as const;
  if (object.collection !== "deployments") return still({ ...shown, settings: settingsOf(object) });
  const { record } = object;
  const { status, active, serving, runs, address } = deploymentNow(services, record);
  const { revisions, made } = revisionsOf(services, record, active);
  const settings = [...settingRowsOf({ status, runs, address }), ...settingsOf(object)];
  // Times grow and lines of a log come between the statuses: while a revision is under way, the page looks again now and then.
  const [latest] = revisions;
  const tick = latest === undefined || isFinished(latest.status) ? Infinity : services.clock.now() + 250;
  return {
    shown: { ...shown, serving, settings, revisions, made },
    nextAt: Math.min(nextChangeOf(services, record), tick),
  };
}

/** The latest requests for an object, newest first. */
function requestsFor({ log, traffic }: ConsoleServices, object: ConsoleObject) {
  const paths = [pathOf(object), ...(object.collection === "deployments" ? [`/agents/${object.record.id}`] : [])];
  const found = [];
  for (let index = log.entries.length - 1; index >= 0 && found.length < LATEST_REQUESTS; index -= 1) {
    const entry = log.entries[index];
    if (entry !== undefined && paths.some((path) => `${entry.path}/`.startsWith(`${path}/`)))
      found.push(requestRow(entry, traffic));
  }
  return found;
}

function settingsOf(object: ConsoleObject): readonly ShownSetting[] {
  switch (object.collection) {
    case "deployments": {
      const { record } = object;
      return [
        ...settingRowsOf({ source: record.source, display_name: record.display_name, tenant_id: record.tenant_id }),
        ...settingRowsOf(record.source_config, "source_config."),
        ...settingRowsOf(record.resource_spec, "source_config.resource_spec."),
        ...settingRowsOf(record.source_revision_config, "source_revision_config."),
        ...Object.keys(record.extra).map((path) => ({ path, value: "(set)" })),
        ...record.secrets.map(({ name }) => ({ path: `secrets.${name}`, value: "(set)" })),
        ...record.secret_references.map(({ name, secret_name: secret, secret_key: key }) => ({
          path: `secret_references.${name}`,
          value: `key ${key} of the cluster's secret ${secret}`,
        })),
      ];
    }
    case "oauth_providers": {
      const { client_secret: secret, ...record } = object.record;
      return [...settingRowsOf(record), { path: "client_secret", value: secret === null ? "(none)" : "(set)" }];
    }
    case "sandbox_templates": {
      const { resources, proxy_config: proxy, ...record } = object.record;
      return [
        ...settingRowsOf(record),
        ...settingRowsOf(resources, "resources."),
        ...(proxy?.rules ?? []).flatMap((rule, index) => settingRowsOf(rule, `proxy_config.rules.${index}.`)),
        ...settingRowsOf(proxy === null ? {} : { no_proxy: proxy.no_proxy.join(", ") }, "proxy_config."),
      ];
    }
    case "listeners": {
      const { compute_config: config, ...record } = object.record;
      const namespaces = config.k8s_namespaces?.join(", ") ?? "any";
      return [...settingRowsOf(record), { path: "compute_config.k8s_namespaces", value: namespaces }];
    }
  }
}

/**
 * What is shown of an object's fields: plain values, and of anything deeper only how much there is. A volume, a sidecar or a label can
 * hold what nobody declared secret.
 */
function settingRowsOf(fields: Readonly<Record<string, unknown>>, prefix = ""): readonly ShownSetting[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    return [{ path: prefix + name, value: shownValue(value) }];
  });
}

function shownValue(value: unknown): string {
  if (typeof value === "string") return value === "" ? "(empty)" : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.length === 0 ? "(empty)" : names.join(", ");
}
