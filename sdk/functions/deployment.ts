import type * as pulumi from "@pulumi/pulumi";
import type { Key } from "../../provider/reading";
import type {
  Deployment,
  SecretReferenceArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
} from "../resources/deployment";
import { idOrName } from "./arguments";
import { lookUp, lookUpOutput, type FunctionOptions, type Lookup } from "./lookup";
import { ObjectResult, type Shown } from "./result";

/** Which deployment: exactly one of the two. */
export interface GetDeploymentArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its whole name. Needs contract "extended". */
  name?: string;
}

/** {@link GetDeploymentArgs}, which may come from resources. */
export interface GetDeploymentOutputArgs {
  /** The platform's UUID. */
  id?: pulumi.Input<string | undefined>;
  /** Its whole name. Needs contract "extended". */
  name?: pulumi.Input<string | undefined>;
}

type Hidden = "secrets" | "environmentVariables" | "rollout" | "url" | "activeRevisionId" | "deployed";

/** A deployment as it is on the platform. Shows no variable of its environment: which of them are secret, nobody can tell. */
export class GetDeploymentResult extends ObjectResult implements Shown<Deployment, Hidden> {
  /** The platform's UUID. */
  declare readonly id: string;
  declare readonly name: string;
  /** "github", "external_docker", "internal_docker" ... */
  declare readonly source: string;
  /** With the defaults that the platform has filled in. */
  declare readonly sourceConfig: pulumi.Unwrap<SourceConfigArgs> | undefined;
  declare readonly sourceRevisionConfig: pulumi.Unwrap<SourceRevisionConfigArgs> | undefined;
  /** Names alone: of the variables, and of the platform's own secrets that fill them. */
  declare readonly secretReferences: pulumi.Unwrap<SecretReferenceArgs>[] | undefined;
  declare readonly displayName: string | undefined;
  /** The newest revision, which need not serve yet (`getRevision` tells); null where there is none yet. */
  declare readonly latestRevisionId: string | null;
  /** The tenant (workspace) that it is in; null where the platform does not say. */
  declare readonly tenantId: string | null;
  /** When the platform made it (ISO 8601). */
  declare readonly createdAt: string | null;
}

const LOOKUP: Lookup<GetDeploymentOutputArgs, Key, GetDeploymentResult> = {
  name: "getDeployment",
  check: (args) => idOrName("getDeployment", args),
  read: async (platform, key) => new GetDeploymentResult(await platform.reader("Deployment").get(key)),
};

/**
 * An existing deployment, by its id or its name, as it is now (docs/platform.md, Endpoints: GET /v2/deployments/{deployment_id}).
 * Fails where it does not exist, and before any request where the arguments or the connection are wrong.
 */
export function getDeployment(args: GetDeploymentArgs, options: FunctionOptions = {}): Promise<GetDeploymentResult> {
  return lookUp(LOOKUP, args, options);
}

/** {@link getDeployment} for arguments that come from resources: not known at preview where one of them is not. */
export function getDeploymentOutput(
  args: GetDeploymentOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetDeploymentResult> {
  return lookUpOutput(LOOKUP, args, options);
}
