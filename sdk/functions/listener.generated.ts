// Generated from the table of Listener by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import type { ComputeConfigArgs } from "../resources/listener.generated";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectOf } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which listener: exactly one of the two. */
export interface GetListenerArgs {
  /** The platform's UUID. */
  id?: string;
  /** The id that you gave the cluster. */
  computeId?: string;
}

/** {@link GetListenerArgs}, which may come from resources. */
export type GetListenerOutputArgs = OutputArgs<GetListenerArgs>;

/** A listener as it is on the platform. */
export class GetListenerResult extends ObjectResult {
  /** The platform's UUID, for a deployment's `sourceConfig.listenerId`. */
  declare readonly id: string;
  /** The id that you choose for the cluster, such as its name. Unique in the workspace. */
  declare readonly computeId: string;
  /** The kind of cluster. */
  declare readonly computeType: string | undefined;
  /** How the listener runs deployments. */
  declare readonly computeConfig: pulumi.Unwrap<ComputeConfigArgs>;
  /** The version that runs in the cluster; null if the platform does not say. */
  declare readonly version: string | null;
  /** When the platform created it. */
  declare readonly createdAt: string | null;
}

const resultOf = (found: ReadObject) => new GetListenerResult(found);

const GET = objectOf<GetListenerOutputArgs, GetListenerResult>("Listener", "computeId", resultOf);

/**
 * An existing listener, by its id or its computeId, as it is now (docs/internals/platform.md, Listeners). Needs contract "extended". Fails
 * if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getListener({ computeId: "support-agent" });
 */
export function getListener(args: GetListenerArgs, options: FunctionOptions = {}): Promise<GetListenerResult> {
  return invoke(GET, args, options);
}

/** {@link getListener} for arguments that come from resources: not known at preview if one of them is not. */
export function getListenerOutput(
  args: GetListenerOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetListenerResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("Listener", resultOf);

/**
 * The listeners of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not after
 * `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listListeners()) console.log(found.id);
 */
export function listListeners(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetListenerResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listListeners} as one array: not known at preview if an argument is not. */
export function listListenersOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetListenerResult[]> {
  return listOutput(LIST, args, options);
}
