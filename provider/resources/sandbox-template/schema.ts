import { z } from "zod";
import type { FieldRules, Path } from "../../lifecycle/fields";
import { isObject, sameJson, UNKNOWN, type JsonObject } from "../../base/json";
import { quantityValue, sameQuantity } from "./quantity";
import { adoption, entries, flag, inputsSchema, orUnknown, text, type Problem } from "../../lifecycle/schema";
import { canonicalProxyConfig } from "./proxy-config";

const NAME = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
// A header's name is a token (RFC 9110); its value has no control characters.
const HEADER = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, rule: "is not a valid header name" };
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;
const HOST = /^(?:\*|[A-Za-z0-9*_](?:[A-Za-z0-9*._-]*[A-Za-z0-9*])?)(?::\d{1,5})?$/;

const quantity = (example: string) =>
  orUnknown(
    z.string().superRefine((given, context) => {
      const amount = quantityValue(given);
      if (amount === undefined)
        context.addIssue({ code: "custom", message: `must be a quantity with a unit suffix, like "${example}"` });
      else if (amount === 0n) context.addIssue({ code: "custom", message: "must be more than 0" });
    }),
  );

const mountPath = orUnknown(
  z
    .string()
    .max(4096, "must be at most 4096 characters")
    .refine((given) => given.startsWith("/"), "must be an absolute path (begin with /)")
    .refine((given) => given !== "/", "must not be the root folder")
    .refine(
      (given) => !given.split("/").some((step) => step === ".." || step === "."),
      'must not contain "." or ".." steps',
    )
    .refine((given) => !/\p{Cc}/u.test(given), "must not contain control characters"),
);

const headerValue = orUnknown(
  z
    .string()
    .max(8192, "must be at most 8192 characters")
    .regex(HEADER_VALUE, "must not contain line breaks or other control characters")
    .refine(
      (given) => !hasMalformedReference(given),
      "has a malformed variable reference: write ${NAME}, of letters, digits and underscores",
    ),
);

