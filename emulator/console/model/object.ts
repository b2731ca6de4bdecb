import type { Shown } from "../live";
import type { ConsoleParts } from "../parts";
import type { ObjectView, Setting } from "../views";
import { nameOf, type ConsoleObject } from "./objects";
import { settingsOf } from "./settings";
import { switchedOn } from "./switched-on";

/** The page of an object that is not a deployment. */
export function object(
  parts: ConsoleParts,
  shown: Exclude<ConsoleObject, { readonly collection: "deployments" }>,
): Shown & { readonly view: ObjectView } {
  const view: ObjectView = {
    kind: "object",
    switchedOn: switchedOn(parts),
    name: nameOf(shown),
    settings: objectSettings(shown),
  };
  return { view, nextAt: Infinity };
}

function objectSettings(shown: Exclude<ConsoleObject, { readonly collection: "deployments" }>): readonly Setting[] {
  switch (shown.collection) {
    case "oauth_providers": {
      const { client_secret: secret, ...record } = shown.record;
      return [...settingsOf(record), { path: "client_secret", value: secret === null ? "(none)" : "(set)" }];
    }
    case "sandbox_templates": {
      const { resources, proxy_config: proxy, ...record } = shown.record;
      return [
        ...settingsOf(record),
        ...settingsOf(resources, "resources."),
        ...(proxy?.rules ?? []).flatMap((rule, index) => settingsOf(rule, `proxy_config.rules.${index}.`)),
        ...settingsOf(proxy === null ? {} : { no_proxy: proxy.no_proxy.join(", ") }, "proxy_config."),
      ];
    }
    case "listeners": {
      const { compute_config: config, ...record } = shown.record;
      const namespaces = config.k8s_namespaces?.join(", ") ?? "any";
      return [...settingsOf(record), { path: "compute_config.k8s_namespaces", value: namespaces }];
    }
  }
}
