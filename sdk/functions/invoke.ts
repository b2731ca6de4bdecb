import * as pulumi from "@pulumi/pulumi";
import { AgentPlatformError } from "../../provider/base/errors";
import type { PlatformReader } from "../../provider/functions/reading";
import { configKey, SETTINGS } from "../../provider/base/settings";
import { Platform, settingsOf, type PlatformSettings } from "../platform";
import { checkNames } from "../../provider/functions/arguments";
import { knownValue } from "../known";
import type { FunctionOptions } from "./options";

/** A function that reads, independent of its plain and its Output form. */
export interface ReadingFunction<Args, Result> {
  readonly name: string;
  /** What reads with these arguments, or lists, a page at a time. Throws, before any request, if they are wrong. */
  readonly checked: (args: pulumi.Unwrap<Args>) => (platform: PlatformReader) => Result;
}

/** The plain form. */
export async function invoke<Args, Result>(
  { name, checked }: ReadingFunction<Args, Promise<Result>>,
  args: pulumi.Unwrap<Args>,
  options: FunctionOptions,
): Promise<Result> {
  const read = checked(args);
  return read(await openReader(name, options));
}

/** The Output form: unknown at preview if an argument or a setting of the connection is. */
export function invokeOutput<Args, Result>(
  { name, checked }: ReadingFunction<Args, Promise<Result>>,
  args: Args,
  options: FunctionOptions,
): pulumi.Output<Result> {
  // Checked independently of the connection, so that wrong arguments fail at preview even if the connection is unknown.
  const reading = pulumi.output(args).apply((given) => ({ read: checked(given) }));
  const connection = connectionOf(name, options);
  return reading.apply(({ read }) => connection.apply(async (settings) => read(await openWith(settings))));
}

/** Opens a reader for the platform in the options. */
export async function openReader(name: string, options: FunctionOptions): Promise<PlatformReader> {
  const connection = connectionOf(name, options);
  const settings = await knownValue(connection);
  if (settings !== undefined) return openWith(settings.value);
  const remedy = `use ${name}Output, whose result is not known yet either`;
  throw new AgentPlatformError(
    `${name}: the connection has settings that are not known before \`pulumi up\`; ${remedy}`,
  );
}

type Settings = Readonly<Record<string, string | undefined>>;

async function openWith(settings: Settings): Promise<PlatformReader> {
  // Loaded only now, so that a program that merely imports this package loads neither axios nor zod.
  const { openPlatform } = await import("../../provider/functions/reading");
  return openPlatform([(setting) => settings[configKey(setting)], process.env]);
}

function connectionOf(name: string, options: FunctionOptions): pulumi.Output<Settings> {
  checkNames(`${name}, options`, options, ["platform", "connection"]);
  const { platform, connection } = options;
  if (platform !== undefined && connection !== undefined) {
    throw new AgentPlatformError(`${name}: platform and connection are both given; give one of them`);
  }
  checkNames(`${name}, connection`, connection ?? {}, SETTINGS);
  const settings: PlatformSettings =
    platform === undefined ? settingsOf(`${name}, connection`, connection ?? {}) : Platform.settings(platform);
  // Otherwise the result of a read would be secret because the key is.
  return pulumi.unsecret(pulumi.output(settings));
}
