import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import type { CollectionDefinition, StoredRecord } from "../../emulator/store/collection";
import { startAgentServer, type AgentServer } from "../support/agent-server";
import { ProgramHost } from "../support/kept-host";
import { CliStack, FRONT, ok, type Front } from "../support/cli-stack";

/** The stack configuration that points to the emulator, and its key. */
export const connectionTo = ({ url, apiKey }: Emulator) =>
  [{ "agent-platform:baseUrl": url }, { "agent-platform:apiKey": apiKey }] as const;

/** Stacks that are removed when their test ends. */
export interface StacksOfTests {
  /** A stack of this program. */
  make(program: string, options?: { readonly front?: Front }): Promise<CliStack>;
  /** The same with this configuration; only the first of a test file runs the commands that set it. */
  makeWith(
    settings: Record<string, string>,
    secrets: Record<string, string>,
    program: string,
    front?: Front,
  ): Promise<CliStack>;
}

/** To be called where a test file registers hooks. One process runs the programs of all the stacks. */
export function stacksOfTests(): StacksOfTests {
  const stacks: CliStack[] = [];
  /** By configuration: never brought up, and copied for each test. */
  const blanks = new Map<string, Promise<CliStack>>();
  const host = new ProgramHost();
  afterEach(() => stacks.splice(0).forEach((stack) => stack.remove()));
  afterAll(async () => {
    host.stop();
    for (const blank of blanks.values()) (await blank).remove();
  });
  const blankOf = async (settings: Record<string, string>, secrets: Record<string, string>): Promise<CliStack> => {
    const blank = await CliStack.make("");
    await blank.configure(settings, secrets);
    return blank;
  };
  const makeWith: StacksOfTests["makeWith"] = async (settings, secrets, program, front = FRONT) => {
    const key = JSON.stringify([settings, secrets]);
    const blank = blanks.get(key) ?? blankOf(settings, secrets);
    blanks.set(key, blank);
    const stack = new CliStack((await blank).twin());
    stacks.push(stack);
    stack.choose(front);
    stack.write(program);
    stack.host = host;
    return stack;
  };
  return { makeWith, make: (program, { front } = {}) => makeWith({}, {}, program, front) };
}

/** Starts emulators that are closed when their test ends. To be called where a test file registers hooks. */
export function emulatorsOfTests(defaults: EmulatorOptions = {}): (options?: EmulatorOptions) => Promise<Emulator> {
  const emulators: Emulator[] = [];
  afterEach(async () => {
    await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
  });
  return async (options) => {
    const emulator = await startEmulator({ ...defaults, ...options });
    emulators.push(emulator);
    return emulator;
  };
}

/** An emulator for all tests of a file, and stacks that are connected to it. */
export interface OnEmulator {
  /** Each test finds it as it was at its start. */
  readonly emulator: Emulator;
  /** All that it has of a table, oldest first. */
  kept: <T extends StoredRecord>(table: CollectionDefinition<T>) => readonly T[];
  /** What was sent to change something since the log began: "PATCH /v2/...". A log is asked for with a POST. */
  writes(): string[];
  /** A stack of this program, not yet brought up. */
  stackOf(program: string, secrets?: Record<string, string>, front?: Front): Promise<CliStack>;
  /** A stack of this program after its first `up`; the emulator's log begins behind it. */
  upOf(program: string, secrets?: Record<string, string>): Promise<CliStack>;
}

/** To be called where a test file registers hooks; the emulator is there from the first test on. @param options Or what gives them, once. */
export function onEmulator(options: EmulatorOptions | (() => Promise<EmulatorOptions>) = {}): OnEmulator {
  let started: Emulator | undefined;
  const running = (): Emulator => {
    if (started === undefined) throw new Error("the emulator runs within tests only");
    return started;
  };
  beforeAll(async () => {
    started = await startEmulator(typeof options === "function" ? await options() : options);
  });
  const stacks = stacksOfTests();
  afterEach(() => {
    started?.reset();
    started?.clearLog();
  });
  afterAll(() => started?.close());

  const stackOf: OnEmulator["stackOf"] = (program, secrets = {}, front = FRONT) => {
    const [settings, key] = connectionTo(running());
    return stacks.makeWith(settings, { ...key, ...secrets }, program, front);
  };
  return {
    get emulator() {
      return running();
    },
    kept: (table) => running().outOfBand(table).list(),
    writes: () =>
      running()
        .requests.map(({ method, path }) => `${method} ${path}`)
        .filter((request) => !/^GET|_logs$/.test(request)),
    stackOf,
    upOf: async (program, secrets) => {
      const stack = await stackOf(program, secrets);
      ok(await stack.up());
      running().clearLog();
      return stack;
    },
  };
}

/** The same, and an agent server that all deployments of these names have. Each test finds it empty. Nothing takes time. */
export function onAgent(...names: readonly string[]): { readonly platform: OnEmulator; readonly agent: AgentServer } {
  let agent: AgentServer | undefined;
  const platform = onEmulator(async () => {
    const { url } = (agent = await startAgentServer());
    const agents = Object.fromEntries(names.map((name) => [name, url]));
    return { agents, buildSeconds: 0, deleteSeconds: 0 };
  });
  afterEach(() => agent?.reset());
  afterAll(() => agent?.close());
  return {
    platform,
    get agent() {
      if (agent === undefined) throw new Error("the agent runs within tests only");
      return agent;
    },
  };
}
