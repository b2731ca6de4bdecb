import * as pulumi from "@pulumi/pulumi";

/** How to reach a platform. Each setting falls back to the stack's configuration (`agent-platform:<name>`), then to the environment (`AGENT_PLATFORM_<NAME>`). */
export interface PlatformArgs {
  /** Base URL of the control plane. Beats `region`. */
  baseUrl?: pulumi.Input<string>;
  /** The region, whose address is `baseUrlUs` or `baseUrlEu`. */
  region?: pulumi.Input<"us" | "eu">;
  /** Base URL of the US region. */
  baseUrlUs?: pulumi.Input<string>;
  /** Base URL of the EU region. */
  baseUrlEu?: pulumi.Input<string>;
  /** Base URL of the sandbox API. @default the control plane's */
  sandboxBaseUrl?: pulumi.Input<string>;
  /** Key for the header X-Api-Key. Encrypted in state. */
  apiKey?: pulumi.Input<string>;
  /** Token for the header Authorization: Bearer. Encrypted in state. */
  bearerToken?: pulumi.Input<string>;
  /** The tenant (workspace), header X-Tenant-Id. */
  tenantId?: pulumi.Input<string>;
  /** The organization, header X-Organization-Id. */
  organizationId?: pulumi.Input<string>;
  /** The endpoints that the platform offers: those of its documentation alone, or also those that its own clients use. @default "extended" */
  contract?: pulumi.Input<"extended" | "documented">;
  /** What a delete does where the platform has none: leave the object with a warning, or fail. @default "warn" */
  onUndeletable?: pulumi.Input<"warn" | "fail">;
  /** Accept state that was made at another address or tenant. For a platform that truly moved. @default false */
  allowOriginChange?: pulumi.Input<boolean>;
  /** Allow plain http to another machine. @default false */
  allowInsecure?: pulumi.Input<boolean>;
  /** Time limit of one request, in seconds. @default 30 */
  requestTimeout?: pulumi.Input<number>;
  /** Requests per 10 seconds that this provider allows itself. @default 1000 */
  rateLimit?: pulumi.Input<number>;
}

/** The namespace of this provider's configuration. */
export const NAMESPACE = "agent-platform";
const SECRETS = ["apiKey", "bearerToken"] as const;
const ADDRESSES = ["baseUrl", "region"] as const;
const OTHERS = [
  "baseUrlUs",
  "baseUrlEu",
  "sandboxBaseUrl",
  "tenantId",
  "organizationId",
  "contract",
  "onUndeletable",
  "allowOriginChange",
  "allowInsecure",
  "requestTimeout",
  "rateLimit",
] as const;

/** The names of all settings. */
export const SETTINGS: readonly string[] = [...SECRETS, ...ADDRESSES, ...OTHERS];

/** Settings under their names in stack configuration, `agent-platform:<name>`; keys are secret outputs. */
export type PlatformSettings = Readonly<Record<string, pulumi.Input<string> | undefined>>;

/**
 * An explicit connection: pass it as `provider` to resources of another region, tenant or key than the stack's configuration
 * names. A change of it is an update in place; to move it to another address or tenant is refused by the resources made through it.
 */
export class Platform extends pulumi.ProviderResource {
  /** Hidden from whatever shows a resource's properties (stack outputs, a log): there are keys in it. */
  readonly #settings: PlatformSettings;

  constructor(name: string, args: PlatformArgs = {}, options?: pulumi.ResourceOptions) {
    const settings = settingsOf(args);
    super("pulumi-nodejs", name, settings, options);
    this.#settings = settings;
  }

  /** The settings of a Platform, for the functions of this package. @internal */
  static settings(platform: Platform): PlatformSettings {
    if (#settings in platform) return platform.#settings;
    throw new TypeError("platform must be a Platform of this package");
  }
}

/** The provider's process of an explicit connection sees these inputs and no stack configuration, so that is merged in here (engine-facts.md, trap 16). */
export function settingsOf(args: PlatformArgs): PlatformSettings {
  const config = new pulumi.Config(NAMESPACE);
  const settings: Record<string, pulumi.Input<string> | undefined> = {};
  const put = (name: string, value: pulumi.Input<string> | undefined) => {
    if (value !== undefined) settings[`${NAMESPACE}:${name}`] = value;
  };
  for (const name of SECRETS) put(name, args[name] === undefined ? config.getSecret(name) : pulumi.secret(args[name]));
  // Where the address comes from is one decision: a region given here beats a base URL of the stack.
  const ownAddress = ADDRESSES.some((name) => args[name] !== undefined);
  for (const name of ADDRESSES) put(name, text(args[name]) ?? (ownAddress ? undefined : config.get(name)));
  for (const name of OTHERS) put(name, text(args[name]) ?? config.get(name));
  return settings;
}

function text(value: pulumi.Input<string | number | boolean> | undefined): pulumi.Input<string> | undefined {
  return value === undefined ? undefined : pulumi.output(value).apply(String);
}
