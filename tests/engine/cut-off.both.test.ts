import { CUTS, cutOff, PHASES, type Cut, type Phase } from "./cut-off";
import { FRONT } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

/** Each way to cut a run off, in another phase. */
const A_FEW: readonly (readonly [phase: string, cut: Cut])[] = [
  ["before the POST of a deployment", "SIGINT"],
  ["between the POST of a template and its answer", "SIGINT twice"],
  ["while waiting for a revision", "SIGTERM"],
  ["between the PATCH of a deployment and its answer", "SIGKILL of the CLI"],
  ["during the delete of a deployment", "SIGKILL of the plugin"],
  ["during the replacement of a template, before its POST", "SIGKILL of both"],
  ["between the POST of a template and its answer", "SIGKILL of both"],
];

const named = (name: string): Phase => {
  const phase = PHASES.find((each) => each.name === name);
  if (phase === undefined) throw new Error(`there is no phase "${name}"`);
  return phase;
};

/** `npm run chaos:engine` tries the whole grid on each plugin, other suites a few cells of it, by turns on the two plugins. */
const cells: readonly (readonly [phase: Phase, cut: Cut])[] =
  process.env["CHAOS_ENGINE"] !== undefined
    ? PHASES.flatMap((phase) => CUTS.map((cut) => [phase, cut] as const))
    : A_FEW.filter((_, index) => index % 2 === (FRONT === "native" ? 0 : 1)).map(([name, cut]) => [named(name), cut]);

describeWithEngine("a run that is cut off loses nothing and doubles nothing", () => {
  test.each(cells.map(([phase, cut]) => [phase.name, cut, phase] as const))("%s, by %s", async (_name, cut, phase) => {
    expect(await cutOff(phase, cut)).toMatchObject({ lost: 0, doubled: 0 });
  });
});
