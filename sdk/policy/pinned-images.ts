import { z } from "zod";
import { read } from "./props";
import { defineRule } from "./rule";
import { ruleSettings } from "./settings";

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
    settings: ruleSettings(
      z.strictObject({
        digest: z.boolean().default(false).describe("Whether only a digest will do: any tag can be moved."),
      }),
    ),
    problems: ({ props }, { digest }) => {
      const reference = read(props, path);
      const loose = typeof reference === "string" ? looseness(reference, digest) : undefined;
      const remedy = digest ? 'a digest ("@sha256:...")' : 'a version (":1.4.0") or a digest ("@sha256:...")';
      return loose === undefined
        ? []
        : [`${path}: ${loose}, so what runs can change without a commit. Give it ${remedy}`];
    },
  });

export const pinnedTemplateImage = pinned("SandboxTemplate", "pinned-template-image", "image");
export const pinnedDeploymentImage = pinned("Deployment", "pinned-deployment-image", "sourceRevisionConfig.imageUri");
