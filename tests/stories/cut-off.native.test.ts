import { cutOff, PHASES, type Cut } from "../engine/cut-off";
import { describeWithEngine } from "../support/with-engine";

// More phases: tests/engine/cut-off.both.test.ts. Every phase with every cut: `npm run chaos:engine`.
const CELLS: readonly (readonly [phase: string, cut: Cut, why: string])[] = [
  ["between the POST of a template and its answer", "SIGKILL of both", "an object that no state knows"],
];

describeWithEngine("a run that is cut off loses nothing and doubles nothing", () => {
  test.each(CELLS)("%s, by %s: %s", async (name, cut) => {
    const phase = PHASES.find((each) => each.name === name);
    if (phase === undefined) throw new Error(`there is no phase "${name}"`);
    expect(await cutOff(phase, cut)).toMatchObject({ lost: 0, doubled: 0 });
  });
});
