import type * as pulumi from "@pulumi/pulumi";
import type { OAuthProvider } from "../resources/oauth-provider";
import { checkNames, text } from "./arguments";
import { lookUp, lookUpOutput, type FunctionOptions, type Lookup } from "./lookup";
import { ObjectResult, type Shown } from "./result";

/** Which OAuth provider. */
export interface GetOAuthProviderArgs {
  /** The id that agents use; not the platform's UUID. */
  providerId: string;
}

/** {@link GetOAuthProviderArgs}, which may come from resources. */
export interface GetOAuthProviderOutputArgs {
  /** The id that agents use; not the platform's UUID. */
  providerId: pulumi.Input<string>;
}

/** An OAuth provider as it is on the platform, which never shows its client secret. */
export class GetOAuthProviderResult extends ObjectResult implements Shown<OAuthProvider, "clientSecret"> {
  /** The same as `providerId`. */
  declare readonly id: string;
  declare readonly providerId: string;
  /** Name for people. */
  declare readonly name: string;
  declare readonly clientId: string;
  /** Authorization endpoint. */
  declare readonly authUrl: string;
  /** Token endpoint. */
  declare readonly tokenUrl: string;
  declare readonly usesPkce: boolean | undefined;
  declare readonly codeChallengeMethod: string | undefined;
  /** "none", "client_secret_basic" or "client_secret_post". */
  declare readonly tokenEndpointAuthMethod: string | undefined;
  /** The platform's own identifier. */
  declare readonly uuid: string | null;
  declare readonly organizationId: string | null;
  declare readonly providerType: string | null;
  declare readonly mcpServerUrl: string | null;
  declare readonly isDynamicClient: boolean;
  /** When the platform made it (ISO 8601). */
  declare readonly createdAt: string | null;
  /** When it was last changed (ISO 8601). */
  declare readonly updatedAt: string | null;
}

const LOOKUP: Lookup<GetOAuthProviderOutputArgs, string, GetOAuthProviderResult> = {
  name: "getOAuthProvider",
  check: (args) => {
    checkNames("getOAuthProvider", args, ["providerId"]);
    return text("getOAuthProvider", "providerId", args.providerId);
  },
  read: async (platform, id) => new GetOAuthProviderResult(await platform.reader("OAuthProvider").get({ id })),
};

/**
 * An existing OAuth provider, by its providerId, as it is now (docs/platform.md, OAuthProviderResponse). Needs contract "extended".
 * Fails where it does not exist, and before any request where the arguments or the connection are wrong.
 */
export function getOAuthProvider(
  args: GetOAuthProviderArgs,
  options: FunctionOptions = {},
): Promise<GetOAuthProviderResult> {
  return lookUp(LOOKUP, args, options);
}

/** {@link getOAuthProvider} for arguments that come from resources: not known at preview where one of them is not. */
export function getOAuthProviderOutput(
  args: GetOAuthProviderOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetOAuthProviderResult> {
  return lookUpOutput(LOOKUP, args, options);
}
