import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../../provider/kinds";
import { deletingBeforeReplace, knowAbsent, refuseImport, registered, secret, warnOfIgnored } from "../resource";

/** Arguments of an {@link OAuthProvider} (docs/platform.md, OAuthProviderCreateRequest). Under contract "documented" nothing can change under the same providerId. */
export interface OAuthProviderArgs {
  /** The id that agents use, one of its kind in the organization. Changing this replaces the resource. */
  providerId: pulumi.Input<string>;
  /** Name for people. */
  name: pulumi.Input<string>;
  /** Client id at the authorization server. */
  clientId: pulumi.Input<string>;
  /** Client secret: encrypted in state, never returned by the platform. A change rotates it; a change of anything else keeps it. It cannot be removed. */
  clientSecret?: pulumi.Input<string>;
  /** Authorization endpoint, an absolute URL. */
  authUrl: pulumi.Input<string>;
  /** Token endpoint, an absolute URL. */
  tokenUrl: pulumi.Input<string>;
  /** Whether PKCE is used. @default false */
  usesPkce?: pulumi.Input<boolean>;
  /** The challenge method of PKCE. @default "S256" */
  codeChallengeMethod?: pulumi.Input<string>;
  /** How the client authenticates at the token endpoint. Changing this replaces the resource. @default "client_secret_post" */
  tokenEndpointAuthMethod?: pulumi.Input<"none" | "client_secret_basic" | "client_secret_post">;
  /**
   * Take over an object that exists already instead of failing: `true` for the one of this providerId (made where there is none), or its
   * id. It is made equal to the declaration; what cannot be changed in place is an error. Can be removed again later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = typeToken("OAuthProvider");
const PROPERTIES = {
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
  ],
  computed: ["uuid", "organizationId", "providerType", "mcpServerUrl", "isDynamicClient", "createdAt", "updatedAt"],
};

/** An external authorization server, registered for the organization. Its id is its providerId. */
export class OAuthProvider extends pulumi.CustomResource {
  declare readonly providerId: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  declare readonly clientId: pulumi.Output<string>;
  /** The declared secret; the platform never returns one. */
  declare readonly clientSecret: pulumi.Output<string | undefined>;
  declare readonly authUrl: pulumi.Output<string>;
  declare readonly tokenUrl: pulumi.Output<string>;
  declare readonly usesPkce: pulumi.Output<boolean | undefined>;
  declare readonly codeChallengeMethod: pulumi.Output<string | undefined>;
  declare readonly tokenEndpointAuthMethod: pulumi.Output<string | undefined>;
  /** The platform's own identifier. */
  declare readonly uuid: pulumi.Output<string | null>;
  declare readonly organizationId: pulumi.Output<string | null>;
  declare readonly providerType: pulumi.Output<string | null>;
  declare readonly mcpServerUrl: pulumi.Output<string | null>;
  declare readonly isDynamicClient: pulumi.Output<boolean>;
  /** When the platform made it (ISO 8601). */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed (ISO 8601). */
  declare readonly updatedAt: pulumi.Output<string | null>;

  /** An existing provider, by its providerId, read and not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): OAuthProvider {
    return new OAuthProvider(name, undefined, { ...options, id });
  }

  constructor(name: string, args: OAuthProviderArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: OAuthProviderArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: OAuthProviderArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    refuseImport("OAuthProvider", name, options);
    const inputs = args && { ...args, clientSecret: secret(args.clientSecret) };
    super(
      TYPE,
      name,
      registered("OAuthProvider", inputs, PROPERTIES),
      deletingBeforeReplace(options, ["clientSecret"]),
    );
    knowAbsent(this, inputs, PROPERTIES);
    warnOfIgnored(this, `OAuthProvider "${name}"`, options);
  }
}
