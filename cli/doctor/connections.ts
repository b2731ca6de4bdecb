import {
  configKey,
  isObject,
  nameInUrn,
  NAMESPACE,
  resourceTypeOf,
  SECRET_SIGNATURE,
  type Setting,
  SETTINGS,
  SIGNATURE,
} from "../../provider/tools";
import type { StackState, StateResource } from "../base/stack-state";

/** A `Platform` in the state of a stack: a connection of its own. */
export interface StatePlatform {
  readonly name: string;
  readonly settings: ReadonlyMap<Setting, string>;
}

/** The connections of a stack, as its state has them. */
export interface StateConnections {
  readonly platforms: readonly StatePlatform[];
  /** Whether an object uses the connection of the stack's configuration, which no state names. */
  readonly usesStack: boolean;
}

/** @param state With secrets as plain text. */
export function connectionsIn({ resources }: StackState): StateConnections {
  const ours = resources.filter(({ type }) => resourceTypeOf(type) !== undefined);
  const used = new Set(ours.map(({ provider }) => provider));
  const providers = resources.filter(({ type }) => PROVIDERS.includes(type));
  const isUsed = ({ urn, id = "" }: StateResource): boolean => used.has(`${urn}::${id}`);
  const platforms = providers.filter(
    (provider) =>
      !isDefault(provider) && provider.delete !== true && (settingsOf(provider).size > 0 || isUsed(provider)),
  );
  return {
    platforms: platforms.map((provider) => ({ name: nameInUrn(provider.urn), settings: settingsOf(provider) })),
    usesStack: providers.some((provider) => isDefault(provider) && isUsed(provider)),
  };
}

/** The type of a Platform with dynamic resources, and with the native plugin. */
const PROVIDERS = ["pulumi:providers:pulumi-nodejs", `pulumi:providers:${NAMESPACE}`];

/** One that the engine has made: `default`, or `default_1_2_3`. */
const isDefault = ({ urn }: StateResource): boolean => /^default(_\d|$)/.test(nameInUrn(urn));

/** With dynamic resources the inputs have the names of the configuration. */
function settingsOf({ inputs }: StateResource): ReadonlyMap<Setting, string> {
  const given = SETTINGS.map(
    (setting) => [setting, plainText(inputs?.[configKey(setting)] ?? inputs?.[setting])] as const,
  );
  return new Map(given.flatMap(([setting, text]) => (text === undefined ? [] : [[setting, text] as const])));
}

function plainText(value: unknown): string | undefined {
  if (!isObject(value)) return typeof value === "string" ? value : undefined;
  const { [SIGNATURE]: mark, plaintext } = value;
  return mark === SECRET_SIGNATURE && typeof plaintext === "string" ? plainText(JSON.parse(plaintext)) : undefined;
}
