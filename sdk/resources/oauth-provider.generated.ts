// Generated from provider/resources/oauth-provider/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of an {@link OAuthProvider} (docs/platform.md, OAuthProviderCreateRequest). */
export interface OAuthProviderArgs {
  /** The id that agents use, unique in the organization. Changing this replaces the resource. */
  providerId: pulumi.Input<string>;
  /** Name for people. Under contract "documented" it cannot change in place. */
  name: pulumi.Input<string>;
  /** Client id at the authorization server. Under contract "documented" it cannot change in place. */
  clientId: pulumi.Input<string>;
  /**
   * Client secret. Changing it rotates it; changing anything else keeps it. Under contract "documented" it cannot change in place. Once
   * set, it can be changed, but not removed. Never returned by the platform: no drift is seen. Encrypted in state as a whole, never shown.
   */
  clientSecret?: pulumi.Input<string>;
  /** Authorization endpoint, an absolute URL. Under contract "documented" it cannot change in place. */
  authUrl: pulumi.Input<string>;
  /** Token endpoint, an absolute URL. Under contract "documented" it cannot change in place. */
  tokenUrl: pulumi.Input<string>;
  /** Whether PKCE is used. Under contract "documented" it cannot change in place. @default false */
  usesPkce?: pulumi.Input<boolean>;
  /** The challenge method of PKCE: "S256" or "plain". Under contract "documented" it cannot change in place. @default "S256" */
  codeChallengeMethod?: pulumi.Input<"S256" | "plain" | (string & {})>;
  /** How the client authenticates at the token endpoint. Changing this replaces the resource. @default "client_secret_post" */
  tokenEndpointAuthMethod?: pulumi.Input<"none" | "client_secret_basic" | "client_secret_post">;
  /**
   * The kind of authorization server, if the platform treats it in a way of its own. Changing this replaces the resource. Once removed, it
   * keeps its value on the platform.
   */
  providerType?: pulumi.Input<"microsoft" | "salesforce" | "slack">;
  /** Parameters that the platform adds to each request for authorization. Under contract "documented" it cannot change in place. */
  authorizationParams?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** The URIs that the platform may redirect to afterwards, in any order. Under contract "documented" it cannot change in place. */
  allowedRedirectUris?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Fields of the platform that this version does not know, in the platform's own names, merged into requests as given. Not for secrets.
   * Under contract "documented" it cannot change in place.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /**
   * Take over an existing object instead of failing: `true` for the one with this providerId (created if there is none), or its id. It is
   * made equal to the declaration; a difference that cannot be changed in place is an error. Can be removed later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}
