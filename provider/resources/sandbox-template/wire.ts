import { z } from "zod";
import { compact, isObject, type Json, type JsonObject } from "../../base/json";
import { toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { limits, sandboxTemplateTable, type SandboxTemplateInputs } from "./fields";

/** Documented as text; a number means the same as its text ("1"). Any other value says nothing: it must not read as cleared. */
const QuantityWire = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);
const ResourceSpecWire = z.looseObject({ cpu: QuantityWire, memory: QuantityWire, storage: QuantityWire });
const VolumeMountWire = z.looseObject({ volume_name: z.string(), mount_path: z.string() });
const ProxyRuleWire = z.looseObject({
  name: z.string(),
  match_hosts: z.array(z.string()).nullish(),
  inject_headers: z.record(z.string(), z.string()).nullish(),
  match_paths: z.array(z.string()).nullish(),
  enabled: z.boolean().nullish(),
});

/** Only the part of an answer that we need: rows of older versions lack id and times (docs/internals/platform.md, Sandbox templates). */
export const SandboxTemplateWire = z.looseObject({
  id: z.string().nullish(),
  name: z.string().min(1),
  image: z.string().optional().catch(undefined),
  resources: ResourceSpecWire.nullish().catch(undefined),
  volume_mounts: z.array(VolumeMountWire).nullish().catch(undefined),
  proxy_config: z
    .looseObject({ rules: z.array(ProxyRuleWire).nullish(), no_proxy: z.array(z.string()).nullish() })
    .nullish()
    .catch(undefined),
  created_at: z.string().nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
});
export type SandboxTemplateWire = z.infer<typeof SandboxTemplateWire>;

const { fields } = sandboxTemplateTable;

/** The request of a creation, in the platform's vocabulary, with the official clients' defaults for what is not declared. */
export function toWire(inputs: SandboxTemplateInputs): JsonObject {
  const { resources, proxyConfig } = inputs;
  return toRequest(fields, {
    ...inputs,
    resources: { cpu: limits.cpu.default, memory: limits.memory.default, ...compact({ ...resources }) },
    proxyConfig: proxyConfig && {
      rules: (proxyConfig.rules ?? []).map((rule) => ({ injectHeaders: {}, enabled: true, ...compact({ ...rule }) })),
      noProxy: proxyConfig.noProxy ?? [],
    },
  });
}

/** The request of an update: only the name can change. */
export const renaming = ({ name }: Pick<SandboxTemplateInputs, "name">): JsonObject => ({ name });

/** A live template in the vocabulary of the inputs. A null among the limits, or inside the proxy, says nothing. */
export function toInputs(live: SandboxTemplateWire): JsonObject {
  const { resources, proxyConfig, ...inputs } = toInputNames(fields, live);
  return {
    ...inputs,
    resources: resources ?? undefined,
    proxyConfig: isObject(proxyConfig) ? proxyOf(proxyConfig) : proxyConfig,
  };
}

function proxyOf({ rules, noProxy }: JsonObject): JsonObject {
  return {
    rules: Array.isArray(rules) ? rules.map(ruleOf) : undefined,
    noProxy: noProxy ?? undefined,
  };
}

function ruleOf(rule: Json): Json {
  if (!isObject(rule)) return rule;
  const shown = Object.entries(rule).filter(([, value]) => value !== null);
  return { matchHosts: [], ...Object.fromEntries(shown) };
}
