/** Which texts a setting takes; everywhere except on a `Platform` a setting is a text. */
export type SettingType =
  | { readonly kind: "url" | "domain" | "header" | "flag" }
  | { readonly kind: "choice"; readonly choices: readonly [string, string] }
  /** A file of this machine. */
  | { readonly kind: "path" }
  /** A number above 0. */
  | { readonly kind: "amount"; readonly of: string };

export interface SettingRow {
  readonly type: SettingType;
  /** The comment on the property of `Platform`, in whole sentences. */
  readonly description: string;
  /** The help text of its command-line option; without it, there is no option. Credentials have none, because other users of the machine can see arguments. */
  readonly option?: string;
  readonly default?: string;
  /** The default in words, where `default` does not say it. */
  readonly defaultText?: string;
  /** Encrypted in state, and in the stack's configuration. */
  readonly secret?: true;
}

const URL_TYPE = { kind: "url" } as const;
const HEADER = { kind: "header" } as const;
const FLAG = { kind: "flag" } as const;

/** All settings, by their names: the same in stack configuration, on a `Platform`, and (in capitals) in the environment. */
export const SETTING_ROWS = {
  baseUrl: {
    type: URL_TYPE,
    description: "Base URL of the control plane. Takes precedence over `region`.",
    option: "address of the control plane",
  },
  region: {
    type: { kind: "choice", choices: ["us", "eu"] },
    description: "The region: its address is in `baseUrlUs` or `baseUrlEu`, which may come from any place.",
    option: "us or eu: use its address below",
  },
  baseUrlUs: {
    type: URL_TYPE,
    description: "Base URL of the US region.",
    option: "address of the control plane in region us",
  },
  baseUrlEu: {
    type: URL_TYPE,
    description: "Base URL of the EU region.",
    option: "address of the control plane in region eu",
  },
  sandboxBaseUrl: {
    type: URL_TYPE,
    description: "Base URL of the sandbox API, in addition to `baseUrl` or `region`.",
    option: "address of the sandbox API, if it differs",
    defaultText: "the control plane's",
  },
  agentDomain: {
    type: { kind: "domain" },
    description:
      "The domain under which the platform's agents answer, such as agents.example.com, in addition to `baseUrl` or `region`: the connection's key may go " +
      "to its hosts (docs/run-checks.md).",
    defaultText: "none",
  },
  apiKey: {
    type: HEADER,
    description: "Key for the header X-Api-Key. You need this or `bearerToken`.",
    secret: true,
  },
  bearerToken: {
    type: HEADER,
    description:
      "Token for the header Authorization: Bearer. If `apiKey` is set as well, the platform gets both headers; agents only get the key.",
    secret: true,
  },
  tenantId: {
    type: HEADER,
    description:
      "The tenant (workspace), header X-Tenant-Id. Defaults to the stack's, unless you set apiKey or bearerToken here.",
    option: "the tenant (workspace)",
  },
  organizationId: {
    type: HEADER,
    description: "The organization, header X-Organization-Id. Has the same default as tenantId.",
    option: "its organization",
  },
  contract: {
    type: { kind: "choice", choices: ["extended", "documented"] },
    description:
      "Which endpoints the platform offers: only those in its documentation, or also those that its own clients use (docs/concepts/contracts.md).",
    option: "extended or documented",
    default: "extended",
  },
  checks: {
    type: { kind: "choice", choices: ["strict", "platform"] },
    description:
      "Who refuses a deployment that breaks the rules of its source (docs/sources.md): this provider, at preview, or only the platform. The provider then warns.",
    default: "strict",
  },
  preview: {
    type: { kind: "choice", choices: ["offline", "online"] },
    description:
      "Whether a preview asks the platform, read-only, what `up` will find, such as a name that is taken (docs/review.md).",
    default: "offline",
  },
  onUndeletable: {
    type: { kind: "choice", choices: ["warn", "fail"] },
    description: "What a delete does if the platform cannot delete the object: warn and leave it, or fail.",
    default: "warn",
  },
  allowOriginChange: {
    type: FLAG,
    description: "Accept state that was created at another address or tenant. For a platform that has really moved.",
    default: "false",
  },
  allowInsecure: {
    type: FLAG,
    description: "Allow plain http to another machine.",
    option: "allow plain http to another machine; false forbids it",
    default: "false",
  },
  requestTimeout: {
    type: { kind: "amount", of: "seconds" },
    description: "Time limit of one request, in seconds.",
    option: "seconds for one request",
    default: "30",
  },
  requestAttempts: {
    type: { kind: "amount", of: "attempts" },
    description:
      "How often to try a request that surely did not happen, or that may be repeated. Refusals by the rate limit do not count. " +
      "While the platform answers 503, a create or an update asks for as long as `requestBudget`.",
    default: "6",
  },
  requestBudget: {
    type: { kind: "amount", of: "seconds" },
    description: "Seconds for one request with all its tries. Twice as many if the platform's rate limit refuses it.",
    default: "60",
  },
  longestPause: {
    type: { kind: "amount", of: "seconds" },
    description: "The longest pause between two polls, for example of a rollout, in seconds.",
    default: "15",
  },
  rateLimit: {
    type: { kind: "amount", of: "requests per 10 seconds" },
    description: "The most requests that the provider sends per 10 seconds.",
    option: "requests per 10 seconds",
    default: "1000",
  },
  log: {
    type: { kind: "choice", choices: ["off", "requests"] },
    description:
      "`requests` logs each request without secrets: status, duration, attempt, request id and bodies. The lines go to the engine's debug log " +
      "(`pulumi up --debug`), or to `logFile` (docs/debugging.md).",
    default: "off",
  },
  logFile: {
    type: { kind: "path" },
    description: "A file for the log of requests. Lines are appended; a new file gets mode 0600.",
    defaultText: "the engine's debug log",
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

export type Setting = keyof typeof SETTING_ROWS;

type TypeOf<Name extends Setting> = (typeof SETTING_ROWS)[Name]["type"];
type TextOf<Type> = Type extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;

/** The settings of these kinds. */
export type SettingOf<Kind extends SettingType["kind"]> = {
  [Name in Setting]: TypeOf<Name>["kind"] extends Kind ? Name : never;
}[Setting];

/** The settings that are given, as texts. */
export type Settings = { readonly [Name in Setting]?: TextOf<TypeOf<Name>> };

const isSetting = (name: string): name is Setting => name in SETTING_ROWS;

export const SETTINGS: readonly Setting[] = Object.keys(SETTING_ROWS).filter(isSetting);

export const settingRow = (setting: Setting): SettingRow => SETTING_ROWS[setting];

/** The namespace of all stack configuration of this provider. */
export const NAMESPACE = "agent-platform";

/** The token of a resource, a type or a function of the native plugin: part of every state and program, so public forever. */
export const nativeTokenOf = (name: string): string => `${NAMESPACE}:index:${name}`;

/** The stack's choice between dynamic resources and the native plugin; not a setting of a connection. */
export const PLUGIN_SETTING = "plugin";

/** An input of the class's alone: it has checked the settings, and completed them from the stack's configuration. Never part of a state. */
export const CHECKED = "checkedByClass";

/** The name of a setting in stack configuration and among the inputs of a provider: `agent-platform:baseUrl`. */
export const configKey = (setting: Setting): string => `${NAMESPACE}:${setting}`;

/** AGENT_PLATFORM_BASE_URL for baseUrl, and so on. */
export function environmentName(setting: Setting): string {
  return `AGENT_PLATFORM_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** One thing wrong with a setting, in a sentence that names it. */
export interface SettingProblem {
  readonly setting: Setting;
  readonly reason: string;
}

/** The advice to set something: on resources with a `Platform` of their own, the configuration may not count. */
export const toSet = (setting: Setting, value: string): string =>
  `set ${configKey(setting)} to ${value} (or \`${setting}\` of its \`Platform\`)`;

/** Why contract `documented` refuses something, and the remedy. @param what The missing endpoint: "a redeploy". */
export const noEndpointFor = (what: string): string =>
  `contract "documented" has no endpoint for ${what}; ${toSet("contract", '"extended"')} if the platform offers it`;
