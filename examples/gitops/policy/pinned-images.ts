import { read, type Rule } from "./props";

/** What is wrong with an image reference; undefined if a digest or a tag other than "latest" pins it. */
function looseness(reference: string): string | undefined {
  if (/@[a-z0-9+._-]+:[0-9a-f]{32,}$/i.test(reference)) return undefined;
  // A colon before the last slash is a registry's port.
  const [, tag = ""] = reference.slice(reference.lastIndexOf("/") + 1).split(":");
  if (tag === "") return "has no tag";
  return tag.toLowerCase() === "latest" ? 'has the tag "latest"' : undefined;
}

function pinned(path: string, kind: string): Rule {
  return {
    name: `pinned-${kind === "Deployment" ? "deployment" : "template"}-image`,
    description: "An image is pinned by a tag or a digest.",
    kinds: [kind],
    problems: (props) => {
      const reference = read(props, path);
      const loose = typeof reference === "string" ? looseness(reference) : undefined;
      return loose === undefined
        ? []
        : [
            `${path}: ${loose}, so what runs can change without a commit. Give it a version (":1.4.0") or a digest ("@sha256:...")`,
          ];
    },
  };
}

export const pinnedImages: readonly Rule[] = [
  pinned("image", "SandboxTemplate"),
  pinned("sourceRevisionConfig.imageUri", "Deployment"),
];
