import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { runCrons } from "./agents/cron-runs";
import { type AgentOptions, agentSettings } from "./agents/options";
import { AgentProcesses } from "./agents/processes";
import { Runs } from "./agents/runs";
import { type Clock, realClock, timestamp } from "./base/clock";
import { EmulatorError } from "./base/emulator-error";
import type { LogEntry, Tenant } from "./base/exchange";
import { FaultInjector } from "./faults/fault-injector";
import type { FaultSwitch } from "./faults/fault-switch";
import type { FaultOptions } from "./faults/options";
import { type LimitOptions, RateLimiter, retryAfterOf } from "./limits/rate-limiter";
import type { Branch } from "./platform/branches";
import { type PlatformOptions, platformSettings, type RevisionOutcome } from "./platform/options";
import { createPlatform } from "./platform/platform";
import { RevisionOutcomes } from "./platform/revision-outcomes";
import { type ResponseOptions, responseSettings } from "./routes/options";
import type { RouteServices } from "./routes/route";
import { BodyReader } from "./server/body-reader";
import { HttpServer } from "./server/http-server";
import { type ServerOptions, serverSettings } from "./server/options";
import { RequestLog } from "./server/request-log";
import { ownRequests } from "./server/own-requests";
import { createRouter, routeExchange } from "./server/router";
import type { CollectionDefinition, StoredRecord } from "./store/collection";
import { openStore, type StoreOptions } from "./store/persistence";
import { outOfBand, type OutOfBand } from "./store/out-of-band";
import { Store } from "./store/store";

/** Settings of `startEmulator`, those of each room; every one has a default that suits a test. */
export interface EmulatorOptions
  extends ServerOptions, LimitOptions, FaultOptions, ResponseOptions, AgentOptions, PlatformOptions, StoreOptions {
  /** @default the clock of the machine */
  readonly clock?: Clock;
  /**
   * Serve the console, a page for browsers, below /console (docs/console.md). The commands that it shows read the key from `keyFile`.
   * @default false
   */
  readonly console?: boolean | { readonly keyFile?: string | undefined };
}

