// Generated from the table of SandboxRegistry by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectOf } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which sandbox registry: exactly one of the two. */
export interface GetSandboxRegistryArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its name. */
  name?: string;
}

/** {@link GetSandboxRegistryArgs}, which may come from resources. */
export type GetSandboxRegistryOutputArgs = OutputArgs<GetSandboxRegistryArgs>;

/** A sandbox registry as it is on the platform, which never shows its credentials. */
export class GetSandboxRegistryResult extends ObjectResult {
  /** The platform's UUID, for a snapshot's `registryId`. */
  declare readonly id: string;
  /** Unique in the tenant. Changing it renames the registry in place. */
  declare readonly name: string;
  /** The address of the registry, like "registry.example". */
  declare readonly url: string;
  /** Whether `username` and `password` open it, or `awsRoleArn`. */
  declare readonly authType: string | undefined;
  /** The AWS role that pulls, with `authType: "AWS_ROLE"` alone. */
  declare readonly awsRoleArn: string | undefined;
  /** When the platform created it. */
  declare readonly createdAt: string | null;
  /** When it was last changed. */
  declare readonly updatedAt: string | null;
}

const resultOf = (found: ReadObject) => new GetSandboxRegistryResult(found);

const GET = objectOf<GetSandboxRegistryOutputArgs, GetSandboxRegistryResult>("SandboxRegistry", "name", resultOf);

/**
 * An existing sandbox registry, by its id or its name, as it is now (docs/internals/platform.md, Sandbox registries). Needs contract
 * "extended". Fails if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getSandboxRegistry({ name: "support-agent" });
 */
export function getSandboxRegistry(
  args: GetSandboxRegistryArgs,
  options: FunctionOptions = {},
): Promise<GetSandboxRegistryResult> {
  return invoke(GET, args, options);
}

/** {@link getSandboxRegistry} for arguments that come from resources: not known at preview if one of them is not. */
export function getSandboxRegistryOutput(
  args: GetSandboxRegistryOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxRegistryResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("SandboxRegistry", resultOf);

/**
 * The sandbox registries of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not
 * after `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listSandboxRegistries()) console.log(found.id);
 */
export function listSandboxRegistries(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetSandboxRegistryResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listSandboxRegistries} as one array: not known at preview if an argument is not. */
export function listSandboxRegistriesOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxRegistryResult[]> {
  return listOutput(LIST, args, options);
}
