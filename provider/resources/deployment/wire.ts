import { z } from "zod";
import { compact, isObject, merge, type Json, type JsonObject } from "../../base/json";
import type { DeploymentInputs } from "./schema";

const loose = z.record(z.string(), z.json());
const Variable = z.looseObject({ name: z.string(), value: z.string().nullish().catch(undefined) });
const Reference = z.looseObject({ name: z.string(), secret_name: z.string(), secret_key: z.string() });

/** What is needed of an answer (docs/platform.md, Answers of a deployment); everything but the id may be absent. */
export const DeploymentWire = z.looseObject({
  id: z.string().min(1),
  tenant_id: z.string().nullish().catch(undefined),
  name: z.string().optional().catch(undefined),
  source: z.string().optional().catch(undefined),
  source_config: loose.nullish().catch(undefined),
  source_revision_config: loose.nullish().catch(undefined),
  secrets: z.array(Variable).nullish().catch(undefined),
  secret_references: z.array(Reference).nullish().catch(undefined),
  display_name: z.string().nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
  latest_revision_id: z.string().nullish().catch(undefined),
  active_revision_id: z.string().nullish().catch(undefined),
  url: z.string().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
});
export type DeploymentWire = z.infer<typeof DeploymentWire>;

/** Our names of the keys of each object, and the platform's. */
const SOURCE_CONFIG = {
  integrationId: "integration_id",
  repoUrl: "repo_url",
  deploymentType: "deployment_type",
  buildOnPush: "build_on_push",
  customUrl: "custom_url",
  listenerId: "listener_id",
  installCommand: "install_command",
  buildCommand: "build_command",
  templateId: "template_id",
} as const;
const RESOURCE_SPEC = {
  minScale: "min_scale",
  maxScale: "max_scale",
  cpu: "cpu",
  cpuLimit: "cpu_limit",
  memoryMb: "memory_mb",
  memoryLimitMb: "memory_limit_mb",
  labels: "labels",
  annotations: "annotations",
  serviceAccountName: "service_account_name",
} as const;
const REVISION_CONFIG = {
  repoRef: "repo_ref",
  langgraphConfigPath: "langgraph_config_path",
  imageUri: "image_uri",
  sourceTarballPath: "source_tarball_path",
} as const;

type Names = Readonly<Record<string, string>>;

const rename = (object: JsonObject, names: Names): JsonObject =>
  compact(Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, object[ours]])));
const renameBack = (object: JsonObject, names: Names): JsonObject =>
  compact(Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, object[theirs]])));
const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** The whole environment: plain and secret variables are one list on the wire, in a fixed order. */
export function environmentOf({
  environmentVariables = {},
  secrets = {},
}: Pick<DeploymentInputs, "environmentVariables" | "secrets">) {
  const all = { ...environmentVariables, ...secrets };
  return Object.keys(all)
    .sort()
    .map((name) => ({ name, value: all[name] ?? "" }));
}

/** The request of a creation; official clients always send the first five fields (docs/platform.md, Deployments). */
export function toWire(inputs: DeploymentInputs): JsonObject {
  const request = compact({
    name: inputs.name,
    source: inputs.source,
    source_config: sourceConfigToWire(inputs),
    source_revision_config: revisionConfigToWire(inputs),
    secrets: environmentOf(inputs),
    secret_references: referencesToWire(inputs),
    display_name: inputs.displayName,
  });
  return merge(request, { ...inputs.extra });
}

export function sourceConfigToWire({ sourceConfig }: DeploymentInputs): JsonObject {
  const namespace = sourceConfig?.listenerConfig?.k8sNamespace;
  return compact({
    ...rename({ ...sourceConfig }, SOURCE_CONFIG),
    resource_spec: sourceConfig?.resourceSpec && resourceSpecToWire({ sourceConfig }),
    listener_config: sourceConfig?.listenerConfig && compact({ k8s_namespace: namespace }),
  });
}

export const resourceSpecToWire = ({ sourceConfig }: Pick<DeploymentInputs, "sourceConfig">): JsonObject =>
  rename({ ...sourceConfig?.resourceSpec }, RESOURCE_SPEC);

export const revisionConfigToWire = ({
  sourceRevisionConfig,
}: {
  readonly sourceRevisionConfig?: JsonObject | undefined;
}): JsonObject => rename({ ...sourceRevisionConfig }, REVISION_CONFIG);

export const referencesToWire = ({ secretReferences }: DeploymentInputs): JsonObject[] | undefined =>
  secretReferences?.map(({ name, secretName, secretKey }) => ({
    name,
    secret_name: secretName,
    secret_key: secretKey,
  }));

/** True where the answer has the values of all variables; then a declared one can be compared. */
export const showsValues = ({ secrets }: DeploymentWire): boolean =>
  Array.isArray(secrets) && secrets.every(({ value }) => typeof value === "string");

/** A variable that nobody declared: its value, if the platform shows it, may be a secret, so it is not kept. */
const UNDECLARED = "(set outside of this program)";

/** A live deployment in the vocabulary of the inputs. Which variables are secret is known from `declared` alone. */
export function toInputs(live: DeploymentWire, declared: JsonObject): JsonObject {
  const config = objectOf(live.source_config ?? undefined);
  return compact({
    name: live.name,
    source: live.source,
    displayName: live.display_name,
    sourceConfig: {
      ...renameBack(config, SOURCE_CONFIG),
      resourceSpec: isObject(config["resource_spec"]) ? renameBack(config["resource_spec"], RESOURCE_SPEC) : undefined,
    },
    sourceRevisionConfig: live.source_revision_config
      ? renameBack(live.source_revision_config, REVISION_CONFIG)
      : undefined,
    secretReferences: live.secret_references?.map((entry) => ({
      name: entry.name,
      secretName: entry.secret_name,
      secretKey: entry.secret_key,
    })),
    ...environmentToInputs(live, declared),
  });
}

function environmentToInputs({ secrets: variables }: DeploymentWire, declared: JsonObject): JsonObject {
  // A read without prior state cannot tell plain from secret: nothing is shown.
  if (!variables || (declared["environmentVariables"] === undefined && declared["secrets"] === undefined)) return {};
  const plain = objectOf(declared["environmentVariables"]);
  const secret = objectOf(declared["secrets"]);
  const environmentVariables: JsonObject = {};
  const secrets: JsonObject = {};
  for (const { name, value } of variables) {
    if (Object.hasOwn(plain, name)) environmentVariables[name] = value ?? plain[name];
    else if (Object.hasOwn(secret, name)) secrets[name] = value ?? secret[name];
    else if (declared["secrets"] !== undefined) secrets[name] = UNDECLARED;
    else environmentVariables[name] = UNDECLARED;
  }
  return { environmentVariables, secrets };
}
