import { sameJson, sameMembers, type JsonObject } from "../../base/json";
import type { Problem } from "../../lifecycle/fields/fields";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import {
  adoptField,
  anyText,
  choice,
  entries,
  extra,
  flag,
  list,
  fits,
  inPath,
  nullable,
  oneOfKnown,
  progressUrn,
  text,
  checkedText,
  unless,
  url,
} from "../../lifecycle/fields/types";
import { createdAt, outputs, updatedAt } from "../rows";

const providerId = checkedText(
  { isNeverEmpty: true, most: 255 },
  fits(/^[^\s\p{Cc}/\\]*$/u, "must not contain spaces, slashes or control characters (it is part of a URL)"),
  inPath,
);

const CHALLENGE_METHODS: readonly string[] = ["S256", "plain"];

/** Inputs and defaults: docs/internals/platform.md, OAuthProviderCreateRequest; what PATCH cannot change: docs/internals/platform.md, PATCH of an OAuth provider. */
export const oauthProviderTable = table(
  {
    kind: "OAuthProvider",
    naturalKey: "providerId",
    undocumented: ["list", "read", "update", "delete"],
    incarnation: "uuid",
    echoes: true,
    one: "OAuth provider",
    summary: "An external authorization server that is registered for the organization. Its id is its `providerId`.",
    rules: secretWithoutUse,
    description: "Arguments of an {@link OAuthProvider} (docs/internals/platform.md, OAuthProviderCreateRequest).",
    reading: {
      id: "The same as `providerId`.",
      idIsKey: true,
      key: "The id that agents use; not the platform's UUID.",
      result: ", which never shows its client secret",
      place: "docs/internals/platform.md, OAuthProviderResponse",
    },
  },
  {
    providerId: {
      type: providerId,
      description: "The id that agents use. Unique in the organization.",
      required: true,
      replaceOn: "always",
    },
    name: { type: text(255), description: "A name for people to read.", required: true, replaceOn: "documented" },
    clientId: {
      type: text(1024),
      description: "The client id at the authorization server.",
      required: true,
      replaceOn: "documented",
    },
    clientSecret: {
      type: anyText(
        16_384,
        unless((given) => given !== "", "must not be empty; leave it out for a public client"),
      ),
      description: "The client secret. A change rotates it.",
      replaceOn: "documented",
      notReturned: "always",
      secret: true,
      onRemove: {
        refuse:
          "cannot be removed: the platform has no documented way to clear it. Keep it, or give the provider another providerId (which makes a new one)",
      },
    },
    authUrl: {
      type: url(),
      description: "The authorization endpoint, as an absolute URL.",
      required: true,
      replaceOn: "documented",
    },
    tokenUrl: {
      type: url(),
      description: "The token endpoint, as an absolute URL.",
      required: true,
      replaceOn: "documented",
    },
    usesPkce: { type: flag(), description: "Whether to use PKCE.", replaceOn: "documented", default: false },
    // Without PKCE there is no challenge, and an answer may say null.
    codeChallengeMethod: {
      type: oneOfKnown(
        CHALLENGE_METHODS,
        unless((given) => CHALLENGE_METHODS.includes(given), 'must be "S256" or "plain" (RFC 7636)'),
      ),
      description: 'The PKCE challenge method: "S256" or "plain".',
      replaceOn: "documented",
      default: "S256",
    },
    tokenEndpointAuthMethod: {
      type: choice("none", "client_secret_basic", "client_secret_post"),
      description: "How the client authenticates at the token endpoint.",
      replaceOn: "always",
      default: "client_secret_post",
    },
    // If it is not declared, the platform decides; states of earlier versions contain the platform's value.
    providerType: {
      type: choice("microsoft", "salesforce", "slack"),
      description: "The kind of authorization server, if the platform treats it specially.",
      replaceOn: "always",
      onRemove: "unmanage",
    },
    // The POST accepts neither of these two: a PATCH sends them after the creation.
    authorizationParams: {
      afterCreate: true,
      type: entries(anyText(4096)),
      description: "Parameters that the platform adds to each authorization request.",
      replaceOn: "documented",
      notReturned: "when-null",
      equal: sameJson,
      default: {},
    },
    allowedRedirectUris: {
      afterCreate: true,
      type: list(text(4096)),
      description: "The URIs to which the platform may redirect after the sign-in, in any order.",
      replaceOn: "documented",
      notReturned: "when-null",
      equal: sameMembers,
      default: [],
    },
    extra: { ...extra, replaceOn: "documented" },
    adopt: adoptField("providerId"),
    __progressUrn: progressUrn,
    ...outputs({
      uuid: { type: nullable(text()), description: "The platform's own id.", isStable: true, wire: "id" },
      organizationId: { type: nullable(text()), description: "The organization of the provider.", isStable: true },
      mcpServerUrl: { type: nullable(text()), description: "The MCP server for which it was registered, if any." },
      isDynamicClient: { type: flag(), description: "Whether the client was registered dynamically.", default: false },
      createdAt,
      updatedAt,
    }),
  },
);

export type OAuthProviderInputs = InputsOf<typeof oauthProviderTable.fields>;

/** Rules that no row can express: only some methods use a secret. */
function* secretWithoutUse({ clientSecret, tokenEndpointAuthMethod }: JsonObject): Generator<Problem> {
  if (clientSecret === undefined || tokenEndpointAuthMethod !== "none") return;
  const reason = 'is never used with tokenEndpointAuthMethod "none"; leave one of the two out';
  yield { path: ["clientSecret"], reason };
}
