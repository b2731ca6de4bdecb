import { programOf } from "./author";
import { MANUAL_CHANGES } from "./by-hand";
import { COMMANDS } from "./commands";
import { differences } from "./comparison";
import { EDITS } from "./edits";
import { wordsOn } from "./fronts";
import type { Front } from "../../support/cli-stack";
import { OUTAGES } from "./layers";
import { ODDITIES } from "./platform";
import { shrunk, simpler } from "./shrinking";
import { FAULTS, OUTCOMES, type Program } from "./steps";

const programsOn = (front: Front) => Array.from({ length: 200 }, (_, seed) => programOf(seed, 4, front));
const PROGRAMS = programsOn("native");

test("a seed plays the same program again", () => expect(programOf(7, 4, "native")).toEqual(PROGRAMS[7]));

describe.each<[Front, Program[]]>([
  ["dynamic", programsOn("dynamic")],
  ["native", PROGRAMS],
])("on the plugin %s", (front, programs) => {
  const steps = programs.flatMap((program) => program.steps);

  test.each<[string, readonly string[], (string | undefined)[]]>([
    ["change of the program", EDITS, steps.flatMap(({ edits }) => edits.map(({ name }) => name))],
    ["manual change", MANUAL_CHANGES, steps.flatMap(({ manualChanges }) => manualChanges.map(({ name }) => name))],
    ["end of a revision", OUTCOMES, steps.map(({ outcome }) => outcome?.ends)],
    ["fault", FAULTS, steps.flatMap(({ faults }) => faults.map(({ kind }) => kind))],
    ["outage", OUTAGES, steps.map(({ outage }) => outage)],
    ["command", COMMANDS, steps.map(({ command }) => command.name)],
    ["oddity of the platform", ODDITIES, programs.flatMap(({ traits }) => traits.oddities)],
  ])("200 programs try every %s", (_, vocabulary, tried) => {
    expect(wordsOn(vocabulary, front).filter((word) => !tried.includes(word))).toEqual([]);
  });
});

describe("a program that fails", () => {
  const hasCommand = (program: Program, name: string): boolean =>
    program.steps.some(({ command }) => command.name === name);
  const program = PROGRAMS.find((each) => each.steps.length >= 4 && hasCommand(each, "up --refresh"));

  test("is shrunk to the part that fails", async () => {
    if (program === undefined) throw new Error("no such program");
    const best = await shrunk(program, (each) => Promise.resolve(hasCommand(each, "up --refresh")), 200);
    expect(best.steps).toHaveLength(1);
    expect(best.steps[0]).toMatchObject({
      edits: [],
      manualChanges: [],
      faults: [],
      command: { name: "up --refresh" },
    });
    expect(best.first).toHaveLength(1);
  });

  test("is played no more often than allowed", async () => {
    if (program === undefined) throw new Error("no such program");
    let played = 0;
    await shrunk(program, () => Promise.resolve(played++ < 0), 3);
    expect([played, simpler(program).length > 3]).toEqual([3, true]);
  });
});

test.each([
  ["nothing where everything declared is there", { a: { b: 1 } }, { a: { b: 1, c: 2 } }, []],
  ["a value that differs", { a: { b: 1 } }, { a: { b: 2 } }, ["a.b is 2, not 1"]],
  ["a field that is missing", { a: 1 }, {}, ["a is absent, not 1"]],
  [
    "an undeclared variable",
    { environment: {} },
    { environment: { X: "1" } },
    ["environment.X is there, and not declared"],
  ],
])("a comparison finds %s", (_, wanted, live, found) => expect(differences(wanted, live)).toEqual(found));
