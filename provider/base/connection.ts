import { z } from "zod";
import {
  decidesAddress,
  decidesCredentials,
  lacksAddress,
  merged,
  NAMESPACE,
  REGIONS,
  SETTINGS,
  strays,
  type Place,
  type Problem,
  type Setting,
} from "./places";
import { isInsecure, urlProblem, withoutSlash } from "./address";

export { NAMESPACE, SETTINGS, type Setting };

/** The two contracts of the platform, chosen by configuration (docs/design.md, The two contracts). */
export type Contract = "extended" | "documented";

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
  /** If the contract has no delete: leave the object with a warning, or fail. */
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
} satisfies Record<Setting, z.ZodType>);
type Settings = z.infer<typeof Settings>;

/** AGENT_PLATFORM_BASE_URL for baseUrl, and so on. */
export function environmentName(setting: Setting): string {
  return `AGENT_PLATFORM_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Reads one setting of one place; undefined or empty where that place does not set it. */
export type Source = (setting: Setting) => string | undefined;

/** A usable connection, or everything that is wrong with the configuration. */
export type Resolved = { readonly connection: Connection } | { readonly problems: readonly string[] };

/** How a setting can be set, in words that follow "it is": "set by ...". */
export type Ways = (setting: Setting) => string;

/**
 * Configuration from its two places: `configured` (a `Platform`, else the stack's configuration) beats the environment. The address is
 * one decision, the credentials are another (places.ts), and a key of the environment goes to no other address than the environment's.
 */
export function resolveConnection(configured: Source, environment: NodeJS.ProcessEnv, ways: Ways = howToSet): Resolved {
  const places = [configured, (setting: Setting) => environment[environmentName(setting)]].map(withoutEmpty);
  const text = merged(places);
  const { settings, problems } = parse(text, ways);
  problems.push(...halves(places, ways));
  const address = addressOf(settings, problems, ways);
  if (text("apiKey") === undefined && text("bearerToken") === undefined) {
    problems.push({ setting: "apiKey", reason: `no key for the platform: apiKey is ${ways("apiKey")}` });
  }
  if (address !== undefined) problems.push(...strangeKey(places, connectionOf(settings, address)));
  if (address === undefined || problems.length > 0) return { problems: problems.map(({ reason }) => reason) };
  return { connection: connectionOf(settings, address) };
}

const withoutEmpty =
  (source: Source): Place =>
  (setting) =>
    source(setting) || undefined;

function parse(text: Place, ways: Ways): { readonly settings: Settings; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  const settings: Settings = {};
  for (const setting of SETTINGS) {
    const parsed = Settings.safeParse({ [setting]: text(setting) });
    if (parsed.success) Object.assign(settings, parsed.data);
    else {
      const reason = parsed.error.issues[0]?.message ?? "is not valid";
      problems.push({ setting, reason: `${setting} ${reason}; it is ${ways(setting)}` });
    }
  }
  return { settings, problems };
}

function howToSet(setting: Setting): string {
  const secret = setting === "apiKey" || setting === "bearerToken" ? "--secret " : "";
  return (
    `set by \`pulumi config set ${secret}${NAMESPACE}:${setting}\`, ` +
    `by \`${setting}\` of a Platform, or by the environment variable ${environmentName(setting)}`
  );
}

/** Settings of which a place has only half: they are neither completed from another place nor dropped in silence. */
function halves(places: readonly Place[], ways: Ways): Problem[] {
  const lost = strays(places).map((setting): Problem => {
    const variable = environmentName(setting);
    const whole = setting === "sandboxBaseUrl" ? "the address" : "the key";
    return {
      setting,
      reason:
        `${variable} is set, but ${whole} that it would go with is not the environment's: ` +
        `unset it, or set ${setting} where ${whole} is set`,
    };
  });
  const decides = places[decidesAddress(places)];
  if (decides === undefined || !lacksAddress(decides)) return lost;
  const reason =
    "sandboxBaseUrl is set without baseUrl or region in the same place, and an address is taken from one place as a whole: " +
    `baseUrl is ${ways("baseUrl")}`;
  return [...lost, { setting: "sandboxBaseUrl", reason }];
}

/** The key of a place that names an address is meant for that address. */
function strangeKey(places: readonly Place[], { baseUrl, sandboxBaseUrl }: Connection): Problem[] {
  const [, environment] = places;
  if (environment === undefined || places[decidesCredentials(places)] !== environment) return [];
  // The environment by itself, with the table of regions that it may leave to the stack.
  const table = merged([...places].reverse());
  const region = environment("region");
  const named = environment("baseUrl") ?? (region && table(regional(region)));
  if (named === undefined || named === "") return [];
  const meant = [named, environment("sandboxBaseUrl") ?? named].map(withoutSlash);
  const strange = [baseUrl, sandboxBaseUrl].find((url) => !meant.includes(url));
  if (strange === undefined) return [];
  const key: Setting = environment("apiKey") === undefined ? "bearerToken" : "apiKey";
  const variable = environmentName(environment("baseUrl") === undefined ? "region" : "baseUrl");
  const reason =
    `${key} is the environment's (${environmentName(key)}), which is meant for the address that the environment names (${variable}) ` +
    `and is not sent to ${strange}: set ${key} where that address is set, or unset ${variable}`;
  return [{ setting: key, reason }];
}

const regional = (region: string): (typeof REGIONS)[keyof typeof REGIONS] =>
  region === "eu" ? REGIONS.eu : REGIONS.us;

function addressOf(settings: Settings, problems: Problem[], ways: Ways): string | undefined {
  const { baseUrl, region } = settings;
  const setting: Setting = baseUrl === undefined && region ? regional(region) : "baseUrl";
  const address = settings[setting];
  if (address === undefined) {
    // If a setting that this address would come from is reported already, that is enough.
    const said: readonly Setting[] = region ? ["baseUrl", setting] : ["baseUrl", "region", "sandboxBaseUrl"];
    if (problems.some((problem) => said.includes(problem.setting))) return undefined;
    const reason = region
      ? `region is "${region}", but its address is not known: ${setting} is ${ways(setting)}`
      : `no address of the platform: baseUrl is ${ways("baseUrl")}; or set region, with baseUrlUs or baseUrlEu`;
    problems.push({ setting, reason });
    return undefined;
  }
  for (const name of [setting, "sandboxBaseUrl"] as const) {
    const url = settings[name];
    if (url && settings.allowInsecure !== "true" && isInsecure(url)) {
      const reason = `${name} is plain http to another machine, which would show the key to the network: use https, or set allowInsecure`;
      problems.push({ setting: name, reason });
    }
  }
  return address;
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
