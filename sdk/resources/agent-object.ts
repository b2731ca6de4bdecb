import * as pulumi from "@pulumi/pulumi";
import type { ResourceType } from "../../provider/resources/resource-types";
import { isFromPlatform } from "../functions/result";
import { tokenOf } from "../protocol";
import { Deployment } from "./deployment";

/** The arguments that identify the agent. */
export interface GivenAgent {
  deployment?: Deployment | undefined;
  deploymentId?: pulumi.Input<string> | undefined;
  url?: pulumi.Input<string | null | undefined> | undefined;
  customUrl?: pulumi.Input<string> | undefined;
  apiKey?: pulumi.Input<string> | undefined;
}

/** Which agent it is, its address, the address that the program declares, and the agent's key. What is left out comes from the deployment. */
export function addressOf({ deployment, deploymentId, url, customUrl, apiKey }: GivenAgent) {
  // A plain value counts as declared by the program, unless a function has read it from the platform.
  const isDeclared = typeof url === "string" && !isFromPlatform(url);
  return {
    deploymentId: deploymentId ?? deployment?.id,
    url: url ?? deployment?.url,
    customUrl: customUrl ?? (isDeclared ? url : deployment && Deployment.declaredUrl(deployment)),
    apiKey,
  };
}

/** The agent of these arguments; those that are left out come from the assistant. */
export function agentOf(args: GivenAgent, assistant: GivenAgent = {}): GivenAgent {
  return {
    deployment: args.deployment ?? assistant.deployment,
    deploymentId: args.deploymentId ?? assistant.deploymentId,
    url: args.url ?? assistant.url,
    customUrl: args.customUrl ?? assistant.customUrl,
    apiKey: args.apiKey ?? assistant.apiKey,
  };
}

/** The options with the connection of the owner, unless they name one: the agent gets that connection's key. */
export function withConnectionOf(
  owner: pulumi.CustomResource | undefined,
  kind: ResourceType,
  options: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  if (owner != null && !pulumi.Resource.isInstance(owner))
    throw new pulumi.RunError(
      `${kind}: deployment and assistant must be resources; to name one by its id, give deploymentId and url, or assistantId`,
    );
  const provider = options.provider ?? owner?.getProvider(tokenOf(kind));
  return pulumi.mergeOptions(provider && { provider }, options);
}
