import { sameJson, type Json } from "../../base/json";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import {
  adoptField,
  anyText,
  extra,
  fits,
  list,
  nullable,
  object,
  progressUrn,
  text,
  unless,
} from "../../lifecycle/fields/types";
import { outputs } from "../rows";

const key = fits(
  /^[A-Za-z_]\w*$/,
  "must be letters, digits and underscores that do not begin with a digit, like OPENAI_API_KEY",
);
const host = fits(
  /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/,
  'must be a host in lower case like "api.openai.com", or one with a leading "*." like "*.openai.com", without a scheme, a port or a path',
);
const header = fits(/^[\w!#$%&'*+.^`|~-]+$/, "must be the name of an HTTP header");
const template = fits(/\{value\}/, 'must contain "{value}", which stands for the secret');
const notEmpty = unless<string>((given) => given !== "", "must not be empty");

/** docs/internals/platform.md, Workspace secrets: what a request carries. */
export const workspaceSecretTable = table(
  {
    kind: "WorkspaceSecret",
    api: "sandbox",
    naturalKey: "key",
    undocumented: ["list", "create", "read", "update", "delete"],
    upserts: true,
    // No answer says when it was made, but two resources have never sent it at the same moment.
    incarnation: "rotatedAt",
    echoes: true,
    one: "workspace secret",
    summary:
      'A secret of the workspace that many agents and sandboxes share, such as the key of a model\'s provider. Its id is its `key`. Needs contract "extended".',
    description: "Arguments of a {@link WorkspaceSecret} (docs/internals/platform.md, Workspace secrets).",
    reading: {
      id: "The same as `key`.",
      idIsKey: true,
      key: "The name by which it is referred to.",
      result: ", which never shows its value",
      place: "docs/internals/platform.md, Workspace secrets",
      page: 100,
      cursor: true,
    },
  },
  {
    key: {
      type: text(255, key),
      description: "The name by which it is referred to, like OPENAI_API_KEY. Unique in the workspace.",
      required: true,
      replaceOn: "always",
    },
    value: {
      type: anyText(65_536, notEmpty),
      description: "The value. Changing it rotates it; changing anything else keeps it.",
      required: true,
      notReturned: "always",
      secret: true,
    },
    allowedHosts: {
      type: list(
        object(
          {
            hostPattern: {
              type: text(255, host),
              description: "The host; `*.` stands for all below it.",
              required: true,
            },
            headerName: {
              type: text(255, header),
              description: "The header with it.",
              defaultText: "the sender decides",
            },
            headerValueTemplate: {
              type: text(4096, template),
              description: 'The value of that header, such as "Bearer {value}".',
              defaultText: "the secret alone",
            },
          },
          { name: "AllowedHostArgs", description: "A host that may get a secret of the workspace." },
        ),
      ),
      description: "Where it may be sent, in any order. Without any, to the hosts that the platform knows for its key.",
      wire: "configs",
      equal: sameHosts,
      default: [],
    },
    extra,
    adopt: adoptField("key"),
    __progressUrn: progressUrn,
    ...outputs({
      rotatedAt: {
        type: nullable(text()),
        description:
          "When this program last sent the value (ISO 8601). As a deployment's `redeployTrigger`, it gives the agent a new revision after each rotation.",
        wire: false,
      },
      tenantId: { type: nullable(text()), description: "Its workspace, if the platform has named it.", wire: false },
    }),
  },
);

export type WorkspaceSecretInputs = InputsOf<typeof workspaceSecretTable.fields>;

/** The platform may list them in another order, and each once. */
function sameHosts(a: Json, b: Json): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  const isIn = (all: readonly Json[]) => (one: Json) => all.some((other) => sameJson(one, other));
  return a.every(isIn(b)) && b.every(isIn(a));
}
