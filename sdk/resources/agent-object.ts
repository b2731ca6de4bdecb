import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../provider/lifecycle/fields/table";
import type { ResourceType } from "../../provider/resources/resource-types";
import { isFromPlatform } from "../functions/read-servers";
import { tokenOf } from "../protocol";
import { deletingBeforeReplace } from "../resource";
import { Deployment } from "./deployment";

/** What arguments say of whose agent is meant. */
export interface GivenAgent {
  deployment?: Deployment | undefined;
  deploymentId?: pulumi.Input<string> | undefined;
  url?: pulumi.Input<string | null | undefined> | undefined;
  customUrl?: pulumi.Input<string> | undefined;
  apiKey?: pulumi.Input<string> | undefined;
}

/** Where the agent answers, what the program itself says of that, and its key. What is left out is that of the deployment. */
export function addressOf({ deployment, url, customUrl, apiKey }: GivenAgent) {
  // A plain value is the program's own, unless a function has read it from the platform.
  const isDeclared = typeof url === "string" && !isFromPlatform(url);
  return {
    url: url ?? deployment?.url,
    customUrl: customUrl ?? (isDeclared ? url : deployment && Deployment.declaredUrl(deployment)),
    apiKey,
  };
}

/** The agent that arguments name; what they leave out is that of the assistant. */
export function agentOf(args: GivenAgent, assistant: GivenAgent = {}): GivenAgent {
  return {
    deployment: args.deployment ?? assistant.deployment,
    deploymentId: args.deploymentId ?? assistant.deploymentId,
    url: args.url ?? assistant.url,
    customUrl: args.customUrl ?? assistant.customUrl,
    apiKey: args.apiKey ?? assistant.apiKey,
  };
}

/** The options of an object that an agent keeps: the connection of its owner, since the agent gets its key. */
export function onAgent(
  kind: ResourceType,
  options: pulumi.CustomResourceOptions,
  owner: pulumi.CustomResource | undefined,
  properties: Properties,
): pulumi.CustomResourceOptions {
  const provider = options.provider ?? owner?.getProvider(tokenOf(kind));
  return deletingBeforeReplace(kind, pulumi.mergeOptions(provider && { provider }, options), properties);
}
