import { withoutSlash } from "../../base/address";
import { asObject, type Json, type JsonObject, sameJson, UNKNOWN, withoutNullKeys } from "../../base/json";
import type { Path, Problem } from "../../lifecycle/fields/fields";
import { type Fields, type InputsOf, table } from "../../lifecycle/fields/table";
import {
  adoptField,
  checkedText,
  entries,
  extra,
  fits,
  flag,
  list,
  nullable,
  object,
  text,
  unless,
} from "../../lifecycle/fields/types";
import { outputs, pulumiName, remembered } from "../rows";
import { quantityValue, sameQuantity } from "./quantity";

/** A proxy configuration with every default filled in and header names in one case, so that equal meaning is equal JSON (docs/internals/platform.md, ProxyRule). */
function canonicalProxyConfig(config: Json): Json {
  const { rules, noProxy = [] } = asObject(withoutNullKeys(config));
  return { rules: Array.isArray(rules) ? rules.map(canonicalRule) : [], noProxy };
}

function canonicalRule(rule: Json): Json {
  const { injectHeaders, ...others } = asObject(rule);
  const headers = Object.entries(asObject(injectHeaders)).map(([name, value]) => [name.toLowerCase(), value] as const);
  // No path pattern matches all paths.
  return { matchHosts: [], matchPaths: [], enabled: true, ...others, injectHeaders: Object.fromEntries(headers) };
}

// A header's name is a token (RFC 9110); its value has no control characters.
const HEADER = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, rule: "is not a valid header name" };
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;
const HOST = /^(?:\*|[A-Za-z0-9*_](?:[A-Za-z0-9*._-]*[A-Za-z0-9*])?)(?::\d{1,5})?$/;

const quantity = (suffixed: string, plain: string) =>
  checkedText({}, (given) => {
    const amount = quantityValue(given);
    if (amount === undefined)
      return `must be a quantity, a number with or without a suffix, like "${suffixed}" or "${plain}"`;
    return amount === 0n ? "must be more than 0" : undefined;
  });

const name = checkedText(
  { most: 63 },
  fits(
    /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/,
    "must be a DNS-1035 name: lowercase letters, digits and hyphens, beginning with a letter and not ending with a hyphen",
  ),
);

const image = checkedText(
  { isNeverEmpty: true, most: 1024 },
  fits(/^[^\s\p{Cc}]*$/u, "must be an image reference without spaces or control characters"),
);

const mountPath = checkedText(
  { most: 4096 },
  unless((given) => given.startsWith("/"), "must be an absolute path (begin with /)"),
  unless((given) => given !== "/", "must not be the root folder"),
  unless(
    (given) => !given.split("/").some((step) => step === ".." || step === "."),
    'must not contain "." or ".." steps',
  ),
  unless((given) => !/\p{Cc}/u.test(given), "must not contain control characters"),
);

const headerValue = checkedText(
  { most: 8192 },
  fits(HEADER_VALUE, "must not contain line breaks or other control characters"),
  unless(
    (given) => !hasMalformedReference(given),
    "has a malformed variable reference: write ${NAME}, of letters, digits and underscores",
  ),
);

const host = checkedText(
  { most: 260 },
  fits(HOST, 'must be a host name or a glob like "*.example.com" (no scheme, no path)'),
);

/** If one of the first two is missing, the default of the official clients is sent. */
export const limits = {
  cpu: {
    type: quantity("500m", "2"),
    description: 'CPU, like "500m" or "2".',
    replaceOn: "always",
    default: "500m",
    isStated: true,
    equal: sameQuantity,
  },
  memory: {
    type: quantity("512Mi", "536870912"),
    description: 'Memory, like "512Mi".',
    replaceOn: "always",
    default: "512Mi",
    isStated: true,
    equal: sameQuantity,
  },
  storage: {
    type: quantity("10Gi", "10737418240"),
    description: 'Storage, like "10Gi".',
    replaceOn: "always",
    equal: sameQuantity,
  },
} as const satisfies Fields;

const resources = object(limits, {
  name: "ResourceSpecArgs",
  description:
    'Resource limits of a sandbox, as quantities, such as 2, 500m or 512Mi. Different spellings of the same amount ("1" and "1000m") are equal.',
});

const volumeMount = object(
  {
    volumeName: { type: text(253), description: "Name of the volume.", required: true },
    mountPath: {
      type: mountPath,
      description: "An absolute path inside the sandbox. Give each path only once.",
      required: true,
    },
  },
  { name: "VolumeMountArgs", description: "A volume in a sandbox." },
);

