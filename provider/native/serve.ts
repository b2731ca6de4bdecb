import { engineJournal } from "../engine/journal";
import { isGone, watchEngine } from "../engine/liveness";
import { isWatched, type Line, linesTo, throttled } from "../engine/log";
import { grpcOfSdk } from "../engine/sdk";
import { realClock } from "../base/clock";
import { AgentPlatformError } from "../base/errors";
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
  const started = engineAmong(argv.slice(2));
  const watched = watchEngine(started);
  let current = begin(started);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": MOST_BYTES,
    "grpc.max_send_message_length": MOST_BYTES,
  });
  // One that a person has started (PULUMI_DEBUG_PROVIDERS) serves one run after the other, of whatever engine calls it.
  const onAttach = (address: string): void => {
    if (started === undefined && (address !== current.address || current.run.signal.aborted)) current = begin(address);
  };
  const service = createService(
    () => current.plugin,
    onAttach,
    (request) => current.construct(request),
  );
  server.addService(protocol().ResourceProviderService, service);
  refuseOtherUsers();
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  process.stdout.write(`${port}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);

  /** Ends this process after the calls in progress are answered, so that the engine can record their results. */
  function end(): void {
    const { run, send, log, tracer } = current;
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

  /** What one run of an engine has of its own. */
  function begin(address: string | undefined) {
    const run = new PluginRun(realClock);
    const send = linesTo(address);
    const log = throttled(send, isWatched(process.env));
    const warn = (message: string) => log.warn(message);
    const tracer = openTracer(process.env, warn);
    const ownership = new Ownership(engineJournal(address), warn);
    const { env: environment } = process;
    const checkAlive = async (): Promise<void> => {
      if (started === undefined && (await isGone(address)))
        throw new AgentPlatformError("the engine of this run is gone");
      await watched();
    };
    const session = createSession({ environment, log, tracer, checkAlive, ownership, signal: run.signal });
    let components: ReturnType<LoadComponents> | undefined;
    const construct = (request: unknown) => (components ??= loadComponents(address ?? ""))(request);
    return { address, run, send, log, tracer, construct, plugin: new NativePlugin(session, run) };
  }
}

/** The last argument that looks like an address: the engine's own flags (-v, --tracing HOST:PORT) come before it. */
const engineAmong = (args: readonly string[]): string | undefined =>
  args.findLast((each) => /^[\w.[\]:-]*:\d+$/.test(each));
