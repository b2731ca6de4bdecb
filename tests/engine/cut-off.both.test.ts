import { CUTS, cutOff, PHASES, type Cut, type Phase } from "./cut-off";
import { FRONT } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

/** `npm run chaos:engine` tries the whole grid on each plugin, other suites one cell a phase, each with another cut, by turns on the two plugins. */
const everything = process.env["CHAOS_ENGINE"] !== undefined;
const cells: { phase: Phase; cut: Cut }[] = everything
  ? PHASES.flatMap((phase) => CUTS.map((cut) => ({ phase, cut })))
  : [
      "before the POST of a deployment",
      "between the POST of a template and its answer",
      "while waiting for a revision",
      "between the PATCH of a deployment and its answer",
      "during the delete of a deployment",
      "during the replacement of a template, before its POST",
    ]
      .flatMap((name, index) =>
        PHASES.filter((phase) => phase.name === name).map((phase) => ({
          phase,
          cut: CUTS[index % CUTS.length] ?? "SIGINT",
        })),
      )
      .filter((_, index) => index % 2 === (FRONT === "native" ? 0 : 1));

describeWithEngine("a run that is cut off loses nothing and doubles nothing", () => {
  test.each(cells.map(({ phase, cut }) => [phase.name, cut, phase] as const))(
    "%s, by %s",
    async (_name, cut, phase) => {
      expect(await cutOff(phase, cut)).toMatchObject({ lost: 0, doubled: 0 });
    },
  );
});
