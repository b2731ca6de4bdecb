// Generated from provider/base/settings.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/**
 * How to reach a platform. Settings that you leave out come from the stack's configuration (`agent-platform:<name>`), then from the
 * environment (`AGENT_PLATFORM_<NAME>`); but the address (`baseUrl`, `region`, `sandboxBaseUrl`) has to come from one place, and so do the
 * credentials (`apiKey`, `bearerToken`, with their `tenantId` and `organizationId`). If you set an address here, set a key here, too.
 */
export interface PlatformArgs {
  /** Base URL of the control plane. Takes precedence over `region`. */
  baseUrl?: pulumi.Input<string>;
  /** The region: its address is in `baseUrlUs` or `baseUrlEu`, which may come from any place. */
  region?: pulumi.Input<"us" | "eu">;
  /** Base URL of the US region. */
  baseUrlUs?: pulumi.Input<string>;
  /** Base URL of the EU region. */
  baseUrlEu?: pulumi.Input<string>;
  /** Base URL of the sandbox API, in addition to `baseUrl` or `region`. @default the control plane's */
  sandboxBaseUrl?: pulumi.Input<string>;
  /**
   * The domain under which the platform's agents answer, such as agents.example.com, in addition to `baseUrl` or `region`: the connection's
   * key may go to its hosts (docs/run-checks.md). @default none
   */
  agentDomain?: pulumi.Input<string>;
  /** Key for the header X-Api-Key. You need this or `bearerToken`. Encrypted in state. */
  apiKey?: pulumi.Input<string>;
  /**
   * Token for the header Authorization: Bearer. If `apiKey` is set as well, the platform gets both headers; agents only get the key.
   * Encrypted in state.
   */
  bearerToken?: pulumi.Input<string>;
  /** The tenant (workspace), header X-Tenant-Id. Defaults to the stack's, unless you set apiKey or bearerToken here. */
  tenantId?: pulumi.Input<string>;
  /** The organization, header X-Organization-Id. Has the same default as tenantId. */
  organizationId?: pulumi.Input<string>;
  /**
   * Which endpoints the platform offers: only those in its documentation, or also those that its own clients use
   * (docs/concepts/contracts.md). @default "extended"
   */
  contract?: pulumi.Input<"extended" | "documented">;
  /**
   * Who refuses a deployment that breaks the rules of its source (docs/sources.md): this provider, at preview, or only the platform. The
   * provider then warns. @default "strict"
   */
  checks?: pulumi.Input<"strict" | "platform">;
  /**
   * Whether a preview asks the platform, read-only, what `up` will find, such as a name that is taken (docs/review.md). @default "offline"
   */
  preview?: pulumi.Input<"offline" | "online">;
  /** What a delete does if the platform cannot delete the object: warn and leave it, or fail. @default "warn" */
  onUndeletable?: pulumi.Input<"warn" | "fail">;
  /** Accept state that was created at another address or tenant. For a platform that has really moved. @default false */
  allowOriginChange?: pulumi.Input<boolean>;
  /** Allow plain http to another machine. @default false */
  allowInsecure?: pulumi.Input<boolean>;
  /** Time limit of one request, in seconds. @default 30 */
  requestTimeout?: pulumi.Input<number>;
  /**
   * How often to try a request that surely did not happen, or that may be repeated. Refusals by the rate limit do not count. While the
   * platform answers 503, a create or an update asks for as long as `requestBudget`. @default 6
   */
  requestAttempts?: pulumi.Input<number>;
  /** Seconds for one request with all its tries. Twice as many if the platform's rate limit refuses it. @default 60 */
  requestBudget?: pulumi.Input<number>;
  /** The longest pause between two polls, for example of a rollout, in seconds. @default 15 */
  longestPause?: pulumi.Input<number>;
  /** The most requests that the provider sends per 10 seconds. @default 1000 */
  rateLimit?: pulumi.Input<number>;
  /**
   * `requests` logs each request without secrets: status, duration, attempt, request id and bodies. The lines go to the engine's debug log
   * (`pulumi up --debug`), or to `logFile` (docs/debugging.md). @default "off"
   */
  log?: pulumi.Input<"off" | "requests">;
  /** A file for the log of requests. Lines are appended; a new file gets mode 0600. @default the engine's debug log */
  logFile?: pulumi.Input<string>;
}
