import { createServer, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Runs } from "./agents/runs";
import { timestamp, type Clock } from "./base/clock";
import { EmulatorError } from "./base/emulator-error";
import { Faults, type FaultSwitch } from "./faults/fault-injector";
import { Limits } from "./limits/rate-limiter";
import { RequestLog, type LogEntry } from "./server/request-log";
import { settingsFrom, type EmulatorOptions, type RevisionOutcome, type Settings, type Tenant } from "./options";
import { DataFile, loadStore, requireWritable, unusable } from "./store/persistence";
import { RevisionOutcomes } from "./platform/revision-outcomes";
import { answerRequest, askRouter, createRouter, type Listening } from "./server/request-handler";
import type { Services } from "./routes/route";
import {
  outOfBand,
  Store,
  StoreError,
  type CollectionDefinition,
  type OutOfBand,
  type StoredRecord,
} from "./store/store";

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
  /** Everything asked so far, oldest first, without any secret. */
  readonly requests: readonly LogEntry[];
  /** Faults to switch on and off. */
  readonly faults: FaultSwitch;
  /** All objects, as plain data. */
  readonly store: Store;
  clearLog(): void;
  /** How the next revision made by anybody ends. Several calls queue up. */
  nextRevision(outcome: RevisionOutcome): void;
  /** Looks at and changes objects behind the back of the API: for tests of drift. */
  outOfBand<T extends StoredRecord>(collection: CollectionDefinition<T>): OutOfBand<T>;
  /** Forgets all objects, the log, queued outcomes, added faults and who asked how often. Keeps the port. */
  reset(): void;
  /** Stops listening, cuts connections and flushes the data file. May be called twice. */
  close(): Promise<void>;
}

/** Starts an emulator. Rejects with EmulatorError when the port is taken or the data file cannot be used. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = settingsFrom(options);
  const { clock } = settings;
  const log = new RequestLog();
  const outcomes = new RevisionOutcomes(settings.revisionOutcome);
  const { store, dataFile } = openStore(options.dataFile);
  let url = "";
  const runs = new Runs(settings.stream);
  const services: Services = { store, clock, settings, outcomes, runs, publicUrl: () => url };
  const router = openRouter(services, options.dataFile);
  const faults = new Faults({
    store,
    clock,
    seed: options.seed ?? 1,
    initial: options.faults ?? [],
    ask: (exchange, stored) =>
      askRouter(stored === undefined ? router : createRouter({ ...services, store: new Store(stored) }), exchange),
  });
  const limits = limitsOf(options, settings);
  const streams = new Set<ServerResponse>();
  const endStreams = () => {
    runs.clear();
    for (const outgoing of [...streams]) outgoing.destroy();
  };
  const server = serve({
    streams,
    router,
    clock,
    log,
    layers: [...(options.layers ?? []), ...(limits === undefined ? [] : [limits]), faults],
    commit: () => dataFile?.save() ?? Promise.resolve(),
    answered: options.onRequest ?? (() => undefined),
  });
  const port = await listen(server, options.port ?? 0);
  url = `http://127.0.0.1:${port}`;
  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    ...firstTenant(settings),
    tenants: settings.tenants,
    clock,
    requests: log.entries,
    faults,
    store,
    clearLog: () => log.clear(),
    nextRevision: (outcome) => outcomes.push(outcome),
    outOfBand: (collection) => outOfBand(collection, store, () => timestamp(clock.now())),
    reset: () => {
      faults.reset();
      endStreams();
      limits?.reset();
      store.clear();
      log.clear();
      outcomes.clear();
    },
    close: () => {
      faults.close();
      endStreams();
      return (closing ??= stop(server).then(() => dataFile?.save()));
    },
  };
}

function openStore(path: string | undefined): { store: Store; dataFile: DataFile | undefined } {
  if (path === undefined) return { store: new Store(), dataFile: undefined };
  const store = loadStore(path);
  requireWritable(path);
  return { store, dataFile: new DataFile(path, store) };
}

/** Routes open their collections here: stored data that they cannot read ends the start. */
function openRouter(services: Services, path: string | undefined): Listening["router"] {
  try {
    return createRouter(services);
  } catch (error) {
    if (error instanceof StoreError && path !== undefined) throw unusable(path, error.message, error);
    throw error;
  }
}

function limitsOf({ limits = false }: EmulatorOptions, { region, clock }: Settings): Limits | undefined {
  if (limits === false) return undefined;
  return new Limits(region, clock, limits === true ? "seconds" : limits.retryAfter);
}

function firstTenant(settings: Settings): { apiKey: string; tenantId: string } {
  const [first] = settings.tenants;
  if (first === undefined) throw new Error("The emulator needs at least one tenant.");
  return { apiKey: first.apiKey, tenantId: first.tenantId };
}

function serve(listening: Listening): Server {
  const server = createServer((incoming, outgoing) => {
    const listener = getRequestListener((request) => answerRequest(listening, request, { incoming, outgoing }), {
      // The emulator runs inside tests: it leaves their global Request and Response alone.
      overrideGlobalObjects: false,
    });
    void listener(incoming, outgoing);
  });
  // Longer than any client keeps an idle connection: a request must not meet a socket that is being closed.
  server.keepAliveTimeout = 120_000;
  return server;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(isPortTaken(error) ? portTaken(port, error) : error));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("The emulator listens on no port."));
    });
  });
}

function isPortTaken(error: Error): boolean {
  return "code" in error && error.code === "EADDRINUSE";
}

function portTaken(port: number, cause: Error): EmulatorError {
  return new EmulatorError(
    `Port ${port} of 127.0.0.1 is taken. Stop what listens there, or choose another port (0: any free one).`,
    { cause },
  );
}

/** Requests under way get this long to end. */
const graceMs = 2000;

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
