import { z } from "zod";
import { compact, isObject, withoutNullKeys, type Json, textIn } from "../../base/json";
import { toComputedNames, toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { headersGivenTwice, limits, type SandboxTemplateInputs, sandboxTemplateTable } from "./fields";

const { fields } = sandboxTemplateTable;

/** A sandbox template; everything except the name is fixed at creation (docs/internals/platform.md, Sandbox templates). */
export const sandboxTemplate = restResource<SandboxTemplateInputs>({
  table: sandboxTemplateTable,
  path: "/v2/sandboxes/templates",
  byName: true,
  items: "templates",
  // Rows of older versions lack it.
  answer: { id: z.string().nullish() },

  expectedRefusals: headersGivenTwice,

  // Omitted properties get the official clients' defaults.
  body: ({ resources, proxyConfig, ...inputs }) =>
    toRequest(fields, {
      ...inputs,
      resources: { cpu: limits.cpu.default, memory: limits.memory.default, ...compact({ ...resources }) },
      proxyConfig: proxyConfig && {
        rules: rulesOf(compact({ ...proxyConfig })["rules"] ?? []),
        noProxy: proxyConfig.noProxy ?? [],
      },
    }),
  // Only the name can change.
  patch: ({ name }) => ({ name }),

  platformId: "templateId",
  isSameObject: ({ id: now }, { id, outputs }) => typeof now === "string" && now === (outputs["templateId"] ?? id),
  // A null among the limits, or inside the proxy, does not mean that the field is cleared.
  toInputs(live) {
    const { resources, proxyConfig, ...inputs } = toInputNames(fields, live);
    return {
      ...inputs,
      resources: resources ? withoutNullKeys(resources) : undefined,
      proxyConfig: proxyConfig && withoutNullKeys(proxyConfig),
    };
  },
  toComputed: (live, before) => ({
    ...toComputedNames(fields, live),
    // Only if the resource's id is not the platform's, because the platform had not assigned one when it was created.
    templateId: live["id"] == null || before["templateId"] !== undefined ? (textIn(live, "id") ?? null) : undefined,
  }),
});

/** The rules with the defaults of each; unchanged while a preview does not know them. */
const rulesOf = (rules: Json): Json =>
  Array.isArray(rules)
    ? rules.map((rule) => (isObject(rule) ? { injectHeaders: {}, enabled: true, ...rule } : rule))
    : rules;
