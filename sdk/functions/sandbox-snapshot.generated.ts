// Generated from the table of SandboxSnapshot by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectOf } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which sandbox snapshot: exactly one of the two. */
export interface GetSandboxSnapshotArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its name and tag, `name:tag`; a name alone means `name:latest`, or without that its newest ready snapshot that has no tag. */
  name?: string;
}

/** {@link GetSandboxSnapshotArgs}, which may come from resources. */
export type GetSandboxSnapshotOutputArgs = OutputArgs<GetSandboxSnapshotArgs>;

/** A sandbox snapshot as it is on the platform. */
export class GetSandboxSnapshotResult extends ObjectResult {
  /** The platform's UUID. */
  declare readonly id: string;
  /** Its name, which several snapshots may have. */
  declare readonly name: string;
  /** The image that it is built from. */
  declare readonly dockerImage: string;
  /** Size of the file system, in bytes. */
  declare readonly fsCapacityBytes: number;
  /** A tag: the newest snapshot of a name with this tag has it, and an older one loses it. */
  declare readonly tag: string | undefined;
  /** Labels of your own, over those of the image. */
  declare readonly labels: Record<string, string> | undefined;
  /** What it can do, for agents. */
  declare readonly description: string | undefined;
  /** The id of the SandboxRegistry with the credentials for the image. */
  declare readonly registryId: string | null | undefined;
  /** The digest of the image that it was built from. */
  declare readonly imageDigest: string | null;
  /** How many bytes of the file system are in use. */
  declare readonly fsUsedBytes: number | null;
  /** When the platform created it. */
  declare readonly createdAt: string | null;
  /** "building", "ready", "failed" or "deleting"; null if the platform names none. */
  declare readonly status: string | null;
}

const resultOf = (found: ReadObject) => new GetSandboxSnapshotResult(found);

const GET = objectOf<GetSandboxSnapshotOutputArgs, GetSandboxSnapshotResult>("SandboxSnapshot", "name", resultOf);

/**
 * An existing sandbox snapshot, by its id or its name, as it is now (docs/internals/platform.md, Sandbox snapshots). Needs contract
 * "extended". Fails if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getSandboxSnapshot({ name: "support-agent" });
 */
export function getSandboxSnapshot(
  args: GetSandboxSnapshotArgs,
  options: FunctionOptions = {},
): Promise<GetSandboxSnapshotResult> {
  return invoke(GET, args, options);
}

/** {@link getSandboxSnapshot} for arguments that come from resources: not known at preview if one of them is not. */
export function getSandboxSnapshotOutput(
  args: GetSandboxSnapshotOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxSnapshotResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("SandboxSnapshot", resultOf);

/**
 * The sandbox snapshots of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not
 * after `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listSandboxSnapshots()) console.log(found.id);
 */
export function listSandboxSnapshots(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetSandboxSnapshotResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listSandboxSnapshots} as one array: not known at preview if an argument is not. */
export function listSandboxSnapshotsOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxSnapshotResult[]> {
  return listOutput(LIST, args, options);
}
