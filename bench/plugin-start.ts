import { runtime } from "@pulumi/pulumi";
import { dynamicToken, nativeToken, providerString } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, inMegabytes, inTurns, rowOfSides, seconds, Side, type Measured } from "./row";
import { settingsOf, withEmulator } from "./stacks";

const INPUTS = { name: "n", image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } };

/** A stock provider whose seven functions are there and do nothing. */
const nothing = {
  configure: () => Promise.resolve(),
  check: (_olds: unknown, news: object) => Promise.resolve({ inputs: news }),
  diff: () => Promise.resolve({ changes: false }),
  create: (inputs: object) => Promise.resolve({ id: "id", outs: inputs }),
  read: (id: string, props: object) => Promise.resolve({ id, props }),
  update: (_id: string, _olds: unknown, news: object) => Promise.resolve({ outs: news }),
  delete: () => Promise.resolve(),
};

/** One start: its time, and the memory after it. */
interface Started {
  readonly ms: number;
  readonly mb: number;
}

/** Both plugins' processes: from the start to the answer of the first check, and the memory then. */
export const pluginStart = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    /** @param code The provider of dynamic resources. @default the native plugin */
    const started = (code?: string, hasComponent = false) =>
      new Side(async () => {
        const isNative = code === undefined;
        const type = (isNative ? nativeToken : dynamicToken)("SandboxTemplate");
        const inputs = isNative ? INPUTS : { ...INPUTS, __provider: code };
        const began = performance.now();
        const plugin = await Plugin.start(settingsOf(emulator), isNative ? "native" : "dynamic");
        try {
          await plugin.check(`urn:pulumi:test::test::${type}::n`, inputs);
          if (hasComponent) await plugin.loadComponents();
          return { ms: performance.now() - began, mb: await plugin.memory() };
        } finally {
          await plugin.stop();
        }
      });
    const stock = started((await runtime.serializeFunction(() => nothing)).text);
    const dynamic = started(providerString("SandboxTemplate"));
    const [native, component] = [started(), started(undefined, true)];
    // One start takes half a second: more rounds cost little.
    for (let times = 0; times < 3; times++) await inTurns(stock, dynamic, native, component);

    const [time, memory] = [({ ms }: Started) => ms, ({ mb }: Started) => mb];
    const first = "start of the plugin to its first call, against stock resources that do nothing";
    const [start, size] = ["native plugin: start of the process to its first", "native plugin: memory of the process"];
    const [others, without] = [[native, dynamic] as const, [component, native] as const];
    return {
      rows: [
        rowOfSides(first, [dynamic, stock], time, seconds, atMost(1.25)),
        rowOfSides(`${start} call, against dynamic resources`, others, time, seconds, atMost(0.5)),
        rowOfSides(`${size}, against dynamic resources`, others, memory, inMegabytes, atMost(0.7)),
        rowOfSides(`${start} answers with a component, against without`, without, time),
        rowOfSides(`${size} with a component, against without`, without, memory, inMegabytes),
      ],
    };
  });
