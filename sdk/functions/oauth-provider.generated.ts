// Generated from the table of OAuthProvider by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { objectByKey } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

/** Which OAuth provider. */
export interface GetOAuthProviderArgs {
  /** The id that agents use; not the platform's UUID. */
  providerId: string;
}

/** {@link GetOAuthProviderArgs}, which may come from resources. */
export type GetOAuthProviderOutputArgs = OutputArgs<GetOAuthProviderArgs>;

/** An OAuth provider as it is on the platform, which never shows its client secret. */
export class GetOAuthProviderResult extends ObjectResult {
  /** The same as `providerId`. */
  declare readonly id: string;
  /** The id that agents use. Unique in the organization. */
  declare readonly providerId: string;
  /** A name for people to read. */
  declare readonly name: string;
  /** The client id at the authorization server. */
  declare readonly clientId: string;
  /** The authorization endpoint, as an absolute URL. */
  declare readonly authUrl: string;
  /** The token endpoint, as an absolute URL. */
  declare readonly tokenUrl: string;
  /** Whether to use PKCE. */
  declare readonly usesPkce: boolean | undefined;
  /** The PKCE challenge method: "S256" or "plain". */
  declare readonly codeChallengeMethod: string | undefined;
  /** How the client authenticates at the token endpoint. */
  declare readonly tokenEndpointAuthMethod: string | undefined;
  /** The kind of authorization server, if the platform treats it specially. */
  declare readonly providerType: string | undefined;
  /** Parameters that the platform adds to each authorization request. */
  declare readonly authorizationParams: Record<string, string> | undefined;
  /** The URIs to which the platform may redirect after the sign-in, in any order. */
  declare readonly allowedRedirectUris: string[] | undefined;
  /** The platform's own id. */
  declare readonly uuid: string | null;
  /** The organization of the provider. */
  declare readonly organizationId: string | null;
  /** The MCP server for which it was registered, if any. */
  declare readonly mcpServerUrl: string | null;
  /** Whether the client was registered dynamically. */
  declare readonly isDynamicClient: boolean;
  /** When the platform created it. */
  declare readonly createdAt: string | null;
  /** When it was last changed. */
  declare readonly updatedAt: string | null;
}

const resultOf = (found: ReadObject) => new GetOAuthProviderResult(found);

const GET = objectByKey<GetOAuthProviderOutputArgs, GetOAuthProviderResult>("OAuthProvider", "providerId", resultOf);

/**
 * An existing OAuth provider, by its providerId, as it is now (docs/internals/platform.md, OAuthProviderResponse). Needs contract
 * "extended". Fails if it does not exist, and before any request if the arguments or the connection are wrong.
 *
 * @example
 * const found = await getOAuthProvider({ providerId: "support-agent" });
 */
export function getOAuthProvider(
  args: GetOAuthProviderArgs,
  options: FunctionOptions = {},
): Promise<GetOAuthProviderResult> {
  return invoke(GET, args, options);
}

/** {@link getOAuthProvider} for arguments that come from resources: not known at preview if one of them is not. */
export function getOAuthProviderOutput(
  args: GetOAuthProviderOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetOAuthProviderResult> {
  return invokeOutput(GET, args, options);
}

const LIST = objectsOf("OAuthProvider", resultOf);

/**
 * The OAuth providers of the tenant, in the platform's order, for `for await`: all are one request (docs/internals/platform.md, Lists).
 * Needs contract "extended". Throws at once if the arguments are wrong.
 *
 * @example
 * for await (const found of listOAuthProviders()) console.log(found.id);
 */
export function listOAuthProviders(
  args: ListArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetOAuthProviderResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listOAuthProviders} as one array: not known at preview if an argument is not. */
export function listOAuthProvidersOutput(
  args: ListOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetOAuthProviderResult[]> {
  return listOutput(LIST, args, options);
}
