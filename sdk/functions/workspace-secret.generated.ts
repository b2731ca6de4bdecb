// Generated from the table of WorkspaceSecret by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import type { AllowedHostArgs } from "../resources/workspace-secret.generated";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectByKey } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which workspace secret. */
export interface GetWorkspaceSecretArgs {
  /** The name by which it is referred to. */
  key: string;
}

/** {@link GetWorkspaceSecretArgs}, which may come from resources. */
export type GetWorkspaceSecretOutputArgs = OutputArgs<GetWorkspaceSecretArgs>;

/** A workspace secret as it is on the platform, which never shows its value. */
export class GetWorkspaceSecretResult extends ObjectResult {
  /** The same as `key`. */
  declare readonly id: string;
  /** The name by which it is referred to, like OPENAI_API_KEY. Unique in the workspace. */
  declare readonly key: string;
  /** Where it may be sent, in any order. Without any, to the hosts that the platform knows for its key. */
  declare readonly allowedHosts: pulumi.Unwrap<AllowedHostArgs>[] | undefined;
  /**
   * When this program last sent the value (ISO 8601). As a deployment's `redeployTrigger`, it gives the agent a new revision after each
   * rotation.
   */
  declare readonly rotatedAt: string | null;
  /** Its workspace, if the platform has named it. */
  declare readonly tenantId: string | null;
}

const resultOf = (found: ReadObject) => new GetWorkspaceSecretResult(found);

const GET = objectByKey<GetWorkspaceSecretOutputArgs, GetWorkspaceSecretResult>("WorkspaceSecret", "key", resultOf);

/**
 * An existing workspace secret, by its key, as it is now (docs/internals/platform.md, Workspace secrets). Needs contract "extended". Fails
 * if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getWorkspaceSecret({ key: "support-agent" });
 */
export function getWorkspaceSecret(
  args: GetWorkspaceSecretArgs,
  options: FunctionOptions = {},
): Promise<GetWorkspaceSecretResult> {
  return invoke(GET, args, options);
}

/** {@link getWorkspaceSecret} for arguments that come from resources: not known at preview if one of them is not. */
export function getWorkspaceSecretOutput(
  args: GetWorkspaceSecretOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetWorkspaceSecretResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("WorkspaceSecret", resultOf);

/**
 * The workspace secrets of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not
 * after `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listWorkspaceSecrets()) console.log(found.id);
 */
export function listWorkspaceSecrets(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetWorkspaceSecretResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listWorkspaceSecrets} as one array: not known at preview if an argument is not. */
export function listWorkspaceSecretsOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetWorkspaceSecretResult[]> {
  return listOutput(LIST, args, options);
}
