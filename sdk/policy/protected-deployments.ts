import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { defineRule, names } from "./settings";

/**
 * A policy sees declarations, not the steps that follow from them. So it requires the option `protect`, with which the engine itself refuses to
 * replace or delete a resource, at preview and in `up`.
 */
export const protectedDeployments = defineRule({
  name: "protected-deployments",
  description: "A deployment that counts as protected cannot be replaced or deleted by a change of the program.",
  kinds: ["Deployment"],
  settings: z.strictObject({
    deployments: names('The Pulumi names of the deployments that count as protected; "*" stands for any text.'),
  }),
  *problems({ name, isProtected }, { deployments }) {
    if (!isProtected && fitsOne(deployments, name))
      yield "protect: is not set, so a change of the program can replace this deployment, and its address, revisions and traces are lost. Set the resource option protect: true: the engine then refuses that";
  },
});
