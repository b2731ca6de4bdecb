// Generated from the table of Deployment by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import type {
  DeploymentAgentArgs,
  SecretReferenceArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
} from "../resources/deployment.generated";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectOf } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which deployment: exactly one of the two. */
export interface GetDeploymentArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its whole name. Needs contract "extended". */
  name?: string;
}

/** {@link GetDeploymentArgs}, which may come from resources. */
export type GetDeploymentOutputArgs = OutputArgs<GetDeploymentArgs>;

/**
 * A deployment as it is on the platform, with the defaults that the platform filled in, but without the variables of its environment: the
 * platform does not say which of them are secret.
 */
export class GetDeploymentResult extends ObjectResult {
  /** The platform's UUID. */
  declare readonly id: string;
  /** Unique in the tenant. With `agent`, the platform gives it. */
  declare readonly name: string;
  /**
   * The agent of the platform that it runs, and in which environment, instead of `name`: one has one deployment in each. Needs contract
   * "extended".
   */
  declare readonly agent: pulumi.Unwrap<DeploymentAgentArgs> | undefined;
  /**
   * Where the code comes from, and so what else is needed or refused: "github", "external_docker", "internal_docker", "internal_source" or
   * "internal_template" (docs/sources.md).
   */
  declare readonly source: string;
  /** Where the code comes from, and how it runs. */
  declare readonly sourceConfig: pulumi.Unwrap<SourceConfigArgs> | undefined;
  /** What a revision is built from. */
  declare readonly sourceRevisionConfig: pulumi.Unwrap<SourceRevisionConfigArgs> | undefined;
  /** Variables whose values come from secrets on the platform. Refused by "github", "internal_docker" and "internal_source". */
  declare readonly secretReferences: pulumi.Unwrap<SecretReferenceArgs>[] | undefined;
  /** A name for people to read. */
  declare readonly displayName: string | undefined;
  /**
   * The revision that the last request made; until the platform names it, null, or after an update "after <the previous one>". Nothing
   * waits for it.
   */
  declare readonly latestRevisionId: string | null;
  /** The revision with which this program last changed `secrets`, in the form of `latestRevisionId`; empty if none is known. */
  declare readonly secretsRevisionId: string | null;
  /** The tenant (workspace) of the deployment; null if the platform does not say. */
  declare readonly tenantId: string | null;
  /** When the platform created it. */
  declare readonly createdAt: string | null;
  /** "READY", "AWAITING_DATABASE", "AWAITING_DELETE" ...; null if the platform names none. */
  declare readonly status: string | null;
  /** The revision that serves; null if the platform names none. */
  declare readonly activeRevisionId: string | null;
  /** The agent's address; null if the platform names none. */
  declare readonly url: string | null;
  /** The commit that the latest revision was built from; null if the platform names none. */
  declare readonly repoCommitSha: string | null;
  /** The version of its agent server; null if the platform names none. */
  declare readonly imageVersion: string | null;
  /** When it was last changed; null if the platform names none. */
  declare readonly updatedAt: string | null;
}

const resultOf = (found: ReadObject) => new GetDeploymentResult(found);

const GET = objectOf<GetDeploymentOutputArgs, GetDeploymentResult>("Deployment", "name", resultOf);

/**
 * An existing deployment, by its id or its name, as it is now (docs/internals/platform.md, Endpoints: GET /v2/deployments/{deployment_id}).
 * Fails if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getDeployment({ name: "support-agent" });
 */
export function getDeployment(args: GetDeploymentArgs, options: FunctionOptions = {}): Promise<GetDeploymentResult> {
  return invoke(GET, args, options);
}

/** {@link getDeployment} for arguments that come from resources: not known at preview if one of them is not. */
export function getDeploymentOutput(
  args: GetDeploymentOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetDeploymentResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("Deployment", resultOf);

/**
 * The deployments of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not after
 * `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listDeployments()) console.log(found.id);
 */
export function listDeployments(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetDeploymentResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listDeployments} as one array: not known at preview if an argument is not. */
export function listDeploymentsOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetDeploymentResult[]> {
  return listOutput(LIST, args, options);
}
