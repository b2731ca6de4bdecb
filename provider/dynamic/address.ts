import type { EngineAddress } from "../engine/address";

/** The engine's address as the plugin for dynamic resources gets it; undefined in any other process, such as a test. */
export function engineOf([, script = "", address = ""]: readonly string[]): EngineAddress {
  const isPlugin = /dynamic-provider/.test(script) && /:\d+$/.test(address);
  return () => (isPlugin ? address : undefined);
}
