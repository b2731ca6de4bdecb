// Generated from the table of OAuthProvider by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration, rowOfSecrets } from "../resource";

/** Arguments of an {@link OAuthProvider} (docs/internals/platform.md, OAuthProviderCreateRequest). */
export interface OAuthProviderArgs {
  /** The id that agents use. Unique in the organization. Changing this replaces the resource. */
  providerId: pulumi.Input<string>;
  /** A name for people to read. Under contract "documented" it cannot change in place. */
  name: pulumi.Input<string>;
  /** The client id at the authorization server. Under contract "documented" it cannot change in place. */
  clientId: pulumi.Input<string>;
  /**
   * The client secret. A change rotates it. Under contract "documented" it cannot change in place. Once set, it can be changed, but not
   * removed. The platform never returns it, so drift is not detected. Encrypted in state as a whole, never shown.
   */
  clientSecret?: pulumi.Input<string>;
  /** The authorization endpoint, as an absolute URL. Under contract "documented" it cannot change in place. */
  authUrl: pulumi.Input<string>;
  /** The token endpoint, as an absolute URL. Under contract "documented" it cannot change in place. */
  tokenUrl: pulumi.Input<string>;
  /** Whether to use PKCE. Under contract "documented" it cannot change in place. @default false */
  usesPkce?: pulumi.Input<boolean>;
  /** The PKCE challenge method: "S256" or "plain". Under contract "documented" it cannot change in place. @default "S256" */
  codeChallengeMethod?: pulumi.Input<"S256" | "plain" | (string & {})>;
  /** How the client authenticates at the token endpoint. Changing this replaces the resource. @default "client_secret_post" */
  tokenEndpointAuthMethod?: pulumi.Input<"none" | "client_secret_basic" | "client_secret_post">;
  /**
   * The kind of authorization server, if the platform treats it specially. Changing this replaces the resource. Once removed, it keeps its
   * value on the platform.
   */
  providerType?: pulumi.Input<"microsoft" | "salesforce" | "slack">;
  /** Parameters that the platform adds to each authorization request. Under contract "documented" it cannot change in place. */
  authorizationParams?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The URIs to which the platform may redirect after the sign-in, in any order. Under contract "documented" it cannot change in place.
   */
  allowedRedirectUris?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Fields of the platform that this version does not know, sent as they are. Not for secrets. Under contract "documented" it cannot change
   * in place.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this providerId (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "OAuthProvider",
  deletesFirst: true,
  inputs: [
    "providerId",
    "name",
    "clientId",
    "clientSecret",
    "authUrl",
    "tokenUrl",
    "usesPkce",
    "codeChallengeMethod",
    "tokenEndpointAuthMethod",
    "providerType",
    "authorizationParams",
    "allowedRedirectUris",
  ],
  computed: ["uuid", "organizationId", "mcpServerUrl", "isDynamicClient", "createdAt", "updatedAt"],
  secretInputs: ["clientSecret"],
  secretOutputs: ["clientSecret"],
} as const;

/**
 * An external authorization server that is registered for the organization. Its id is its `providerId`.
 *
 * @example
 * // people sign in at GitHub
 * import * as pulumi from "@pulumi/pulumi";
 * import { OAuthProvider } from "pulumi-agent-platform";
 *
 * const config = new pulumi.Config();
 *
 * const github = new OAuthProvider("github", {
 *   providerId: "github",
 *   name: "GitHub",
 *   clientId: "support-desk",
 *   clientSecret: config.requireSecret("githubClientSecret"),
 *   authUrl: "https://github.com/login/oauth/authorize",
 *   tokenUrl: "https://github.com/login/oauth/access_token",
 * });
 */
export class OAuthProvider extends pulumi.CustomResource {
  /** The id that agents use. Unique in the organization. */
  declare readonly providerId: pulumi.Output<string>;
  /** A name for people to read. */
  declare readonly name: pulumi.Output<string>;
  /** The client id at the authorization server. */
  declare readonly clientId: pulumi.Output<string>;
  /** The client secret. A change rotates it. */
  declare readonly clientSecret: pulumi.Output<string | undefined>;
  /** The authorization endpoint, as an absolute URL. */
  declare readonly authUrl: pulumi.Output<string>;
  /** The token endpoint, as an absolute URL. */
  declare readonly tokenUrl: pulumi.Output<string>;
  /** Whether to use PKCE. */
  declare readonly usesPkce: pulumi.Output<boolean | undefined>;
  /** The PKCE challenge method: "S256" or "plain". */
  declare readonly codeChallengeMethod: pulumi.Output<string | undefined>;
  /** How the client authenticates at the token endpoint. */
  declare readonly tokenEndpointAuthMethod: pulumi.Output<string | undefined>;
  /** The kind of authorization server, if the platform treats it specially. */
  declare readonly providerType: pulumi.Output<string | undefined>;
  /** Parameters that the platform adds to each authorization request. */
  declare readonly authorizationParams: pulumi.Output<Record<string, string> | undefined>;
  /** The URIs to which the platform may redirect after the sign-in, in any order. */
  declare readonly allowedRedirectUris: pulumi.Output<string[] | undefined>;
  /** The platform's own id. */
  declare readonly uuid: pulumi.Output<string | null>;
  /** The organization of the provider. */
  declare readonly organizationId: pulumi.Output<string | null>;
  /** The MCP server for which it was registered, if any. */
  declare readonly mcpServerUrl: pulumi.Output<string | null>;
  /** Whether the client was registered dynamically. */
  declare readonly isDynamicClient: pulumi.Output<boolean>;
  /** When the platform created it. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  /** An existing OAuth provider, by its providerId, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): OAuthProvider {
    return new OAuthProvider(name, undefined, { ...options, id });
  }

  constructor(name: string, args: OAuthProviderArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: OAuthProviderArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: OAuthProviderArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && { ...args, ...rowOfSecrets("OAuthProvider", name, args.clientSecret, options) };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
