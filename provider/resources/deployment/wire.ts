import { z } from "zod";
import { asObject, compact, merge, ownValue, type JsonObject, textIn } from "../../base/json";
import { ANY_JSON } from "../../http/request";
import { toInputNames, toWireNames } from "../../lifecycle/fields/rename";
import { withScheme } from "../../base/address";
import { deploymentTable, revisionConfigFields, type DeploymentInputs } from "./fields";
import { isSource, platformType, sourceRow } from "./sources";

const loose = z.record(z.string(), ANY_JSON);
const Variable = z.looseObject({ name: z.string(), value: z.string().nullish().catch(undefined) });
const Reference = z.looseObject({ name: z.string(), secret_name: z.string(), secret_key: z.string() });

/** The part of an answer that we need (docs/internals/platform.md, Answers of a deployment); everything but the id may be absent. */
export const DeploymentWire = z.looseObject({
  id: z.string().min(1),
  status: z.string().nullish().catch(undefined),
  latest_revision_id: z.string().nullish().catch(undefined),
  active_revision_id: z.string().nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
  tenant_id: z.string().nullish().catch(undefined),
  name: z.string().optional().catch(undefined),
  agent: z.looseObject({ agent_id: z.string(), environment: z.string().toLowerCase() }).optional().catch(undefined),
  is_preview: z.boolean().nullish().catch(undefined),
  source: z.string().optional().catch(undefined),
  source_config: loose.nullish().catch(undefined),
  source_revision_config: loose.nullish().catch(undefined),
  secrets: z.array(Variable).nullish().catch(undefined),
  secret_references: z.array(Reference).nullish().catch(undefined),
  display_name: z.string().nullish().catch(undefined),
  image_version: z.string().nullish().catch(undefined),
  url: z.string().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
});
export type DeploymentWire = z.infer<typeof DeploymentWire>;

const { fields } = deploymentTable;

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

/** The request of a creation, with the defaults of its source; official clients always send the first five fields (docs/internals/platform.md, Deployments). */
export function toWire(inputs: DeploymentInputs): JsonObject {
  const { source, secretReferences = [] } = inputs;
  const defaults = isSource(source) ? sourceRow(source).defaults : {};
  const type = inputs.sourceConfig?.deploymentType;
  const sent = type === undefined ? {} : { sourceConfig: { deploymentType: platformType(type) } };
  const declared = merge(merge({ sourceConfig: {}, sourceRevisionConfig: {}, ...defaults }, compact(inputs)), sent);
  const request = toWireNames(fields, {
    ...declared,
    // A source that refuses references may also refuse an empty list of them.
    secretReferences: secretReferences.length > 0 ? secretReferences : undefined,
    // It is sent once the deployment is there (docs/internals/platform.md, Deployments).
    displayName: undefined,
  });
  return merge({ ...request, secrets: environmentOf(inputs) }, { ...inputs.extra });
}

/** The variables in an answer; undefined if it does not show them, as before the first revision has an id. */
function variablesIn({ secrets, latest_revision_id: latest }: DeploymentWire) {
  const isTooEarly = latest === null && secrets?.length === 0;
  return isTooEarly ? undefined : (secrets ?? undefined);
}

/** True if the answer has the values of all variables, so that a declared one can be compared. */
export const showsValues = (live: DeploymentWire): boolean =>
  variablesIn(live)?.every(({ value }) => typeof value === "string") ?? false;

/** The agent's URL; null if the platform does not give it. */
export function urlOf({ url, source_config: config }: DeploymentWire): string | null {
  const custom = customUrlOf({ source_config: config });
  // Older answers have a field of its own for it.
  return url ?? (custom === null ? null : withScheme(custom));
}

/** The configured address: declared by a program or assigned by the platform; null if there is none. */
export const customUrlOf = ({ source_config: config }: Pick<DeploymentWire, "source_config">): string | null =>
  textIn(config ?? {}, "custom_url") || null;

/** The commit that the latest revision was built from; null where none was, or the platform does not say. */
export const commitOf = ({ source_revision_config: config }: DeploymentWire): string | null =>
  textIn(config ?? {}, "repo_commit_sha") ?? null;

/**
 * The configuration of the latest revision as it was requested. If a branch was requested, the answer also has the commit and the image built from
 * it (docs/internals/platform.md, Answers of a deployment); a field that only the build set is left out.
 */
export function askedFor(live: DeploymentWire): JsonObject {
  const { repo_commit_sha: commit, ...config } = asObject(live.source_revision_config);
  if (live.source !== "github") return config;
  const { image_uri: _built, repo_ref: ref, ...others } = config;
  const branch = live.source_config?.["repo_branch"];
  const asked = typeof branch === "string" ? branch : ref === commit ? undefined : ref;
  return compact({ ...others, repo_ref: asked });
}

/**
 * Stands for the value of an undeclared variable, which may be a secret and is not kept. With the option `ignoreChanges`, the engine then passes it on as if
 * the program declared it: whatever the value is, it is as it should be.
 */
export const UNDECLARED = "(set outside of this program)";

/** A live deployment as inputs. Only `declared` shows which variables are secret. */
export function toInputs(live: DeploymentWire, declared: JsonObject): JsonObject {
  const { sourceConfig, secretReferences, ...shown } = toInputNames(fields, live);
  const { resourceSpec, ...config } = asObject(sourceConfig);
  return compact({
    ...shown,
    sourceConfig: { ...config, resourceSpec: resourceSpec ?? undefined },
    sourceRevisionConfig: live.source_revision_config ? toInputNames(revisionConfigFields, askedFor(live)) : undefined,
    secretReferences: secretReferences ?? undefined,
    ...environmentToInputs(live, declared),
  });
}

function environmentToInputs(live: DeploymentWire, declared: JsonObject): JsonObject {
  const variables = variablesIn(live);
  // A read without prior state cannot tell which variables are secret, so it shows none.
  if (!variables || (declared["environmentVariables"] === undefined && declared["secrets"] === undefined)) return {};
  const plain = asObject(declared["environmentVariables"]);
  const secret = asObject(declared["secrets"]);
  const entries = variables.map(({ name, value }) => {
    const known = ownValue(plain, name) ?? ownValue(secret, name) ?? UNDECLARED;
    return [name, known === UNDECLARED ? known : (value ?? known)] as const;
  });
  const isSecret = ([name]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(plain, name) && (Object.hasOwn(secret, name) || declared["secrets"] !== undefined);
  const shown = (isOf: boolean) => Object.fromEntries(entries.filter((each) => isSecret(each) === isOf));
  return { environmentVariables: shown(false), secrets: shown(true) };
}
