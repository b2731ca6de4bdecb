import type { Contract, Layer, LogEntry, Tenant } from "../base/exchange";

/** Where the emulator listens, which keys it accepts, and which endpoints it serves. */
export interface ServerOptions {
  /** @default 0: any free port. The host is always 127.0.0.1. */
  readonly port?: number;
  /** @default "extended" */
  readonly contract?: Contract;
  /** A path below which the control plane answers too; "" is none. @default "/api-host", and none in contract documented */
  readonly basePath?: string;
  /** Key of the one default tenant. @default "emulator-key", and a random one if `agents` has a command: it then opens a shell */
  readonly apiKey?: string;
  /** Replaces the default tenant (and `apiKey`). */
  readonly tenants?: readonly Tenant[];
  /**
   * What a body may have, in bytes: a longer one is answered 413. Bodies that are still coming may have 64 MiB together, or twice as much as one:
   * a body beyond that is answered 503. The platform documents no limit. @default 16 MiB
   */
  readonly bodyLimit?: number;
  /** Answer to a path of neither contract, except below an agent. A 404 could be read as "deleted". @default "501" */
  readonly unknownRoute?: "404" | "501";
  /** Called with each request once it is answered. */
  readonly onRequest?: (entry: LogEntry) => void;
  /** Layers that each request passes on its way in and out, outermost first; limits and faults come after. @default none */
  readonly layers?: readonly Layer[];
}

/** The options with every default filled in. */
export interface ServerSettings extends Readonly<Required<Omit<ServerOptions, "apiKey">>> {
  readonly tenants: readonly [Tenant, ...Tenant[]];
}

/** The default tenant and organization. Fixed, so that stored data is found again. */
export const defaultTenantIds = {
  tenantId: "5b0e7a52-7f5d-4c0c-9a1e-6d3f0a1b2c3d",
  organizationId: "c1d2e3f4-0a1b-4c2d-8e3f-405162738495",
} as const;

/** Throws when `tenants` is empty, or `basePath` not a path such as "/api-host". */
export function serverSettings(options: ServerOptions): ServerSettings {
  const [first, ...others] = options.tenants ?? [{ ...defaultTenantIds, apiKey: options.apiKey ?? "emulator-key" }];
  if (first === undefined) throw new Error("The emulator needs at least one tenant.");
  const { contract = "extended", basePath = contract === "extended" ? "/api-host" : "" } = options;
  if (!/^(\/[\w.-]+)*$/.test(basePath))
    throw new Error(`The base path must be a path like /api-host, not "${basePath}".`);
  const { port = 0, bodyLimit = 16 * 1024 * 1024, unknownRoute = "501", layers = [] } = options;
  const { onRequest = () => undefined } = options;
  return { port, contract, basePath, tenants: [first, ...others], bodyLimit, unknownRoute, onRequest, layers };
}
