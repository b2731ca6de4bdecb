import type { JsonObject } from "../../provider/base/json";

/** The servers of the addresses that the functions have read. */
const readServers = new Set<string>();

/** Remembers the server of an address that the platform shows among the details of an object. */
export function rememberServer({ url }: JsonObject): void {
  if (typeof url === "string" && URL.canParse(url)) readServers.add(new URL(url).host);
}

/** Whether an address is one that the platform told this program: anybody who may change the deployment may have chosen it. */
export const isFromPlatform = (url: string): boolean => URL.canParse(url) && readServers.has(new URL(url).host);