const rule = orUnknown(
  z.strictObject({
    name: text(253),
    matchHosts: orUnknown(
      z
        .array(
          orUnknown(
            z
              .string()
              .max(260, "must be at most 260 characters")
              .regex(HOST, 'must be a host name or a glob like "*.example.com" (no scheme, no path)'),
          ),
        )
        .min(1, "must name at least one host")
        .max(1000, "must have at most 1000 entries"),
    ),
    injectHeaders: entries(headerValue, HEADER).optional(),
    matchPaths: orUnknown(
      z.array(orUnknown(z.string().regex(/^\//, "must begin with /"))).max(1000, "must have at most 1000 entries"),
    ).optional(),
    enabled: flag().optional(),
  }),
);

const proxyConfig = orUnknown(
  z.strictObject({
    rules: orUnknown(z.array(rule).max(1000, "must have at most 1000 entries")).optional(),
    noProxy: orUnknown(z.array(text(260)).max(1000, "must have at most 1000 entries")).optional(),
  }),
);

/** docs/platform.md, SandboxTemplate; and what it is made of, to docs/platform.md, ProxyRule. */
export const sandboxTemplateInputs = inputsSchema(
  {
    name: orUnknown(
      z
        .string()
        .max(63, "must be at most 63 characters")
        .regex(
          NAME,
          "must be a DNS-1035 name: lowercase letters, digits and hyphens, beginning with a letter and not ending with a hyphen",
        ),
    ),
    image: orUnknown(
      z
        .string()
        .min(1, "must not be empty")
        .max(1024, "must be at most 1024 characters")
        .regex(/^[^\s\p{Cc}]*$/u, "must be an image reference without spaces or control characters"),
    ),
    resources: orUnknown(
      z.strictObject({
        cpu: quantity("500m").optional(),
        memory: quantity("512Mi").optional(),
        storage: quantity("10Gi").optional(),
      }),
    ),
    volumeMounts: orUnknown(
      z
        .array(orUnknown(z.strictObject({ volumeName: text(253), mountPath })))
        .max(1000, "must have at most 1000 entries"),
    ).optional(),
    proxyConfig: proxyConfig.optional(),
    adopt: adoption().optional(),
  },
  (inputs) => [
    ...duplicates(inputs["volumeMounts"], ["volumeMounts"], "mountPath"),
    ...duplicateRules(inputs["proxyConfig"]),
  ],
);
export type SandboxTemplateInputs = z.infer<typeof sandboxTemplateInputs.schema>;

function duplicateRules(proxyConfig: unknown): Problem[] {
  return isObject(proxyConfig) ? duplicates(proxyConfig["rules"], ["proxyConfig", "rules"], "name") : [];
}

/** Elements of a list that share a key with an earlier one. */
function duplicates(list: unknown, path: Path, key: string): Problem[] {
  if (!Array.isArray(list)) return [];
  const first = new Map<string, number>();
  return list.flatMap((element: unknown, index) => {
    const given = isObject(element) ? element[key] : undefined;
    if (typeof given !== "string" || given === UNKNOWN) return [];
    const plain = given.replace(/(?<=.)\/+$/, "");
    const earlier = first.get(plain);
    first.set(plain, earlier ?? index);
    return earlier === undefined
      ? []
      : [{ path: [...path, index, key], reason: `is the same as in ${path.join(".")}[${earlier}]` }];
  });
}

/** What is left of `$` after the references are taken out is no reference: `${`, `${1A}`, `${A B}`. A single `$` is a character like any other. */
function hasMalformedReference(given: string): boolean {
  return given.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, "").includes("${");
}

/** Nothing but the name can change in place, and that only under contract `extended` (docs/platform.md, Sandbox templates). */
export const sandboxTemplateFields: FieldRules = {
  name: { replaceOn: "documented" },
  image: { replaceOn: "always" },
  resources: { replaceOn: "always" },
  // Defaults of the official clients, sent where nothing is declared.
  "resources.cpu": { replaceOn: "always", default: "500m", equal: sameQuantity },
  "resources.memory": { replaceOn: "always", default: "512Mi", equal: sameQuantity },
  "resources.storage": { replaceOn: "always", equal: sameQuantity },
  volumeMounts: { replaceOn: "always", default: [] },
  proxyConfig: {
    replaceOn: "always",
    default: {},
    equal: (a, b) => sameJson(canonicalProxyConfig(a), canonicalProxyConfig(b)),
  },
  adopt: { control: true },
};

/** Documented as text; a number means the same as its text ("1"). What is neither says nothing: it must not read as cleared. */
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

/** What is needed of an answer, and no more: rows of older versions lack id and times (docs/platform.md, Sandbox templates). */
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

/** The request of a creation, in the platform's vocabulary. */
export function toWire(inputs: SandboxTemplateInputs) {
  const { name, image, resources, volumeMounts, proxyConfig } = inputs;
  return {
    name,
    image,
    resources: { cpu: resources.cpu ?? "500m", memory: resources.memory ?? "512Mi", storage: resources.storage },
    volume_mounts: volumeMounts?.map((mount) => ({ volume_name: mount.volumeName, mount_path: mount.mountPath })),
    proxy_config: proxyConfig && {
      rules: (proxyConfig.rules ?? []).map((rule) => ({
        name: rule.name,
        match_hosts: rule.matchHosts,
        inject_headers: rule.injectHeaders ?? {},
        match_paths: rule.matchPaths,
        enabled: rule.enabled ?? true,
      })),
      no_proxy: proxyConfig.noProxy ?? [],
    },
  };
}

/** A live template in the vocabulary of the inputs. */
export function toInputs(live: SandboxTemplateWire): JsonObject {
  const { name, image, resources, volume_mounts: mounts, proxy_config: proxy } = live;
  return {
    name,
    image,
    resources: resources ? { cpu: resources.cpu, memory: resources.memory, storage: resources.storage } : undefined,
    volumeMounts: mounts
      ? mounts.map((mount) => ({ volumeName: mount.volume_name, mountPath: mount.mount_path }))
      : mounts,
    proxyConfig: proxy
      ? {
          rules: proxy.rules?.map((rule) => ({
            name: rule.name,
            matchHosts: rule.match_hosts ?? [],
            injectHeaders: rule.inject_headers ?? undefined,
            matchPaths: rule.match_paths ?? undefined,
            enabled: rule.enabled ?? undefined,
          })),
          noProxy: proxy.no_proxy ?? undefined,
        }
      : proxy,
  };
}
