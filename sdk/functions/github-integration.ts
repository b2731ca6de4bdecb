import type * as pulumi from "@pulumi/pulumi";
import type { JsonObject } from "../../provider/base/json";
import { checkNames, requiredText } from "../../provider/functions/arguments";
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
export class GetGithubIntegrationResult {
  /** The platform's UUID, for a deployment's `sourceConfig.integrationId`. */
  declare readonly id: string;
  declare readonly name: string;
  /** GitHub's number of the installation; null if the platform does not say. */
  declare readonly installationId: number | null;

  /** @internal */
  constructor(found: JsonObject) {
    Object.assign(this, found);
  }
}

const GET: ReadingFunction<GetGithubIntegrationOutputArgs, string, GetGithubIntegrationResult> = {
  name: "getGithubIntegration",
  check: (args) => {
    checkNames("getGithubIntegration", args, ["name"]);
    return requiredText("getGithubIntegration", "name", args.name);
  },
  read: async (platform, name) => new GetGithubIntegrationResult(await platform.githubIntegration(name)),
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
