import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { ObjectView, ShownSetting } from "../views";
import { objectName, type ConsoleObject } from "./objects";
import { switchedOn } from "./switched-on";

/** The page of an object that is not a deployment. */
export function objectPage(
  parts: ConsoleParts,
  shown: Exclude<ConsoleObject, { readonly collection: "deployments" }>,
): ShownPage & { readonly view: ObjectView } {
  const view: ObjectView = {
    kind: "object",
    switchedOn: switchedOn(parts),
    name: objectName(shown),
    settings: objectSettings(shown),
  };
  return { view, nextAt: Infinity };
}

function objectSettings(
  shown: Exclude<ConsoleObject, { readonly collection: "deployments" }>,
): readonly ShownSetting[] {
  switch (shown.collection) {
    case "oauth_providers": {
      const { client_secret: secret, ...record } = shown.record;
      return [...settingRowsOf(record), { path: "client_secret", value: secret === null ? "(none)" : "(set)" }];
    }
    case "sandbox_templates": {
      const { resources, proxy_config: proxy, ...record } = shown.record;
      return [
        ...settingRowsOf(record),
        ...settingRowsOf(resources, "resources."),
        ...(proxy?.rules ?? []).flatMap((rule, index) => settingRowsOf(rule, `proxy_config.rules.${index}.`)),
        ...settingRowsOf(proxy === null ? {} : { no_proxy: proxy.no_proxy.join(", ") }, "proxy_config."),
      ];
    }
    case "listeners": {
      const { compute_config: config, ...record } = shown.record;
      const namespaces = config.k8s_namespaces?.join(", ") ?? "any";
      return [...settingRowsOf(record), { path: "compute_config.k8s_namespaces", value: namespaces }];
    }
  }
}

/**
 * What is shown of an object's fields: plain values, and of anything deeper only how much there is. A volume, a sidecar or a label can
 * hold what nobody declared secret.
 */
export function settingRowsOf(fields: Readonly<Record<string, unknown>>, prefix = ""): readonly ShownSetting[] {
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
