import { howToSet, resolveConnection } from "../../provider/base/connection";
import type { SettingPlace } from "../../provider/base/places";
import { nameInUrn } from "../../provider/base/engine-format";
import { isObject } from "../../provider/base/json";
import { configKey, environmentName, NAMESPACE, type Setting, SETTINGS } from "../../provider/base/settings";
import type { ConnectionSource } from "../../provider/functions/platform-client";
import { resourceTypeOf } from "../../provider/resources/resource-types";
import type { StackConfig } from "./stack-config";
import { secretIn, type StackState, type StateResource } from "./stack-state";

/** A connection of a stack. */
export interface StackConnection {
  /** The name of the `Platform`; undefined for the connection of the stack's configuration. */
  readonly platform: string | undefined;
  readonly source: ConnectionSource;
  /** The settings that the state has for it, which `refresh`, `drift` and `destroy` use; undefined if it has none. */
  readonly recorded?: ReadonlyMap<Setting, string> | undefined;
  /** Whether it is the connection of an object whose state refers to this provider: `<URN>::<id>`. */
  readonly isOf: (provider: string) => boolean;
}

/**
 * The connections of a stack, completed by the environment: that of its configuration, if something may use it, and then that of each
 * `Platform` in its state.
 * @param state With secrets as plain text.
 * @param where The end of a command of the engine: which stack is meant.
 */
export function connectionsIn(
  { resources }: StackState,
  config: StackConfig,
  environment: NodeJS.ProcessEnv,
  where = "",
): StackConnection[] {
  const ours = resources.filter(({ type }) => resourceTypeOf(type) !== undefined);
  const used = new Set(ours.map(({ provider }) => provider));
  const providers = resources.filter(({ type }) => PROVIDERS.includes(type));
  const isUsed = (provider: StateResource): boolean => used.has(referenceOf(provider));
  const platforms = providers
    .filter((provider) => !isDefault(provider) && provider.delete !== true)
    .map((provider) => ({ provider, settings: recordedSettings(provider) }))
    .filter(({ provider, settings }) => settings.size > 0 || isUsed(provider))
    .map(({ provider, settings }): StackConnection => {
      const name = nameInUrn(provider.urn);
      const ways = (setting: Setting): string =>
        `It is ${setting} of Platform "${name}", as the last \`pulumi up\` left it; or set ${environmentName(setting)}`;
      return {
        platform: name,
        source: [(setting) => settings.get(setting), environment, ways],
        recorded: settings,
        isOf: (reference) => reference === referenceOf(provider),
      };
    });
  const configured: SettingPlace = (setting) => config.get(configKey(setting));
  const defaults = providers.filter((provider) => isDefault(provider) && isUsed(provider));
  const own: StackConnection = {
    platform: undefined,
    source: [configured, environment, (setting) => howToSet(setting, where)],
    recorded: defaults.map(recordedSettings).find(({ size }) => size > 0),
    isOf: (reference) => platforms.every(({ isOf }) => !isOf(reference)),
  };
  const isNeeded = platforms.length === 0 || defaults.length > 0;
  return isNeeded || "connection" in resolveConnection(...own.source) ? [own, ...platforms] : platforms;
}

/** What the state of an object refers to its connection by. */
export const referenceOf = ({ urn, id = "" }: StateResource): string => `${urn}::${id}`;

/** The type of a Platform with dynamic resources, and with the native plugin. */
export const PROVIDERS = ["pulumi:providers:pulumi-nodejs", `pulumi:providers:${NAMESPACE}`];

/** The name of a default provider of the engine: `default`, or `default_1_2_3`. */
const isDefault = ({ urn }: StateResource): boolean => /^default(_\d|$)/.test(nameInUrn(urn));

/** The settings of a connection in a state, without those that are encrypted. With dynamic resources the inputs have the names of the configuration. */
export function recordedSettings({ inputs }: StateResource): ReadonlyMap<Setting, string> {
  const given = SETTINGS.map(
    (setting) => [setting, plainText(inputs?.[configKey(setting)] ?? inputs?.[setting])] as const,
  );
  return new Map(given.flatMap(([setting, text]) => (text === undefined ? [] : [[setting, text] as const])));
}

function plainText(value: unknown): string | undefined {
  if (!isObject(value)) return typeof value === "string" ? value : undefined;
  const secret = secretIn(value);
  return secret === undefined ? undefined : plainText(secret);
}
