import { toWireNames } from "../../lifecycle/fields/rename";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import { adoptField, anyText, choice, extra, fits, progressUrn, text, unless } from "../../lifecycle/fields/types";
import { changedOnly, restResource } from "../../lifecycle/rest/rest-resource";
import { PROBLEM } from "../../lifecycle/state";
import { createdAt, outputs, pulumiName, updatedAt } from "../rows";

/** docs/internals/platform.md, Sandbox registries: what a request carries, and what no answer shows. */
const sandboxRegistryTable = table(
  {
    kind: "SandboxRegistry",
    api: "sandbox",
    naturalKey: "name",
    undocumented: ["list", "create", "read", "update", "delete"],
    echoes: true,
    one: "sandbox registry",
    summary:
      'A private container registry, with a password or an AWS role for its images: a snapshot of sandboxes names it by its id, the platform\'s UUID. Needs contract "extended".',
    description: "Arguments of a {@link SandboxRegistry} (docs/internals/platform.md, Sandbox registries).",
    *rules({ authType = "DOCKER_CONFIG", awsRoleArn }) {
      const path = ["awsRoleArn"];
      if (awsRoleArn === undefined && authType === "AWS_ROLE")
        yield { path, reason: 'is required with authType "AWS_ROLE", instead of username and password' };
      if (awsRoleArn !== undefined && authType === "DOCKER_CONFIG")
        yield { path, reason: 'needs authType "AWS_ROLE"; without it, give username and password instead' };
    },
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
    name: pulumiName("Unique in the tenant. Changing it renames the registry in place."),
    url: { type: text(), description: 'The address of the registry, like "registry.example".', required: true },
    authType: {
      type: choice("DOCKER_CONFIG", "AWS_ROLE"),
      description: "Whether `username` and `password` open it, or `awsRoleArn`.",
      default: "DOCKER_CONFIG",
    },
    username: {
      type: text(),
      description: "The user who pulls.",
      required: true,
      unlessGiven: "awsRoleArn",
      notReturned: "always",
    },
    password: {
      type: anyText(
        16_384,
        unless((given) => given !== "", "must not be empty"),
      ),
      description: "The password or token of the user. Changing it rotates it; changing anything else keeps it.",
      required: true,
      unlessGiven: "awsRoleArn",
      notReturned: "always",
      secret: true,
    },
    awsRoleArn: {
      type: text(
        2048,
        fits(/^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/, 'must be like "arn:aws:iam::123456789012:role/a"'),
      ),
      description: 'The AWS role that pulls, with `authType: "AWS_ROLE"` alone.',
    },
    extra,
    adopt: adoptField("name"),
    __progressUrn: progressUrn,
    ...outputs({ createdAt, updatedAt }),
  },
);

const { fields } = sandboxRegistryTable;
const BY_ROLE = "opens by an AWS role, and no longer by its username and password";
type SandboxRegistryInputs = InputsOf<typeof fields>;

/** A registry of sandboxes: its user and its password are never shown. All of its endpoints belong to contract `extended`. */
export const sandboxRegistry = restResource<SandboxRegistryInputs>({
  table: sandboxRegistryTable,
  path: "/v2/sandboxes/registries",
  byName: true,
  items: "registries",
  // With user and password, the program need not name its authType, and a read does not count what it does not name.
  toProblem: ({ auth_type: now }, { username, [PROBLEM]: before }) =>
    typeof before === "string" ? before : username !== undefined && now === "AWS_ROLE" ? BY_ROLE : undefined,
  // A new authType takes all of its own with it, and the platform drops what the other one had.
  patch(inputs, changes, before) {
    const { authType = "DOCKER_CONFIG", username, password, awsRoleArn } = inputs;
    const isSwitched = changes.some(({ path: [name] }) => name === "authType" || name === PROBLEM);
    const all = isSwitched ? { authType, username, password, awsRoleArn } : {};
    const sent = changes.filter(({ removed, rule }) => !removed || rule.default !== undefined);
    return { ...changedOnly(sandboxRegistryTable, inputs, sent, before), ...toWireNames(fields, all) };
  },
});
