import { engineJournal } from "../engine/journal";
import { type EngineAddress, watchEngine } from "../engine/liveness";
import { isWatched, type Line, linesTo, throttled } from "../engine/log";
import { grpcOfSdk } from "../engine/sdk";
import { realClock } from "../base/clock";
import { Ownership } from "../lifecycle/identity/ownership";
import { createSession } from "../lifecycle/session";
import { unawaited } from "../resources/rollout/unawaited";
import { openTracer } from "../tracing/tracer";
import { NativePlugin } from "./native-plugin";
import { refuseOtherUsers } from "./peers";
import { PluginRun } from "./run";
import { createService, protocol } from "./service";

/** A state of 10,000 resources is some 20 MB; the engine takes as much. */
const MOST_BYTES = 400 * 1024 * 1024;
/** The engine kills a plugin 5 seconds after it has asked it to end. */
const GRACE_MS = 4000;

/** Loads what answers a Construct, for an engine at this address. */
export type LoadComponents = (engine: string) => (request: unknown) => Promise<unknown>;

/**
 * Serves a plugin to the engine that started this process, and prints the port on the first line, where the engine reads it.
 * @param loadComponents Called once a program declares a component: they need the whole SDK.
 */
export async function serve(loadComponents: LoadComponents, argv: readonly string[] = process.argv): Promise<void> {
  const grpc = grpcOfSdk();
  const run = new PluginRun(realClock);
  const started = engineAmong(argv.slice(2));
  let attached: string | undefined;
  // One that a person has started serves whatever engine calls it.
  const engine: EngineAddress = () => started ?? attached;
  const send = linesTo(engine);
  const log = throttled(send, isWatched(process.env));
  const tracer = openTracer(process.env, (message) => log.warn(message));
  const session = createSession({
    environment: process.env,
    log,
    tracer,
    checkAlive: watchEngine(engine),
    ownership: new Ownership(engineJournal(engine), (message) => log.warn(message)),
    signal: run.signal,
  });
  const plugin = new NativePlugin(session, run);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": MOST_BYTES,
    "grpc.max_send_message_length": MOST_BYTES,
  });
  let construct: ReturnType<LoadComponents> | undefined;
  const service = createService(
    plugin,
    (engineAddress) => (attached = engineAddress),
    (request) => (construct ??= loadComponents(engine() ?? ""))(request),
  );
  server.addService(protocol().ResourceProviderService, service);
  refuseOtherUsers();
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  process.stdout.write(`${port}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);

  /** Ends this process once what is under way is answered, so that nothing is lost that the engine could still record. */
  function end(): void {
    run.cancel();
    const warnings = unawaited(run.registered() ?? []);
    const say = async (severity: Line["severity"], all: readonly string[]) => {
      for (const message of all) await send({ severity, message, ephemeral: false });
    };
    setTimeout(() => process.exit(0), GRACE_MS).unref();
    void run
      .ended()
      .then(() => Promise.all([say("INFO", log.ended()), say("WARNING", warnings)]))
      .then(() => tracer.flush())
      .then(() => process.exit(0));
  }
}

/** The last argument that looks like an address: the engine's own flags (-v, --tracing HOST:PORT) come before it. */
const engineAmong = (args: readonly string[]): string | undefined =>
  args.findLast((each) => /^[\w.[\]:-]*:\d+$/.test(each));
