import type * as pulumi from "@pulumi/pulumi";
import { checkNames, requiredText } from "../../provider/functions/arguments";
import type { Integration } from "../../provider/functions/values";
import { invoke, invokeOutput, type ReadingFunction } from "./invoke";
import type { FunctionOptions, OutputArgs } from "./options";

/** Which integration with GitHub. */
export interface GetGithubIntegrationArgs {
  /** The name of the GitHub account that the platform's app is installed for, as GitHub spells it. */
  name: string;
}

/** {@link GetGithubIntegrationArgs}, which may come from resources. */
export type GetGithubIntegrationOutputArgs = OutputArgs<GetGithubIntegrationArgs>;

/** An integration with GitHub as it is on the platform. */
export type GetGithubIntegrationResult = Integration;

const GET: ReadingFunction<GetGithubIntegrationOutputArgs, Promise<GetGithubIntegrationResult>> = {
  name: "getGithubIntegration",
  checked: (args) => {
    checkNames("getGithubIntegration", args, ["name"]);
    const name = requiredText("getGithubIntegration", "name", args.name);
    return (platform) => platform.githubIntegration(name);
  },
};

/**
 * An integration with GitHub, by its name (docs/internals/platform.md, Integrations). Needs contract "extended". Fails if there is none of this name, or more
 * than one, and before any request if the arguments or the connection are wrong.
 */
export function getGithubIntegration(
  args: GetGithubIntegrationArgs,
  options: FunctionOptions = {},
): Promise<GetGithubIntegrationResult> {
  return invoke(GET, args, options);
}

/** {@link getGithubIntegration} for arguments that come from resources: not known at preview if one of them is not. */
export function getGithubIntegrationOutput(
  args: GetGithubIntegrationOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetGithubIntegrationResult> {
  return invokeOutput(GET, args, options);
}
