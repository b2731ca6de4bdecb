import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { takesNewestServer } from "../../provider/resources/deployment/sources";
import { read } from "./props";
import { defineRule, names } from "./settings";

const isDigest = (reference: string): boolean => /@[a-z0-9+._-]+:[0-9a-f]{32,}$/i.test(reference);

/** What is wrong with an image reference; undefined if a digest or a tag other than "latest" pins it. */
function looseness(reference: string, byDigest: boolean): string | undefined {
  if (isDigest(reference)) return undefined;
  if (byDigest) return "has no digest";
  // A colon before the last slash is a registry's port.
  const [, tag = ""] = reference.slice(reference.lastIndexOf("/") + 1).split(":");
  if (tag === "") return "has no tag";
  return tag.toLowerCase() === "latest" ? 'has the tag "latest"' : undefined;
}

const pinned = (kind: "SandboxTemplate" | "Deployment", name: string, path: string) =>
  defineRule({
    name,
    description: "An image is pinned by a tag or a digest.",
    kinds: [kind],
    settings: z.strictObject({
      digest: z.boolean().default(false).describe("Whether only a digest will do: any tag can be moved."),
    }),
    *problems({ props }, { digest }) {
      const reference = read(props, path);
      const loose = typeof reference === "string" ? looseness(reference, digest) : undefined;
      const remedy = digest ? 'a digest ("@sha256:...")' : 'a version (":1.4.0") or a digest ("@sha256:...")';
      if (loose !== undefined) yield `${path}: ${loose}, so what runs can change without a commit. Give it ${remedy}`;
    },
  });

export const pinnedTemplateImage = pinned("SandboxTemplate", "pinned-template-image", "image");
export const pinnedDeploymentImage = pinned("Deployment", "pinned-deployment-image", "sourceRevisionConfig.imageUri");

/**
 * The pin is `api_version` in the langgraph.json of the source, which no program can see. So the pack's settings list the deployments that
 * have it, and the rule is only advisory by default.
 */
export const pinnedServerVersion = defineRule({
  name: "pinned-server-version",
  description: "The langgraph.json of a deployment that the platform builds pins the version of the agent server.",
  enforcementLevel: "advisory",
  kinds: ["Deployment"],
  settings: z.strictObject({
    pinned: names(
      'The Pulumi names of the deployments whose langgraph.json pins api_version; "*" stands for any text.',
    ),
  }),
  *problems({ name, props }, { pinned: exempt }) {
    if (takesNewestServer(props) && !fitsOne(exempt, name))
      yield "sourceRevisionConfig.langgraphConfigPath: unless that file pins api_version, each new revision takes the newest agent server, so what runs can change without a commit. Set api_version there, and list this deployment in `pinned` of the settings of pinned-server-version";
  },
});
