import type { Connection } from "../../provider/base/connection";

/** A connection with all defaults. */
export function connectionTo(baseUrl: string, over: Partial<Connection> = {}): Connection {
  return {
    baseUrl,
    sandboxBaseUrl: baseUrl,
    apiKey: "canary-api-key",
    contract: "extended",
    checks: "strict",
    preview: "offline",
    onUndeletable: "warn",
    allowOriginChange: false,
    allowInsecure: false,
    requestTimeout: 30,
    requestAttempts: 6,
    requestBudget: 60,
    longestPause: 15,
    rateLimit: 1000,
    log: "off",
    ...over,
  };
}
