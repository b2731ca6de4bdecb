import * as pulumi from "@pulumi/pulumi";
import { ADDRESS, decisionOf, merged, problemsOfPlatform, strays, type SettingPlace } from "../provider/base/places";
import { CHECKED, configKey, NAMESPACE, settingRow, SETTINGS, type Setting } from "../provider/base/settings";
import { unknownSetting } from "../provider/base/nearest";
import { protocolOfStack, refuseUnknownSettings } from "./protocol";
import type { PlatformArgs } from "./platform.generated";

/** The package of dynamic resources. */
const DYNAMIC = "pulumi-nodejs";

/** Settings under their names in stack configuration, `agent-platform:<name>`; keys are secret outputs. */
export type PlatformSettings = Readonly<Record<string, pulumi.Input<string> | undefined>>;

/** Not a property of the platform, because it contains keys: stack outputs or a log may show a resource's properties. */
const settingsByPlatform = new WeakMap<Platform, PlatformSettings>();

/**
 * An explicit connection: pass it as `provider` to resources of another region, tenant or key than the stack's configuration
 * names. Changing it is an update in place; the resources made through it refuse to move to another address or tenant.
 *
 * @example
 * import * as pulumi from "@pulumi/pulumi";
 * import { Platform, SandboxTemplate } from "pulumi-agent-platform";
 *
 * const eu = new Platform("eu", {
 *   baseUrl: "https://eu.platform.example.com",
 *   apiKey: new pulumi.Config().requireSecret("euKey"),
 * });
 * new SandboxTemplate("notebook", { image: "python:3.12-slim" }, { provider: eu });
 */
export class Platform extends pulumi.ProviderResource {
  /** Never set: it keeps the compiler from accepting another provider as a Platform. */
  declare protected readonly isPlatform: true;

  constructor(name: string, args: PlatformArgs = {}, options?: pulumi.ResourceOptions) {
    refuseUnknownSettings();
    const settings = settingsOf(`Platform "${name}"`, args);
    const isNative = protocolOfStack() === "native";
    // Under the native plugin, settings have their plain names.
    super(
      isNative ? NAMESPACE : DYNAMIC,
      name,
      isNative ? { ...plainNames(settings), [CHECKED]: true } : settings,
      pulumi.mergeOptions(options, {
        aliases: [{ type: `pulumi:providers:${isNative ? DYNAMIC : NAMESPACE}` }],
      }),
    );
    settingsByPlatform.set(this, settings);
  }

  /** The settings of a Platform, for the functions of this package. @internal */
  static settings(platform: Platform): PlatformSettings {
    const settings = settingsByPlatform.get(platform);
    if (settings !== undefined) return settings;
    throw new TypeError("platform must be a Platform of this package");
  }
}

const plainNames = (settings: PlatformSettings): PlatformSettings =>
  Object.fromEntries(SETTINGS.map((name) => [name, settings[configKey(name)]]));

/**
 * The settings given at `where`, completed from the stack's configuration (places.ts): the provider process of an explicit connection
 * gets these and does not see the stack's configuration (docs/internals/engine.md, trap 16). Throws if they must not be completed from the stack.
 */
export function settingsOf(where: string, args: PlatformArgs): PlatformSettings {
  const own = new Map(SETTINGS.map((setting) => [setting, textOf(`${where}: ${setting}`, args[setting])] as const));
  const given: SettingPlace<pulumi.Input<string>> = (setting) => own.get(setting);
  const config = new pulumi.Config(NAMESPACE);
  // A stack unsets a setting with an empty text.
  const ofStack: SettingPlace<pulumi.Input<string>> = (setting) => {
    const value = config.get(setting);
    if (value === undefined || value === "") return undefined;
    return isSecretInStack(setting) ? pulumi.secret(value) : value;
  };
  const places = [given, ofStack];
  const problems = [
    // The compiler does not see all of them, and the stack's value would count.
    ...Object.keys(args).flatMap((name) => unknownSetting(name) ?? []),
    ...problemsOfPlatform(given).map(({ reason }) => reason),
    ...strays(places).map((setting) => {
      const isAddress = decisionOf(setting) === ADDRESS;
      const [whole, beside] = isAddress ? ["an address", "baseUrl"] : ["a key", "the key"];
      return `${setting} is missing: the stack's value belongs to ${whole} that is not used here; give ${setting} beside ${beside}`;
    }),
  ];
  if (problems.length > 0) throw new pulumi.RunError(`${where}: ${problems.join("; ")}`);
  const setting = merged(places);
  return Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = setting(name);
      if (value === undefined) return [];
      return [[configKey(name), settingRow(name).secret ? pulumi.secret(value) : value] as const];
    }),
  );
}

/** Whether the stack's configuration encrypts a setting. False in an SDK that does not say it. */
function isSecretInStack(setting: Setting): boolean {
  const ask: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  return typeof ask === "function" && Reflect.apply(ask, undefined, [configKey(setting)]) === true;
}

/** A value as the provider takes it. An empty value is an error, because another place would fill it in. */
function textOf(
  what: string,
  value: pulumi.Input<string | number | boolean> | null | undefined,
): pulumi.Input<string> | undefined {
  if (value === undefined || value === null) return undefined;
  return value === "" ? notEmpty(what, value) : pulumi.output(value).apply((known) => notEmpty(what, known));
}

function notEmpty(what: string, known: unknown): string {
  if (known !== undefined && known !== null && known !== "")
    return typeof known === "string" ? known : JSON.stringify(known);
  throw new pulumi.RunError(`${what} must not be empty; check that its value is set`);
}
