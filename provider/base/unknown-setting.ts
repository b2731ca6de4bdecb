import { nearest } from "./nearest";
import { NAMESPACE, PLUGIN_SETTING, SETTINGS } from "./settings";

const OURS: readonly string[] = [...SETTINGS, PLUGIN_SETTING];
/** What the engine adds to a provider's inputs by itself. */
const OF_THE_ENGINE: readonly string[] = ["version", "pluginDownloadURL"];

/** What is wrong with the name of a setting in the namespace of this provider, with the nearest right one; undefined for one that exists. */
export function unknownSetting(name: string): string | undefined {
  if (OURS.includes(name) || OF_THE_ENGINE.includes(name)) return undefined;
  const close = nearest(name, OURS);
  return `${NAMESPACE}:${name} is not a setting of this provider${close === undefined ? "" : `; did you mean ${close}?`}`;
}
