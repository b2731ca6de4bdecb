import { addressProblem, urlProblem } from "../../base/address";
import type { Connection } from "../../base/connection";
import { UNKNOWN, type JsonObject } from "../../base/json";
import { configKey } from "../../base/settings";
import { vouchesFor } from "../../base/vouched";
import type { Problem } from "../../lifecycle/fields/schema";

/** Why the connection's key may not go to the agent of a check; empty if it may, or does not. Values may be unknown, and wrong. */
export function strayKey(connection: Connection, { url, customUrl, apiKey }: JsonObject): Problem[] {
  if (apiKey !== undefined || connection.apiKey === undefined) return [];
  if (typeof url !== "string" || url === UNKNOWN || urlProblem(url) !== undefined) return [];
  const declared = typeof customUrl === "string" ? customUrl : undefined;
  if (declared !== undefined && (declared === UNKNOWN || addressProblem(declared) !== undefined)) return [];
  if (vouchesFor(connection, url, declared)) return [];
  const reason =
    `${new URL(url).host} is no address of the platform, and the program does not declare it, so the connection's apiKey is not sent there: somebody ` +
    "may have set it on the platform. If it is right, give the RunCheck an apiKey of its own, declare the address as its customUrl, or set " +
    `${configKey("agentDomain")} to the domain of the platform's agents`;
  return [{ path: ["url"], reason }];
}
