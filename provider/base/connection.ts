import { hasControlCharacter, headerProblem, isInsecure, serverProblem, withoutSlash } from "./address";
import { ADDRESS, CREDENTIALS, deciderOf, decisionOf, merged, REGIONS, strays, type SettingPlace } from "./places";
import {
  environmentName,
  configKey,
  SETTING_ROWS,
  settingRow,
  SETTINGS,
  type Setting,
  type SettingOf,
  type SettingProblem,
  type Settings,
  type SettingType,
} from "./settings";

/** How to reach one tenant of one platform, checked: the settings, which settings.ts describes, with their defaults. */
export interface Connection
  extends
    Pick<Settings, SettingOf<"domain" | "header" | "path">>,
    Required<Pick<Settings, Exclude<SettingOf<"choice">, "region">>>,
    Readonly<Record<SettingOf<"flag">, boolean>>,
    Readonly<Record<SettingOf<"amount">, number>> {
  /** Base URL of the control plane, without a trailing slash. */
  readonly baseUrl: string;
  /** Base URL of the sandbox API; the control plane's unless set. */
  readonly sandboxBaseUrl: string;
  /** Distinguishes the resources of this stack from those of others of the same name; undefined without the native plugin (native/native-plugin.ts). */
  readonly stackKey?: string | undefined;
}

/** The two contracts of the platform, chosen by configuration (docs/internals/design.md, The two contracts). */
export type Contract = Connection["contract"];

/** A usable connection, or everything that is wrong with the configuration. */
export type Resolved = { readonly connection: Connection } | { readonly problems: readonly SettingProblem[] };

/** How a setting can be set, as words that follow "it is": "set by ...". */
export type Ways = (setting: Setting) => string;

/**
 * Configuration from its two places: `configured` (a `Platform`, else the stack's configuration) beats the environment. The address is
 * one decision, the credentials are another (places.ts), and a key from the environment is sent only to the environment's address.
 */
export function resolveConnection(
  configured: SettingPlace,
  environment: NodeJS.ProcessEnv,
  ways: Ways = howToSet,
): Resolved {
  const places = [configured, (setting: Setting) => environment[environmentName(setting)]].map(withoutEmpty);
  const text = merged(places);
  const { settings, problems } = parse(text, ways);
  problems.push(...halves(places, ways));
  const address = addressOf(settings, problems, ways);
  if (text("apiKey") === undefined && text("bearerToken") === undefined) {
    problems.push({ setting: "apiKey", reason: `No platform key configured. ${ways("apiKey")}` });
  }
  if (address === undefined) return { problems };
  const connection = connectionOf(settings, address);
  problems.push(...strangeKey(places, connection));
  return problems.length > 0 ? { problems } : { connection };
}

/** An empty text sets nothing. */
const withoutEmpty =
  (place: SettingPlace): SettingPlace =>
  (setting) =>
    place(setting) || undefined;

function parse(text: SettingPlace, ways: Ways): { readonly settings: Settings; readonly problems: SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const settings: Settings = {};
  for (const setting of SETTINGS) {
    const given = text(setting);
    if (given === undefined) continue;
    const reason = reasonAgainst(settingRow(setting).type, given);
    if (reason === undefined) Object.assign(settings, { [setting]: given });
    else problems.push({ setting, reason: `${setting} ${reason}. ${ways(setting)}` });
  }
  return { settings, problems };
}

/** The reason to refuse a text as a value of this type; undefined for a valid one. Never repeats the text: it may be a key. */
function reasonAgainst(type: SettingType, text: string): string | undefined {
  switch (type.kind) {
    case "url":
      return serverProblem(text);
    case "domain":
      return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text)
        ? undefined
        : "must be a domain in small letters, like agents.example.com";
    case "header":
      return headerProblem(text);
    case "path":
      return hasControlCharacter(text) ? "must be the path of a file, without control characters" : undefined;
    case "flag":
      return text === "true" || text === "false" ? undefined : 'must be "true" or "false"';
    case "choice": {
      const [one, other] = type.choices;
      return text === one || text === other ? undefined : `must be "${one}" or "${other}"`;
    }
    case "amount":
      return Number(text) > 0 && Number.isFinite(Number(text)) ? undefined : `must be a number of ${type.of} above 0`;
  }
}

/** How to set a setting where a stack has it. @param where The end of a command of the engine: which stack is meant. */
export function howToSet(setting: Setting, where = ""): string {
  const { secret, type } = settingRow(setting);
  // The command asks for a secret, so that it is in no shell history.
  const command = secret
    ? `pulumi config set --secret ${configKey(setting)}`
    : `pulumi config set ${configKey(setting)} <${type.kind === "url" ? "url" : "value"}>`;
  return `Set it with \`${command}${where}\`, as \`${setting}\` of a Platform, or in the environment variable ${environmentName(setting)}`;
}

