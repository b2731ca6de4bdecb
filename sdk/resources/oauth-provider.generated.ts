// Generated from provider/resources/oauth-provider/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of an {@link OAuthProvider} (docs/internals/platform.md, OAuthProviderCreateRequest). */
export interface OAuthProviderArgs {
  /** The id that agents use. Unique in the organization. Changing this replaces the resource. */
  providerId: pulumi.Input<string>;
  /** A name for people to read. Under contract "documented" it cannot change in place. */
  name: pulumi.Input<string>;
  /** The client id at the authorization server. Under contract "documented" it cannot change in place. */
  clientId: pulumi.Input<string>;
  /**
   * The client secret. Changing it rotates it; changing anything else keeps it. Under contract "documented" it cannot change in place. Once
   * set, it can be changed, but not removed. The platform never returns it, so drift is not detected. Encrypted in state as a whole, never
   * shown.
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
   * Fields of the platform that this version does not know, with the platform's own names. They are merged into requests as they are. Not
   * for secrets. Under contract "documented" it cannot change in place.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /**
   * Take over an existing object instead of failing: `true` for the one with this providerId (if there is none, it is created), or its id.
   * The object is changed to match the declaration; a difference that cannot be changed in place is an error. You can remove this argument
   * later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}
