// Generated from the table of SandboxVolume by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectOf } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which sandbox volume: exactly one of the two. */
export interface GetSandboxVolumeArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its name. */
  name?: string;
}

/** {@link GetSandboxVolumeArgs}, which may come from resources. */
export type GetSandboxVolumeOutputArgs = OutputArgs<GetSandboxVolumeArgs>;

/** A sandbox volume as it is on the platform. */
export class GetSandboxVolumeResult extends ObjectResult {
  /** The platform's UUID. */
  declare readonly id: string;
  /** Unique in the workspace. */
  declare readonly name: string;
  /**
   * Its size in bytes, which the platform rounds up to a whole GiB. A clone has that of its source. It cannot change unless `name` does.
   */
  declare readonly sizeBytes: number | undefined;
  /** What it is for. */
  declare readonly description: string | undefined;
  /** Labels of your own. One that the program does not have is removed. */
  declare readonly labels: Record<string, string> | undefined;
  /** The id of the volume that it was cloned from; null for any other. */
  declare readonly sourceVolumeId: string | null;
  /** When the platform created it. */
  declare readonly createdAt: string | null;
  /** When it was last changed. */
  declare readonly updatedAt: string | null;
  /** "provisioning", "ready" or "failed"; null if the platform names none. */
  declare readonly status: string | null;
}

const resultOf = (found: ReadObject) => new GetSandboxVolumeResult(found);

const GET = objectOf<GetSandboxVolumeOutputArgs, GetSandboxVolumeResult>("SandboxVolume", "name", resultOf);

/**
 * An existing sandbox volume, by its id or its name, as it is now (docs/internals/platform.md, Sandbox volumes). Needs contract "extended".
 * Fails if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getSandboxVolume({ name: "support-agent" });
 */
export function getSandboxVolume(
  args: GetSandboxVolumeArgs,
  options: FunctionOptions = {},
): Promise<GetSandboxVolumeResult> {
  return invoke(GET, args, options);
}

/** {@link getSandboxVolume} for arguments that come from resources: not known at preview if one of them is not. */
export function getSandboxVolumeOutput(
  args: GetSandboxVolumeOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxVolumeResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("SandboxVolume", resultOf);

/**
 * The sandbox volumes of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not after
 * `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listSandboxVolumes()) console.log(found.id);
 */
export function listSandboxVolumes(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetSandboxVolumeResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listSandboxVolumes} as one array: not known at preview if an argument is not. */
export function listSandboxVolumesOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxVolumeResult[]> {
  return listOutput(LIST, args, options);
}
