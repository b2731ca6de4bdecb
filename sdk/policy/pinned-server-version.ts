import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { takesNewestServer } from "../../provider/resources/deployment/sources";
import { defineRule } from "./rule";
import { ruleSettings } from "./settings";

/**
 * The pin is `api_version` in the langgraph.json of the source, which no program can see. So the pack's settings list the deployments that
 * have it, and the rule is only advisory by default.
 */
export const pinnedServerVersion = defineRule({
  name: "pinned-server-version",
  description: "The langgraph.json of a deployment that the platform builds pins the version of the agent server.",
  enforcementLevel: "advisory",
  kinds: ["Deployment"],
  settings: ruleSettings(
    z.strictObject({
      pinned: z
        .array(z.string())
        .default([])
        .describe(
          'The Pulumi names of the deployments whose langgraph.json pins api_version; "*" stands for any text.',
        ),
    }),
  ),
  problems: ({ name, props }, { pinned }) =>
    takesNewestServer(props) && !fitsOne(pinned, name)
      ? [
          "sourceRevisionConfig.langgraphConfigPath: unless that file pins api_version, each new revision takes the newest agent server, so what runs can change without a commit. Set api_version there, and list this deployment in `pinned` of the settings of pinned-server-version",
        ]
      : [],
});
