import { table, type InputsOf } from "../../lifecycle/fields/table";
import { adoptField, extra, progressUrn, text, unless, value } from "../../lifecycle/fields/types";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { createdAt, outputs, updatedAt } from "../rows";

/** docs/internals/platform.md, Sandbox registries: what a request carries, and what no answer shows. */
export const sandboxRegistryTable = table(
  {
    kind: "SandboxRegistry",
    api: "sandbox",
    naturalKey: "name",
    undocumented: ["list", "create", "read", "update", "delete"],
    echoes: true,
    one: "sandbox registry",
    summary:
      'A private container registry, with the credentials for its images: a snapshot of sandboxes names it by its id, the platform\'s UUID. Needs contract "extended".',
    description: "Arguments of a {@link SandboxRegistry} (docs/internals/platform.md, Sandbox registries).",
    reading: {
      id: "The platform's UUID, for a snapshot's `registryId`.",
      foundBy: "its id or its name",
      result: ", which never shows its credentials",
      place: "docs/internals/platform.md, Sandbox registries",
      page: 100,
      cursor: true,
    },
  },
  {
    name: {
      type: text(255),
      description: "Unique in the tenant. Changing it renames the registry in place.",
      required: true,
      defaultText: "the Pulumi name",
    },
    url: { type: text(), description: 'The address of the registry, like "registry.example".', required: true },
    username: {
      type: text(),
      description: "The user who pulls.",
      required: true,
      notReturned: "always",
      writeOnly: true,
    },
    password: {
      type: value(
        16_384,
        unless((given) => given !== "", "must not be empty"),
      ),
      description: "The password or token of the user. Changing it rotates it; changing anything else keeps it.",
      required: true,
      notReturned: "always",
      writeOnly: true,
      secret: true,
    },
    extra,
    adopt: adoptField("name"),
    __progressUrn: { ...progressUrn, keptInOutputs: true },
    ...outputs({ createdAt, updatedAt }),
  },
);

/** A registry of sandboxes: only its name and its address are ever shown. All of its endpoints belong to contract `extended`. */
export const sandboxRegistry = restResource<InputsOf<typeof sandboxRegistryTable.fields>>({
  table: sandboxRegistryTable,
  path: "/v2/sandboxes/registries",
  byName: true,
  items: "registries",
});
