// Generated from the table of PlatformAgent by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectByKey } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which agent. */
export interface GetPlatformAgentArgs {
  /** The id that you gave it; not the platform's UUID. */
  agentId: string;
}

/** {@link GetPlatformAgentArgs}, which may come from resources. */
export type GetPlatformAgentOutputArgs = OutputArgs<GetPlatformAgentArgs>;

/** An agent as it is on the platform. */
export class GetPlatformAgentResult extends ObjectResult {
  /** The same as `agentId`. */
  declare readonly id: string;
  /** 1 to 63 of a-z, 0-9 and hyphens; begins with a letter, ends with a letter or digit. Unique in the workspace. */
  declare readonly agentId: string;
  /** A name for people to read. */
  declare readonly name: string | undefined;
  /** What it is. */
  declare readonly agentType: string | undefined;
  /** Where it runs. It can change only from "EXTERNAL". */
  declare readonly sourceType: string | undefined;
  /** The user who owns it; null for nobody (not in YAML). */
  declare readonly ownerId: string | null | undefined;
  /** Whether it has only the environment "PRODUCTION". For sourceType "FLEET" alone. */
  declare readonly productionOnly: boolean | undefined;
  /** The platform's own id, which no other agent gets later. */
  declare readonly agentUuid: string | null;
  /** Its environments, as far as the key may read them. */
  declare readonly environments: pulumi.Unwrap<{
    id: pulumi.Input<string>;
    environment: pulumi.Input<string>;
    tracingProjectId: pulumi.Input<string>;
    tracingProjectName: pulumi.Input<string>;
  }>[];
  /** When the platform created it. */
  declare readonly createdAt: string | null;
}

const resultOf = (found: ReadObject) => new GetPlatformAgentResult(found);

const GET = objectByKey<GetPlatformAgentOutputArgs, GetPlatformAgentResult>("PlatformAgent", "agentId", resultOf);

/**
 * An existing agent, by its agentId, as it is now (docs/internals/platform.md, Agents). Needs contract "extended". Fails if it does not
 * exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getPlatformAgent({ agentId: "support-agent" });
 */
export function getPlatformAgent(
  args: GetPlatformAgentArgs,
  options: FunctionOptions = {},
): Promise<GetPlatformAgentResult> {
  return invoke(GET, args, options);
}

/** {@link getPlatformAgent} for arguments that come from resources: not known at preview if one of them is not. */
export function getPlatformAgentOutput(
  args: GetPlatformAgentOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetPlatformAgentResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("PlatformAgent", resultOf);

/**
 * The agents of the tenant, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not after `maximum`
 * (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listPlatformAgents()) console.log(found.id);
 */
export function listPlatformAgents(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetPlatformAgentResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listPlatformAgents} as one array: not known at preview if an argument is not. */
export function listPlatformAgentsOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetPlatformAgentResult[]> {
  return listOutput(LIST, args, options);
}
