import * as pulumi from "@pulumi/pulumi";
import type { ResourceType } from "../../provider/resources/resource-types";
import { isFromPlatform } from "../functions/result";
import { tokenOf } from "../protocol";
import { urnOf } from "../resource";
import { Deployment } from "./deployment";

/** The arguments that identify the agent. */
interface GivenAgent {
  deployment?: Deployment | undefined;
  deploymentId?: pulumi.Input<string> | undefined;
  url?: pulumi.Input<string | null | undefined> | undefined;
  customUrl?: pulumi.Input<string> | undefined;
  apiKey?: pulumi.Input<string> | undefined;
}

/** What the program gave for each assistant: the agent of what uses the assistant. */
export const agentOfAssistant = new WeakMap<pulumi.CustomResource, GivenAgent>();

/**
 * What a class registers for something on an agent: its place (which agent it is, its address, the address that the program declares, and the agent's
 * key), its row, and its options. What is left out comes from the assistant, and then from the deployment.
 */
export function onAgent(
  kind: ResourceType,
  name: string,
  { assistant, ...args }: GivenAgent & { readonly assistant?: pulumi.CustomResource | undefined },
  options: pulumi.CustomResourceOptions,
) {
  const from = (assistant && agentOfAssistant.get(assistant)) ?? {};
  const deployment = args.deployment ?? from.deployment;
  const url = args.url ?? from.url;
  // A plain value counts as declared by the program, unless a function has read it from the platform.
  const isDeclared = typeof url === "string" && !isFromPlatform(url);
  const declaredUrl = isDeclared ? url : deployment && Deployment.declaredUrl(deployment);
  const place = {
    deploymentId: args.deploymentId ?? from.deploymentId ?? deployment?.id,
    url: url ?? deployment?.url,
    customUrl: args.customUrl ?? from.customUrl ?? declaredUrl,
    apiKey: args.apiKey ?? from.apiKey,
    __progressUrn: urnOf(kind, name, options),
  };
  return { deployment, place, chosen: withConnectionOf(assistant ?? deployment, kind, options) };
}

/** The options with the connection of the owner, unless they name one: the agent gets that connection's key. */
function withConnectionOf(
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