const proxyRule = object(
  {
    name: { type: text(253), description: "The name of the rule. Give each name only once.", required: true },
    matchHosts: {
      type: list(host, { empty: "must name at least one host", most: 1000 }),
      description: 'Hosts that the rule applies to; globs like "*.example.com".',
      required: true,
    },
    injectHeaders: {
      type: entries(headerValue, HEADER),
      description:
        "Header names and values. They are not secret: write credentials as references, `${NAME}`, which the platform resolves.",
    },
    matchPaths: {
      type: list(checkedText({}, fits(/^\//, "must begin with /"))),
      description: 'Paths that the rule applies to, like "/v1/*".',
      defaultText: "all paths",
    },
    enabled: { type: flag(), description: "Whether the rule is active.", defaultText: "true" },
  },
  { name: "ProxyRuleArgs", description: "One rule of the proxy that injects headers into outbound HTTPS requests." },
);

const proxyConfig = object(
  {
    rules: { type: list(proxyRule), description: "The rules for injecting headers, in order." },
    noProxy: { type: list(text(260)), description: "Hosts that bypass the proxy." },
  },
  { name: "ProxyConfigArgs", description: "The proxy sidecar of a sandbox." },
);

/** docs/internals/platform.md, SandboxTemplate. Nothing but the name can change in place, and that only under contract `extended`. */
export const sandboxTemplateTable = table(
  {
    kind: "SandboxTemplate",
    api: "sandbox",
    naturalKey: "name",
    undocumented: ["update", "delete"],
    echoes: true,
    one: "sandbox template",
    summary: "A template for sandboxes: image, limits, volumes and proxy. Its id is the platform's UUID.",
    rules: givenTwice,
    description: "Arguments of a {@link SandboxTemplate} (docs/internals/platform.md, SandboxTemplate).",
    reading: {
      id: "The platform's UUID; on old rows its name.",
      foundBy: "its id or its name",
      result: ", which spells the quantities in its own way",
      place: "docs/internals/platform.md, SandboxTemplate",
      page: 500,
    },
  },
  {
    name: {
      ...pulumiName("A DNS-1035 name of at most 63 characters, unique in the tenant."),
      type: name,
      replaceOn: "documented",
    },
    image: { type: image, description: "The container image of the sandbox.", required: true, replaceOn: "always" },
    resources: {
      type: resources,
      description: "Resource limits.",
      required: true,
      defaultText: "`{}`",
      replaceOn: "always",
    },
    volumeMounts: { type: list(volumeMount), description: "Volumes.", replaceOn: "always", default: [] },
    proxyConfig: {
      type: proxyConfig,
      description: "The proxy sidecar.",
      replaceOn: "always",
      default: {},
      equal: (a, b) => sameJson(canonicalProxyConfig(a), canonicalProxyConfig(b)),
    },
    extra: {
      ...extra,
      description: `${extra.description} They count only when the template is created.`,
      replaceOn: "always",
    },
    adopt: adoptField("name"),
    ...outputs({
      createdAt: {
        type: nullable(text()),
        description: "When the platform created it, as the platform writes it; null for old templates.",
        isStable: true,
      },
      updatedAt: { type: nullable(text()), description: "When it was last changed; null for old templates." },
    }),
    ...remembered({
      templateId: {
        type: nullable(text()),
        description: "The platform's UUID, if the resource was created before the platform assigned one.",
        isStable: true,
      },
    }),
  },
);

export type SandboxTemplateInputs = InputsOf<typeof sandboxTemplateTable.fields>;

/** Rules that no row can express: mount paths and rule names must be unique. */
function* givenTwice({ volumeMounts, proxyConfig: proxy }: JsonObject): Generator<Problem> {
  yield* duplicates(volumeMounts, ["volumeMounts"], "mountPath");
  yield* duplicates(asObject(proxy)["rules"], ["proxyConfig", "rules"], "name");
}

/** Headers of a rule that differ in case alone: one of them would count. */
export function* headersGivenTwice({ proxyConfig: proxy }: JsonObject): Generator<Problem> {
  const { rules } = asObject(proxy);
  for (const [at, rule] of Array.isArray(rules) ? rules.entries() : []) {
    const headers = Object.keys(asObject(asObject(rule)["injectHeaders"])).map((each) => each.toLowerCase());
    const twin = headers.find((each, index) => headers.indexOf(each) < index);
    const path = ["proxyConfig", "rules", at, "injectHeaders"];
    if (twin !== undefined) yield { path, reason: `has ${twin} twice: the case of a header's name means nothing` };
  }
}

/** Elements of a list that share a key with an earlier element. */
function* duplicates(elements: Json | undefined, path: Path, key: string): Generator<Problem> {
  const first = new Map<string, number>();
  for (const [index, element] of Array.isArray(elements) ? elements.entries() : []) {
    const given = asObject(element)[key];
    if (typeof given !== "string" || given === UNKNOWN) continue;
    const plain = withoutSlash(given) || given.charAt(0);
    const earlier = first.get(plain);
    first.set(plain, earlier ?? index);
    if (earlier !== undefined)
      yield { path: [...path, index, key], reason: `is the same as in ${path.join(".")}[${earlier}]` };
  }
}

/** True if a `${` is left once all references are removed, because it begins an invalid one: `${`, `${1A}`, `${A B}`. A single `$` is an ordinary character. */
function hasMalformedReference(given: string): boolean {
  return given.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, "").includes("${");
}
