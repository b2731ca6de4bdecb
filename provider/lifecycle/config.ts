import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import type { Contract } from "./fields";
import { urlProblem } from "./schema";

/** The namespace of all stack configuration of this provider. */
export const NAMESPACE = "agent-platform";

/** How to reach one tenant of one platform, checked. */
export interface Connection {
  /** Base URL of the control plane, without a trailing slash. */
  readonly baseUrl: string;
  /** Base URL of the sandbox API; the control plane's unless set. */
  readonly sandboxBaseUrl: string;
  readonly apiKey?: string;
  readonly bearerToken?: string;
  readonly tenantId?: string;
  readonly organizationId?: string;
  readonly contract: Contract;
  /** What a delete does where the contract has none: leave the object with a warning, or fail. */
  readonly onUndeletable: "warn" | "fail";
  /** Accept state that was made at another address or tenant, and rewrite it. */
  readonly allowOriginChange: boolean;
  /** Plain http to another machine is allowed. */
  readonly allowInsecure: boolean;
  /** Time limit of one request, in seconds. */
  readonly requestTimeout: number;
  /** Requests per 10 seconds that this process allows itself. */
  readonly rateLimit: number;
}

const flag = z.enum(["true", "false"], { error: 'must be "true" or "false"' });
const url = z.string().superRefine((text, context) => {
  const reason = urlProblem(text);
  if (reason) context.addIssue({ code: "custom", message: reason });
});
const positive = (unit: string) =>
  z.string().refine((text) => Number(text) > 0 && Number.isFinite(Number(text)), `must be a number of ${unit} above 0`);
// A header's value: a key with a line break in it would become two headers, or an error that shows the key.
const header = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII without spaces or line breaks (was it pasted whole?)");

const Settings = z.object({
  baseUrl: url.optional(),
  region: z.enum(["us", "eu"], { error: 'must be "us" or "eu"' }).optional(),
  baseUrlUs: url.optional(),
  baseUrlEu: url.optional(),
  sandboxBaseUrl: url.optional(),
  apiKey: header.optional(),
  bearerToken: header.optional(),
  tenantId: header.optional(),
  organizationId: header.optional(),
  contract: z.enum(["extended", "documented"], { error: 'must be "extended" or "documented"' }).optional(),
  onUndeletable: z.enum(["warn", "fail"], { error: 'must be "warn" or "fail"' }).optional(),
  allowOriginChange: flag.optional(),
  allowInsecure: flag.optional(),
  requestTimeout: positive("seconds").optional(),
  rateLimit: positive("requests per 10 seconds").optional(),
});
type Settings = z.infer<typeof Settings>;

/** The names of all settings: the same in stack configuration, on a `Platform`, and (in capitals) in the environment. */
export const SETTINGS = Settings.keyof().options;
export type Setting = (typeof SETTINGS)[number];

/** AGENT_PLATFORM_BASE_URL for baseUrl, and so on. */
export function environmentName(setting: Setting): string {
  return `AGENT_PLATFORM_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Reads one setting of one place; undefined or empty where that place does not set it. */
export type Source = (setting: Setting) => string | undefined;

/** A usable connection, or everything that is wrong with the configuration. */
export type Resolved = { readonly connection: Connection } | { readonly problems: readonly string[] };

/**
 * Configuration from its two places: `configured` (a `Platform`, else the stack's configuration) beats the environment,
 * key by key. Where the address comes from is decided as a whole: a region that is configured beats a base URL of the environment.
 */
export function resolveConnection(configured: Source, environment: NodeJS.ProcessEnv): Resolved {
  const problems: string[] = [];
  const settings: Settings = {};
  const addressConfigured = Boolean(configured("baseUrl") || configured("region"));
  for (const setting of SETTINGS) {
    const isAddress = setting === "baseUrl" || setting === "region";
    const fallback = isAddress && addressConfigured ? undefined : environment[environmentName(setting)];
    const text = configured(setting) || fallback;
    if (!text) continue;
    const parsed = Settings.safeParse({ [setting]: text });
    if (parsed.success) Object.assign(settings, parsed.data);
    else problems.push(`${setting} ${parsed.error.issues[0]?.message ?? "is not valid"}; it is ${howToSet(setting)}`);
  }
  const address = addressOf(settings, problems);
  if (
    settings.apiKey === undefined &&
    settings.bearerToken === undefined &&
    !problems.some((p) => /^(apiKey|bearerToken) /.test(p))
  ) {
    problems.push(`no key for the platform: apiKey is ${howToSet("apiKey")}`);
  }
  if (address === undefined || problems.length > 0) return { problems };
  return { connection: connectionOf(settings, address) };
}

function howToSet(setting: Setting): string {
  const secret = setting === "apiKey" || setting === "bearerToken" ? "--secret " : "";
  return (
    `set by \`pulumi config set ${secret}${NAMESPACE}:${setting}\`, ` +
    `by \`${setting}\` of a Platform, or by the environment variable ${environmentName(setting)}`
  );
}

function addressOf(settings: Settings, problems: string[]): string | undefined {
  const { baseUrl, region } = settings;
  const regional: Setting = region === "eu" ? "baseUrlEu" : "baseUrlUs";
  const address = baseUrl ?? (region && settings[regional]);
  if (address === undefined) {
    const broken = problems.some((problem) => /^(baseUrl|region)/.test(problem));
    if (region && !broken)
      problems.push(`region is "${region}", but its address is not known: ${regional} is ${howToSet(regional)}`);
    else if (!broken)
      problems.push(
        `no address of the platform: baseUrl is ${howToSet("baseUrl")}; or set region, with baseUrlUs or baseUrlEu`,
      );
    return undefined;
  }
  for (const [name, text] of [
    [baseUrl ? "baseUrl" : regional, address] as const,
    ["sandboxBaseUrl", settings.sandboxBaseUrl] as const,
  ]) {
    if (text && settings.allowInsecure !== "true" && isInsecure(text)) {
      problems.push(
        `${name} is plain http to another machine, which would show the key to the network: use https, or set allowInsecure`,
      );
    }
  }
  return address;
}

function isInsecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !isLoopback(hostname);
}

/** True for localhost and the loopback addresses of both families. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function connectionOf(settings: Settings, address: string): Connection {
  const { apiKey, bearerToken, tenantId, organizationId } = settings;
  const baseUrl = withoutSlash(address);
  return {
    baseUrl,
    sandboxBaseUrl: settings.sandboxBaseUrl ? withoutSlash(settings.sandboxBaseUrl) : baseUrl,
    apiKey,
    bearerToken,
    tenantId,
    organizationId,
    contract: settings.contract ?? "extended",
    onUndeletable: settings.onUndeletable ?? "warn",
    allowOriginChange: settings.allowOriginChange === "true",
    allowInsecure: settings.allowInsecure === "true",
    requestTimeout: Number(settings.requestTimeout ?? 30),
    rateLimit: Number(settings.rateLimit ?? 1000),
  };
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, "");

/** A short digest of where an object lives: base URL and tenant. Kept in outputs (design.md, Origin). */
export function originOf(baseUrl: string, tenantId: string | undefined): string {
  return digest(`${baseUrl.toLowerCase()}\n${tenantId ?? ""}`, 12);
}

/** A digest of the API key that sees an object there, far too short to tell the key; undefined without one (bearer tokens change by the hour). */
export function keyMarkOf(origin: string, apiKey: string | undefined): string | undefined {
  return apiKey === undefined ? undefined : digest(`${origin}\n${apiKey}`, 6);
}

const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
