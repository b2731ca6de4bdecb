import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../provider/lifecycle/fields/table";
import type { ResourceType } from "../../provider/resources/resource-types";
import { isFromPlatform } from "../functions/read-servers";
import { tokenOf } from "../protocol";
import { deletingBeforeReplace } from "../resource";
import { Deployment } from "./deployment";

/** Where an agent answers, as arguments have it. */
interface GivenAddress {
  url?: pulumi.Input<string | null> | undefined;
  customUrl?: pulumi.Input<string | undefined> | undefined;
}

/** The address of an agent, and what the program itself says of it: given, or that of the deployment. */
export function addressOf({ url, customUrl }: GivenAddress, deployment: Deployment | undefined) {
  // A plain value is the program's own, unless a function has read it from the platform.
  const isDeclared = typeof url === "string" && !isFromPlatform(url);
  return {
    url: url ?? deployment?.url,
    customUrl: customUrl ?? (isDeclared ? url : deployment && Deployment.declaredUrl(deployment)),
  };
}

/**
 * The options of an object that an agent keeps: the connection of its owner, since the agent gets its key; and what takes the object along when it is
 * deleted, so that nothing is asked of an agent that goes anyway.
 */
export function onAgent(
  kind: ResourceType,
  options: pulumi.CustomResourceOptions,
  owner: pulumi.CustomResource | undefined,
  properties: Properties,
): pulumi.CustomResourceOptions {
  const provider = options.provider ?? owner?.getProvider(tokenOf(kind));
  const own = { ...(owner && { deletedWith: owner }), ...(provider && { provider }) };
  return deletingBeforeReplace(kind, pulumi.mergeOptions(own, options), properties);
}
