import { nativeToken } from "../provider/resources/resource-types";
import { Plugin } from "./plugin";
import { inTurns, seconds, shown, Side, type Measured, type Row } from "./row";
import { settingsOf, withEmulator } from "./stacks";

const INPUTS = { name: "n", image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } };

interface Started {
  readonly ms: number;
  readonly mb: number;
}

/** The start and the memory of the native plugin for a program with a component, and for one without. */
export const components = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const started = (hasComponent: boolean) =>
      new Side(async (): Promise<Started> => {
        const began = performance.now();
        const plugin = await Plugin.start(settingsOf(emulator), "native");
        try {
          await plugin.check(`urn:pulumi:test::test::${nativeToken("SandboxTemplate")}::n`, INPUTS);
          if (hasComponent) await plugin.loadComponents();
          return { ms: performance.now() - began, mb: await plugin.memory() };
        } finally {
          await plugin.stop();
        }
      });
    const [beside, without] = [started(true), started(false)];
    for (let times = 0; times < 3; times++) await inTurns(beside, without);
    const row = (what: string, figure: (run: Started) => number, text: (value: number) => string): Row => {
      const [ours, baseline] = [beside.median(figure), without.median(figure)];
      const name = `native plugin: ${what} with a component, against without`;
      return { name, ours: text(ours), baseline: text(baseline), ...shown(ours / baseline) };
    };
    return {
      rows: [
        row("start of the process to its first answers", ({ ms }) => ms, seconds),
        row(
          "memory of the process",
          ({ mb }) => mb,
          (mb) => `${mb.toFixed(0)} MB`,
        ),
      ],
    };
  });
