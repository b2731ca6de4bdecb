import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { CliStack, FRONT, ok, type Front } from "../support/cli-stack";

/** The stack configuration that points to the emulator, and its key. */
export const connectionTo = ({ url, apiKey }: Emulator) =>
  [{ "agent-platform:baseUrl": url }, { "agent-platform:apiKey": apiKey }] as const;

/** Makes stacks that are removed when their test ends. To be called where a test file registers hooks. */
export function stacksOfTests({ keepsHost = false } = {}): { readonly make: typeof CliStack.make } {
  const stacks: CliStack[] = [];
  afterEach(() => stacks.splice(0).forEach((stack) => stack.remove()));
  const make: typeof CliStack.make = async (...args) => {
    const stack = await CliStack.make(...args);
    stack.keepsHost = keepsHost;
    stacks.push(stack);
    return stack;
  };
  return { make };
}

/** An emulator for all tests of a file, and stacks that are connected to it. */
export interface OnEmulator {
  /** Each test finds it as it was at its start. */
  readonly emulator: Emulator;
  /** A stack of this program, not yet brought up. */
  stackOf(program: string, secrets?: Record<string, string>, front?: Front): Promise<CliStack>;
  /** A stack of this program after its first `up`; the emulator's log begins behind it. */
  upOf(program: string): Promise<CliStack>;
}

/** To be called where a test file registers hooks; the emulator is there from the first test on. */
export function onEmulator(options: EmulatorOptions = {}, kept = { keepsHost: true }): OnEmulator {
  let started: Emulator | undefined;
  const running = (): Emulator => {
    if (started === undefined) throw new Error("the emulator runs within tests only");
    return started;
  };
  beforeAll(async () => {
    started = await startEmulator(options);
  });
  const stacks = stacksOfTests(kept);
  afterEach(() => {
    started?.reset();
    started?.clearLog();
  });
  afterAll(() => started?.close());

  const stackOf: OnEmulator["stackOf"] = async (program, secrets = {}, front = FRONT) => {
    const stack = await stacks.make(program, { front });
    const [settings, key] = connectionTo(running());
    await stack.configure(settings, { ...key, ...secrets });
    return stack;
  };
  return {
    get emulator() {
      return running();
    },
    stackOf,
    upOf: async (program) => {
      const stack = await stackOf(program);
      ok(await stack.up());
      running().clearLog();
      return stack;
    },
  };
}
