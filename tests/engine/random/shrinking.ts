import type { Program, Step } from "./steps";

/** Every program that is one thing simpler than this one; the greatest simplifications first. */
export function simpler(program: Program): Program[] {
  const { steps, first } = program;
  const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);
  return [
    ...steps.map((_, index) => ({ ...program, steps: without(steps, index) })),
    ...first
      .map((_, index) => ({ ...program, first: without(first, index) }))
      .filter((other) => other.first.length > 0),
    { ...program, refreshesInTheEnd: false },
    { ...program, traits: { naming: "at once", deletes: "at once", oddities: [] } as const },
    ...steps.flatMap((step, index) =>
      simplerSteps(step).map((other) => ({ ...program, steps: steps.map((was, at) => (at === index ? other : was)) })),
    ),
  ].filter((other) => JSON.stringify(other) !== JSON.stringify(program));
}

function simplerSteps(step: Step): Step[] {
  const dropEach = (key: "edits" | "manualChanges" | "faults"): Step[] =>
    step[key].map((_item, index) => ({ ...step, [key]: step[key].filter((_other, at) => at !== index) }));
  return [
    ...(step.outage === undefined ? [] : [{ ...step, outage: undefined }]),
    ...(step.outcome === undefined ? [] : [{ ...step, outcome: undefined }]),
    ...(step.faults.length > 1 ? [{ ...step, faults: [] }] : []),
    ...dropEach("faults"),
    ...dropEach("manualChanges"),
    ...(step.edits.length > 1 ? [{ ...step, edits: [] }] : []),
    ...dropEach("edits"),
    ...(step.command.name === "up" ? [] : [{ ...step, command: { ...step.command, name: "up" } } as const]),
  ];
}

/**
 * The simplest program found that still fails in the same way. Each try plays a program on the engine, so there are at most `tries`
 * of them.
 */
export async function shrunk(
  program: Program,
  fails: (program: Program) => Promise<boolean>,
  tries: number,
): Promise<Program> {
  let best = program;
  let left = tries;
  const known = new Set<string>();
  for (let found = true; found && left > 0;) {
    found = false;
    for (const candidate of simpler(best)) {
      const text = JSON.stringify(candidate);
      if (known.has(text)) continue;
      known.add(text);
      if (left-- <= 0) break;
      if (!(await fails(candidate))) continue;
      best = candidate;
      found = true;
      break;
    }
  }
  return best;
}