/** A running emulator of the platform, on a real port of the loopback interface. */
export interface Emulator {
  /** "http://127.0.0.1:<port>", without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Key and tenant of the first tenant. */
  readonly apiKey: string;
  readonly tenantId: string;
  readonly tenants: readonly Tenant[];
  readonly clock: Clock;
  /** All requests so far, oldest first, without any secret. */
  readonly requests: readonly LogEntry[];
  /** Faults to switch on and off. */
  readonly faults: FaultSwitch;
  /** All objects, as plain data. */
  readonly store: Store;
  clearLog(): void;
  /** A new address that opens the console once, in one browser. Throws EmulatorError unless the option `console` is set. */
  consoleUrl(): string;
  /** How the next revision ends, of whichever deployment. Several calls queue up. */
  nextRevision(outcome: RevisionOutcome): void;
  /** A push: the branch moves on by one commit, and each deployment that builds it on push gets a revision. */
  push(branch: Branch): void;
  /** Looks at and changes objects behind the back of the API: for tests of drift. */
  outOfBand<T extends StoredRecord>(collection: CollectionDefinition<T>): OutOfBand<T>;
  /** Forgets all objects, the log, queued outcomes, added faults and the counts of the rate limits. Keeps the port. */
  reset(): void;
  /** Stops listening, cuts connections and flushes the data file. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts an emulator. Rejects with EmulatorError when the port is taken or the data file cannot be used.
 *
 * @example
 * import { deployments, startEmulator } from "pulumi-agent-platform/emulator";
 *
 * const emulator = await startEmulator({ buildSeconds: 0 });
 * console.log(emulator.url, emulator.apiKey, emulator.outOfBand(deployments).list());
 * await emulator.close();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const clock = options.clock ?? realClock;
  let processes: AgentProcesses | undefined;
  const platform = platformSettings({
    ...options,
    revisionLog: (revision) =>
      (revision.kind === "deploy" ? processes?.linesOf(revision.revisionId) : undefined) ??
      options.revisionLog?.(revision),
  });
  const agents = agentSettings(options, clock, (revisionId) => processes?.serverOf(revisionId));
  const commands = [...agents.own].flatMap(([name, own]) => ("command" in own ? [[name, own.command] as const] : []));
  // A client with the key decides what a command does, so the usual key, which is public, would give everybody a shell.
  const ownKey = commands.length > 0 ? { apiKey: options.apiKey || randomBytes(24).toString("hex") } : {};
  const settings = serverSettings({ ...options, ...ownKey });
  const { store, commit } = openStore(options);
  const outcomes = new RevisionOutcomes(platform.revisionOutcome);
  // No request waits for it: if the file cannot be written, the next request reports it.
  const save = () => commit().catch(() => undefined);
  const runs = new Runs(agents.stream, save);
  let url = "";
  const shared = { clock, runs, agents, responses: responseSettings(options), publicUrl: () => url };
  const servicesOver = (stored: Store): RouteServices => ({
    ...shared,
    store: stored,
    platform: createPlatform(stored, platform, outcomes, (id) => runs.forgetThread(id)),
  });
  const services = servicesOver(store);
  const router = createRouter(services, settings);
  const faults = new FaultInjector(options, store, clock, (exchange, stored) =>
    routeExchange(stored ? createRouter(servicesOver(new Store(stored)), settings) : router, exchange),
  );
  const retryAfter = retryAfterOf(options);
  const limiter = retryAfter && new RateLimiter(retryAfter, clock);
  const log = new RequestLog();
  const streams = new Set<ServerResponse>();
  const endStreams = () => {
    runs.clear();
    for (const outgoing of [...streams]) outgoing.destroy();
  };
  const page = options.console
    ? // Loaded only where it is asked for.
      (await import("./console/app")).openConsole({
        ...{ ...services, log, faults, outcomes, commit, tenants: settings.tenants },
        ask: ownRequests(createRouter(services, { ...settings, contract: "extended" }), commit),
        keyFile: typeof options.console === "object" ? options.console.keyFile : undefined,
      })
    : undefined;
  const layers = [...settings.layers, limiter, faults].filter((layer) => layer !== undefined);
  const server = new HttpServer({
    ...{ streams, router, clock, log, layers, commit, onRequest: settings.onRequest, tenants: settings.tenants },
    bodies: new BodyReader(settings.bodyLimit),
    beside: page?.handle ?? (() => undefined),
  });
  const port = await server.listen(settings.port);
  const stopCrons = runCrons({ ...services, save });
  if (commands.length > 0) {
    const keys = settings.tenants.map((tenant) => tenant.apiKey);
    processes = new AgentProcesses(new Map(commands), { ...services, keys, save });
  }
  url = `http://127.0.0.1:${port}`;
  const [{ apiKey, tenantId }] = settings.tenants;
  let closing: Promise<void> | undefined;
  return {
    ...{ url, port, apiKey, tenantId, clock, faults, store },
    tenants: settings.tenants,
    requests: log.entries,
    clearLog: () => log.clear(),
    consoleUrl: () => {
      if (page === undefined) throw new EmulatorError("This emulator has no console: start it with `console: true`.");
      return page.address();
    },
    nextRevision: (outcome) => outcomes.push(outcome),
    push: (branch) => services.platform.deployments.push(branch, clock.now()),
    outOfBand: (collection) => outOfBand(collection, store, () => timestamp(clock.now())),
    reset: () => {
      faults.reset();
      endStreams();
      limiter?.reset();
      store.clear();
      log.clear();
      outcomes.clear();
    },
    close: () => {
      stopCrons();
      faults.close();
      endStreams();
      return (closing ??= Promise.all([server.stop(), processes?.close()]).then(commit));
    },
  };
}
