import type { JsonObject } from "../../provider/base/json";

/** The servers of the addresses that the functions have read. */
const readServers = new Set<string>();

/** Remembers the server of an address that a read found on the platform. */
export function rememberServer({ url }: JsonObject): void {
  if (typeof url === "string" && URL.canParse(url)) readServers.add(new URL(url).host);
}

/** Whether this program has read the address from the platform: then anybody who can change the deployment may have chosen it. */
export const isFromPlatform = (url: string): boolean => URL.canParse(url) && readServers.has(new URL(url).host);