/** Reports settings of which a place has only half: they are neither completed from another place nor silently dropped. */
function halves(places: readonly SettingPlace[], ways: Ways): SettingProblem[] {
  const lost = strays(places).map((setting): SettingProblem => {
    const variable = environmentName(setting);
    const whole = decisionOf(setting) === ADDRESS ? "the address" : "the key";
    return {
      setting,
      reason:
        `${variable} is set, but ${whole} it belongs to does not come from the environment: ` +
        `unset it, or set ${setting} where ${whole} is set`,
    };
  });
  const decides = places[deciderOf(ADDRESS, places)];
  if (decides === undefined || ADDRESS.needs.some((setting) => decides(setting) !== undefined)) return lost;
  const reason =
    "sandboxBaseUrl is set, but neither baseUrl nor region is set in the same place (all parts of an address have to come from one place). " +
    ways("baseUrl");
  return [...lost, { setting: "sandboxBaseUrl", reason }];
}

/** A key from a place that also sets an address is meant for that address. */
function strangeKey(places: readonly SettingPlace[], { baseUrl, sandboxBaseUrl }: Connection): SettingProblem[] {
  const [, environment] = places;
  if (environment === undefined || places[deciderOf(CREDENTIALS, places)] !== environment) return [];
  // The environment alone, plus the addresses of the regions, which the stack may define.
  const table = merged([...places].reverse());
  const region = environment("region");
  const named = environment("baseUrl") ?? (region && table(regional(region)));
  if (named === undefined || named === "") return [];
  const meant = [named, environment("sandboxBaseUrl") ?? named].map(withoutSlash);
  const strange = [baseUrl, sandboxBaseUrl].find((url) => !meant.includes(url));
  if (strange === undefined) return [];
  const key: Setting = environment("apiKey") === undefined ? "bearerToken" : "apiKey";
  const variable = environmentName(environment("baseUrl") === undefined ? "region" : "baseUrl");
  const reason = keyOfEnvironment(key, variable, strange, `set ${key} where that address is set`);
  return [{ setting: key, reason }];
}

/** Why the environment's key is not sent to an address from another place, and what to do. */
export function keyOfEnvironment(key: Setting, variable: string, strange: string, remedy: string): string {
  return (
    `${key} comes from the environment (${environmentName(key)}), so it is only meant for the address in the environment (${variable}) ` +
    `and is not sent to ${strange}: ${remedy}, or unset ${variable}`
  );
}

const regional = (region: string): (typeof REGIONS)[keyof typeof REGIONS] =>
  region === "eu" ? REGIONS.eu : REGIONS.us;

function addressOf(settings: Settings, problems: SettingProblem[], ways: Ways): string | undefined {
  const { baseUrl, region } = settings;
  const setting: Setting = baseUrl === undefined && region ? regional(region) : "baseUrl";
  const address = settings[setting];
  if (address === undefined) {
    // One report is enough: a setting that this address would come from may have been reported already.
    const said: readonly Setting[] = region ? ["baseUrl", setting] : ["baseUrl", "region", "sandboxBaseUrl"];
    if (problems.some((problem) => said.includes(problem.setting))) return undefined;
    const reason = region
      ? `region is "${region}", but ${setting} is not configured. ${ways(setting)}`
      : `No platform URL configured. ${ways("baseUrl")}. Or set region, with baseUrlUs or baseUrlEu`;
    problems.push({ setting, reason });
    return undefined;
  }
  for (const name of [setting, "sandboxBaseUrl"] as const) {
    const url = settings[name];
    if (url && settings.allowInsecure !== "true" && isInsecure(url)) {
      const reason = `${name} is plain http to another machine, which would expose the key on the network: use https, or set allowInsecure`;
      problems.push({ setting: name, reason });
    }
  }
  return address;
}

function connectionOf(settings: Settings, address: string): Connection {
  const { region, baseUrlUs, baseUrlEu, ...own } = settings;
  return {
    ...own,
    baseUrl: withoutSlash(address),
    sandboxBaseUrl: withoutSlash(settings.sandboxBaseUrl ?? address),
    contract: settings.contract ?? SETTING_ROWS.contract.default,
    checks: settings.checks ?? SETTING_ROWS.checks.default,
    preview: settings.preview ?? SETTING_ROWS.preview.default,
    onUndeletable: settings.onUndeletable ?? SETTING_ROWS.onUndeletable.default,
    allowOriginChange: settings.allowOriginChange === "true",
    allowInsecure: settings.allowInsecure === "true",
    requestTimeout: Number(settings.requestTimeout ?? SETTING_ROWS.requestTimeout.default),
    requestAttempts: Number(settings.requestAttempts ?? SETTING_ROWS.requestAttempts.default),
    requestBudget: Number(settings.requestBudget ?? SETTING_ROWS.requestBudget.default),
    longestPause: Number(settings.longestPause ?? SETTING_ROWS.longestPause.default),
    rateLimit: Number(settings.rateLimit ?? SETTING_ROWS.rateLimit.default),
    log: settings.log ?? SETTING_ROWS.log.default,
  };
}
