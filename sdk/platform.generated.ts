// Generated from provider/base/settings.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/**
 * How to reach a platform. What is left out comes from the stack's configuration (`agent-platform:<name>`), then from the environment
 * (`AGENT_PLATFORM_<NAME>`); but the address (`baseUrl`, `region`, `sandboxBaseUrl`) is taken from one place as a whole, and the
 * credentials (`apiKey`, `bearerToken`, with their `tenantId` and `organizationId`) are too. An address given here needs a key given here.
 */
export interface PlatformArgs {
  /** Base URL of the control plane. Beats `region`. */
  baseUrl?: pulumi.Input<string>;
  /** The region. Its address is `baseUrlUs` or `baseUrlEu`, given here or in the stack. */
  region?: pulumi.Input<"us" | "eu">;
  /** Base URL of the US region. */
  baseUrlUs?: pulumi.Input<string>;
  /** Base URL of the EU region. */
  baseUrlEu?: pulumi.Input<string>;
  /** Base URL of the sandbox API, beside `baseUrl` or `region`. @default the control plane's */
  sandboxBaseUrl?: pulumi.Input<string>;
  /** Key for the header X-Api-Key. Encrypted in state. */
  apiKey?: pulumi.Input<string>;
  /** Token for the header Authorization: Bearer. Encrypted in state. */
  bearerToken?: pulumi.Input<string>;
  /** The tenant (workspace), header X-Tenant-Id. Defaults to the stack's, unless an apiKey or bearerToken is given here. */
  tenantId?: pulumi.Input<string>;
  /** The organization, header X-Organization-Id. Defaults as tenantId does. */
  organizationId?: pulumi.Input<string>;
  /**
   * The endpoints that the platform offers: only those in its documentation, or also those that its own clients use. @default "extended"
   */
  contract?: pulumi.Input<"extended" | "documented">;
  /**
   * Who refuses what the platform's own clients and test servers refuse of a deployment (docs/sources.md): this provider, at preview, or
   * the platform alone; the provider then warns, and sends it. @default "strict"
   */
  checks?: pulumi.Input<"strict" | "platform">;
  /**
   * Whether a preview asks the platform, read-only, what `up` will meet: whether the key is good, a name is taken, what is referred to
   * exists, and what adopting changes (docs/preview.md). @default "offline"
   */
  preview?: pulumi.Input<"offline" | "online">;
  /** What a delete does if the platform cannot delete: leave the object with a warning, or fail. @default "warn" */
  onUndeletable?: pulumi.Input<"warn" | "fail">;
  /** Accept state that was made at another address or tenant. For a platform that really moved. @default false */
  allowOriginChange?: pulumi.Input<boolean>;
  /** Allow plain http to another machine. @default false */
  allowInsecure?: pulumi.Input<boolean>;
  /** Time limit of one request, in seconds. @default 30 */
  requestTimeout?: pulumi.Input<number>;
  /** How often a request is tried if it surely did not happen, or may be repeated. Refusals by the rate limit do not count. @default 6 */
  requestAttempts?: pulumi.Input<number>;
  /**
   * Seconds for one request with all its tries, from when it is first sent; twice as many if the platform's rate limit refuses it. @default
   * 60
   */
  requestBudget?: pulumi.Input<number>;
  /** The longest pause between two looks at something that takes time, like a rollout, in seconds. @default 15 */
  longestPause?: pulumi.Input<number>;
  /** Requests per 10 seconds that this provider allows itself. @default 1000 */
  rateLimit?: pulumi.Input<number>;
  /**
   * With `requests`, each request is logged: its status, time, try and request id, and both bodies without secrets. The lines go to the
   * engine's debug log (`pulumi up --debug`), or to `logFile`. @default "off"
   */
  log?: pulumi.Input<"off" | "requests">;
  /**
   * A file to which the log of requests is appended, instead of the engine's debug log. A new one gets mode 0600. @default the engine's
   * debug log
   */
  logFile?: pulumi.Input<string>;
}
