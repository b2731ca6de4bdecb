import { runtime } from "@pulumi/pulumi";
import { dynamicToken, nativeToken, providerString } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { atMost, inTurns, seconds, shown, Side, type Measured, type Row } from "./row";
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

    const row = (name: string, what: "ms" | "mb", sides: readonly (typeof native)[], verdict = shown): Row => {
      const [ours = NaN, baseline = NaN] = sides.map((side) => side.median((run) => run[what]));
      const text = what === "ms" ? seconds : (mb: number) => `${mb.toFixed(0)} MB`;
      return { name, ours: text(ours), baseline: text(baseline), ...verdict(ours / baseline) };
    };
    const most = (goal: number) => (ratio: number) => atMost(goal, ratio);
    return {
      rows: [
        row(
          "start of the plugin to its first call, against stock resources that do nothing",
          "ms",
          [dynamic, stock],
          most(1.25),
        ),
        row(
          "native plugin: start of the process to its first call, against dynamic resources",
          "ms",
          [native, dynamic],
          most(0.5),
        ),
        row("native plugin: memory of the process, against dynamic resources", "mb", [native, dynamic], most(0.7)),
        row("native plugin: start of the process to its first answers with a component, against without", "ms", [
          component,
          native,
        ]),
        row("native plugin: memory of the process with a component, against without", "mb", [component, native]),
      ],
    };
  });
