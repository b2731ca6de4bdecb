import { ManualClock, startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { resolveConnection } from "../../provider/base/connection";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { Declarations } from "../../provider/lifecycle/observe/declarations";
import { showDuration } from "../../provider/base/time";
import type { ResourceType } from "../../provider/resources/resource-types";
import { createSession, type Session } from "../../provider/lifecycle/session";
import { openResource } from "../../provider/resources/registry";
import { ask } from "./ask";
import { EngineModel } from "./engine-model";
import { FakeClock } from "./fake-clock";
import { createHandler, type Handler } from "../../provider/dynamic/handler";

/** An emulator on a clock that only sleeps of the provider move on, and handlers that talk to it. */
export class PlatformUnderTest {
  readonly warnings: string[] = [];
  readonly progress: string[] = [];
  readonly debug: string[] = [];
  /** The lasting lines that warn of nothing, each with its row. */
  readonly told: { readonly message: string; readonly urn: string | undefined }[] = [];
  private readonly writes = { count: 0 };
  private readonly ownership = new Ownership();
  private declarations = new Declarations();

  private constructor(
    readonly emulator: Emulator,
    readonly clock: ManualClock,
  ) {}

  static async start(options: EmulatorOptions = {}): Promise<PlatformUnderTest> {
    const clock = new ManualClock();
    return new PlatformUnderTest(await startEmulator({ clock, buildSeconds: 60, ...options }), clock);
  }

  /** Everything as after the start. */
  reset(): void {
    this.emulator.reset();
    this.newProcess();
    this.warnings.length = 0;
    this.progress.length = 0;
    this.debug.length = 0;
    this.told.length = 0;
  }

  /** As a new process begins: nothing is kept of what was read before. */
  newProcess(): void {
    this.writes.count += 1;
    Object.assign(this.ownership, new Ownership());
    this.declarations = new Declarations();
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  /**
   * A handler with this emulator as its stack configuration; with `stackKey`, as that of the native plugin, whose provider keeps one.
   * @param ownership Of another process than this one's.
   */
  async handler(
    kind: ResourceType,
    { stackKey, ...settings }: Record<string, string> = {},
    ownership = this.ownership,
  ): Promise<Handler> {
    const { clock, emulator } = this;
    const session = createSession({
      log: {
        progress: ({ status, of, note }) =>
          this.progress.push([of, status, note].filter((part) => part !== undefined).join("; ")),
        finishProgress: ({ status, waitedMs }) =>
          Promise.resolve(
            void this.progress.push(waitedMs === undefined ? status : `${status} in ${showDuration(waitedMs)}`),
          ),
        warn: (message) => this.warnings.push(message),
        info: (message, urn) => this.told.push({ message, urn }),
        alike: (message, name) => this.told.push({ message: `${message} (${name})`, urn: undefined }),
        debug: (message) => this.debug.push(message),
      },
      clock: new FakeClock(clock),
      random: () => 0.5,
      writes: this.writes,
      ownership,
      declarations: this.declarations,
    });
    return configured(kind, session, { baseUrl: emulator.url, apiKey: emulator.apiKey, ...settings }, stackKey);
  }

  async resource(kind: ResourceType, settings?: Record<string, string>): Promise<EngineModel> {
    return new EngineModel(await this.handler(kind, settings), kind, () => this.newProcess());
  }

  /** The methods of the requests that are not reads, in order. */
  changing(): string[] {
    return this.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
  }

  /** Asks the platform as another client with the same key. */
  ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return ask(this.emulator, method, path, body);
  }
}

/** A handler with these settings; with `stackKey`, as that of the native plugin, whose provider keeps one. */
export async function configured(
  kind: ResourceType,
  session: Session,
  settings: Readonly<Record<string, string>>,
  stackKey?: string,
): Promise<Handler> {
  const resource = openResource(kind, session);
  const handler = createHandler(resource, session);
  await handler.configure({ config: { get: (key) => settings[key.replace("agent-platform:", "")] } });
  const resolved = resolveConnection((setting) => settings[setting], {});
  if (stackKey !== undefined && "connection" in resolved)
    resource.connect({ connection: { ...resolved.connection, stackKey } });
  return handler;
}

/** The message of a promise that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => "it succeeded",
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}
