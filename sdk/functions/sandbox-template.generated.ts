// Generated from the table of SandboxTemplate by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import type { ProxyConfigArgs, ResourceSpecArgs, VolumeMountArgs } from "../resources/sandbox-template.generated";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectOf } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which sandbox template: exactly one of the two. */
export interface GetSandboxTemplateArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its name. */
  name?: string;
}

/** {@link GetSandboxTemplateArgs}, which may come from resources. */
export type GetSandboxTemplateOutputArgs = OutputArgs<GetSandboxTemplateArgs>;

/** A sandbox template as it is on the platform, which spells the quantities in its own way. */
export class GetSandboxTemplateResult extends ObjectResult {
  /** The platform's UUID; on old rows its name. */
  declare readonly id: string;
  /** A DNS-1035 name of at most 63 characters, unique in the tenant. */
  declare readonly name: string;
  /** The container image of the sandbox. */
  declare readonly image: string;
  /** Resource limits. */
  declare readonly resources: pulumi.Unwrap<ResourceSpecArgs>;
  /** Volumes. */
  declare readonly volumeMounts: pulumi.Unwrap<VolumeMountArgs>[] | undefined;
  /** The proxy sidecar. */
  declare readonly proxyConfig: pulumi.Unwrap<ProxyConfigArgs> | undefined;
  /** When the platform created it, as the platform writes it; null for old templates. */
  declare readonly createdAt: string | null;
  /** When it was last changed; null for old templates. */
  declare readonly updatedAt: string | null;
}

const resultOf = (found: ReadObject) => new GetSandboxTemplateResult(found);

const GET = objectOf<GetSandboxTemplateOutputArgs, GetSandboxTemplateResult>("SandboxTemplate", "name", resultOf);

/**
 * An existing sandbox template, by its id or its name, as it is now (docs/internals/platform.md, SandboxTemplate). Fails if it does not
 * exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getSandboxTemplate({ name: "support-agent" });
 */
export function getSandboxTemplate(
  args: GetSandboxTemplateArgs,
  options: FunctionOptions = {},
): Promise<GetSandboxTemplateResult> {
  return invoke(GET, args, options);
}

/** {@link getSandboxTemplate} for arguments that come from resources: not known at preview if one of them is not. */
export function getSandboxTemplateOutput(
  args: GetSandboxTemplateOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxTemplateResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("SandboxTemplate", resultOf);

/**
 * The sandbox templates of the tenant, in the platform's order, for `for await`: a page of 500 is requested when it is needed, and not
 * after `maximum` (docs/internals/platform.md, Lists). Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listSandboxTemplates()) console.log(found.id);
 */
export function listSandboxTemplates(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetSandboxTemplateResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listSandboxTemplates} as one array: not known at preview if an argument is not. */
export function listSandboxTemplatesOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxTemplateResult[]> {
  return listOutput(LIST, args, options);
}
