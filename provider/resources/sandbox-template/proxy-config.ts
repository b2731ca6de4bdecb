import { isObject, type Json } from "../../base/json";

/** A proxy configuration with every default filled in and header names in one case, so that equal meaning is equal JSON (docs/internals/platform.md, ProxyRule). */
export function canonicalProxyConfig(config: Json): Json {
  if (!isObject(config)) return config;
  const rules = Array.isArray(config["rules"]) ? config["rules"] : [];
  return { rules: rules.map(canonicalRule), noProxy: config["noProxy"] ?? [] };
}

function canonicalRule(rule: Json): Json {
  if (!isObject(rule)) return rule;
  return {
    name: rule["name"],
    matchHosts: rule["matchHosts"] ?? [],
    injectHeaders: lowerCaseKeys(rule["injectHeaders"] ?? {}),
    // No path pattern matches all paths.
    matchPaths: rule["matchPaths"] ?? [],
    enabled: rule["enabled"] ?? true,
  };
}

function lowerCaseKeys(headers: Json): Json {
  if (!isObject(headers)) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
