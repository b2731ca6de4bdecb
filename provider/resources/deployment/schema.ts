import { z } from "zod";
import type { FieldRules } from "../../lifecycle/fields";
import { isObject, sameJson, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import {
  adoption,
  count,
  entries,
  flag,
  inputsSchema,
  orUnknown,
  text,
  url,
  value,
  type Problem,
} from "../../lifecycle/schema";

const ENVIRONMENT_NAME = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  rule: "must be letters, digits and underscores, not beginning with a digit",
};
const json: z.ZodType<Json> = orUnknown(z.json());
const positive = orUnknown(z.number().refine((given) => given > 0, "must be more than 0"));

const resourceSpec = orUnknown(
  z
    .strictObject({
      minScale: count(0).optional(),
      maxScale: count(1).optional(),
      cpu: positive.optional(),
      cpuLimit: positive.optional(),
      memoryMb: count(1).optional(),
      memoryLimitMb: count(1).optional(),
      labels: entries(text()).optional(),
      annotations: entries(value()).optional(),
      serviceAccountName: text(253).optional(),
    })
    .superRefine((spec: unknown, context) => {
      for (const [low, high] of [
        ["minScale", "maxScale"],
        ["cpu", "cpuLimit"],
        ["memoryMb", "memoryLimitMb"],
      ] as const) {
        const [a, b] = isObject(spec) ? [spec[low], spec[high]] : [];
        if (typeof a === "number" && typeof b === "number" && a > b) {
          context.addIssue({ code: "custom", path: [high], message: `must be at least ${low}` });
        }
      }
    }),
);

const sourceConfig = orUnknown(
  z.strictObject({
    integrationId: text(255).optional(),
    repoUrl: url().optional(),
    deploymentType: text(64).optional(),
    buildOnPush: flag().optional(),
    customUrl: url().optional(),
    resourceSpec: resourceSpec.optional(),
    listenerId: text(255).optional(),
    listenerConfig: orUnknown(z.strictObject({ k8sNamespace: text(253).optional() })).optional(),
    installCommand: text(8192).optional(),
    buildCommand: text(8192).optional(),
    templateId: text(255).optional(),
  }),
);

const sourceRevisionConfig = orUnknown(
  z.strictObject({
    repoRef: text(1024).optional(),
    langgraphConfigPath: text(1024).optional(),
    imageUri: text(1024).optional(),
    sourceTarballPath: text(1024).optional(),
  }),
);

/** docs/platform.md, Deployments. */
export const deploymentInputs = inputsSchema(
  {
    name: text(255),
    source: text(64),
    sourceConfig: sourceConfig.optional(),
    sourceRevisionConfig: sourceRevisionConfig.optional(),
    environmentVariables: entries(value(), ENVIRONMENT_NAME).optional(),
    secrets: entries(value(), ENVIRONMENT_NAME).optional(),
    secretReferences: orUnknown(
      z
        .array(
          orUnknown(
            z.strictObject({
              name: orUnknown(z.string().regex(ENVIRONMENT_NAME.pattern, ENVIRONMENT_NAME.rule)),
              secretName: text(253),
              secretKey: text(253),
            }),
          ),
        )
        .max(1000, "must have at most 1000 entries"),
    ).optional(),
    displayName: text(255).optional(),
    extra: orUnknown(z.record(z.string(), json)).optional(),
    redeployTrigger: json.optional(),
    adopt: adoption().optional(),
  },
  namesGivenTwice,
);
export type DeploymentInputs = z.infer<typeof deploymentInputs.schema>;

/** A variable of the environment has one source. */
function namesGivenTwice(inputs: JsonObject): Problem[] {
  const keys = (map: Json | undefined): string[] => (isObject(map) ? Object.keys(map) : []);
  const plain = new Set(keys(inputs["environmentVariables"]));
  const secret = new Set(keys(inputs["secrets"]));
  const twice = [...secret].filter((name) => plain.has(name));
  const references = Array.isArray(inputs["secretReferences"]) ? inputs["secretReferences"] : [];
  const seen = new Set<Json | undefined>();
  return [
    ...twice.map((name) => ({
      path: ["secrets", name],
      reason: "is also in environmentVariables; give each variable once",
    })),
    ...references.flatMap((reference, index) => {
      const name = isObject(reference) ? reference["name"] : undefined;
      // Two names that are not known yet need not be the same.
      if (name === UNKNOWN) return [];
      const given = typeof name === "string" && (plain.has(name) || secret.has(name) || seen.has(name));
      seen.add(name);
      return given
        ? [{ path: ["secretReferences", index, "name"], reason: "is given twice; give each variable once" }]
        : [];
    }),
  ];
}

const UNCLEARABLE =
  "cannot be removed: the platform has no way to clear it. Set another value, or replace the deployment";

/** What replaces, what the platform hides, what it cannot clear: docs/platform.md, source_config. */
export const deploymentFields: FieldRules = {
  name: { replaceOn: "always" },
  source: { replaceOn: "always" },
  "sourceConfig.integrationId": { replaceOn: "always" },
  "sourceConfig.repoUrl": { replaceOn: "always" },
  "sourceConfig.deploymentType": { replaceOn: "always" },
  "sourceConfig.listenerId": { replaceOn: "always" },
  "sourceConfig.templateId": { replaceOn: "always" },
  "sourceConfig.listenerConfig": { replaceOn: "always", unreadable: "always" },
  "sourceConfig.buildOnPush": { default: false },
  "sourceConfig.customUrl": { onRemove: { refuse: UNCLEARABLE } },
  // PATCH overwrites the spec, so we write back what is live: a key that is no longer declared keeps its value.
  "sourceConfig.resourceSpec": { onRemove: "relinquish" },
  "sourceConfig.installCommand": { unreadable: "when-null", onRemove: { refuse: UNCLEARABLE } },
  "sourceConfig.buildCommand": { unreadable: "when-null", onRemove: { refuse: UNCLEARABLE } },
  environmentVariables: { closed: true, writeOnly: true },
  secrets: { closed: true, writeOnly: true, secret: true },
  displayName: { unreadable: "when-null", onRemove: { refuse: UNCLEARABLE } },
  secretReferences: { default: [] },
  extra: { unreadable: "always", writeOnly: true, equal: sameJson, onRemove: "relinquish" },
  redeployTrigger: { unreadable: "always", equal: sameJson, onRemove: "relinquish" },
  adopt: { control: true },
  // A deployment that is being deleted cannot be kept.
  problem: { replaceOn: "always" },
};
