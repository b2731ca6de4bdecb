import { z } from "zod";
import { compact, isObject, merge, type Json, type JsonObject } from "../../base/json";
import { toInputNames, toWireNames } from "../../lifecycle/rename";
import { deploymentTable, resourceSpecFields, revisionConfigFields, sourceConfigFields } from "./fields";
import type { DeploymentInputs } from "./schema";

const loose = z.record(z.string(), z.json());
const Variable = z.looseObject({ name: z.string(), value: z.string().nullish().catch(undefined) });
const Reference = z.looseObject({ name: z.string(), secret_name: z.string(), secret_key: z.string() });

/** The part of an answer that we need (docs/platform.md, Answers of a deployment); everything but the id may be absent. */
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

const { fields } = deploymentTable;

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
  const request = toWireNames(fields, { sourceConfig: {}, sourceRevisionConfig: {}, ...compact(inputs) });
  return merge({ ...request, secrets: environmentOf(inputs) }, { ...inputs.extra });
}

export const sourceConfigToWire = ({ sourceConfig = {} }: DeploymentInputs): JsonObject =>
  toWireNames(sourceConfigFields, sourceConfig);

export const resourceSpecToWire = ({ sourceConfig }: DeploymentInputs): JsonObject =>
  toWireNames(resourceSpecFields, { ...sourceConfig?.resourceSpec });

export const revisionConfigToWire = ({
  sourceRevisionConfig = {},
}: {
  readonly sourceRevisionConfig?: JsonObject | undefined;
}): JsonObject => toWireNames(revisionConfigFields, sourceRevisionConfig);

export const referencesToWire = ({ secretReferences }: DeploymentInputs): Json | undefined =>
  toWireNames(fields, { secretReferences })["secret_references"];

/** True if the answer has the values of all variables, so that a declared one can be compared. */
export const showsValues = ({ secrets }: DeploymentWire): boolean =>
  Array.isArray(secrets) && secrets.every(({ value }) => typeof value === "string");

/** Stands for an undeclared variable: its value, if the platform shows it, may be a secret, so it is not kept. */
const UNDECLARED = "(set outside of this program)";

/** A live deployment in the vocabulary of the inputs. Which variables are secret is known from `declared` alone. */
export function toInputs(live: DeploymentWire, declared: JsonObject): JsonObject {
  const { sourceConfig, sourceRevisionConfig, secretReferences, ...shown } = toInputNames(fields, live);
  const { resourceSpec, ...config } = objectOf(sourceConfig);
  return compact({
    ...shown,
    sourceConfig: { ...config, resourceSpec: resourceSpec ?? undefined },
    sourceRevisionConfig: sourceRevisionConfig ?? undefined,
    secretReferences: secretReferences ?? undefined,
    ...environmentToInputs(live, declared),
  });
}

function environmentToInputs({ secrets: variables }: DeploymentWire, declared: JsonObject): JsonObject {
  // A read without prior state cannot tell plain from secret values, so it shows none.
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
