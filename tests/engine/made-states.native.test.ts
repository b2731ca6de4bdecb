import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FRONT } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { record, RECORDS } from "../reliability/record";
import { described, madeStateOf, tellingSeeds } from "./made-states/made-state";
import { playMade, type Failure } from "./made-states/play";
import { Stage } from "./made-states/stage";
import { EngineHome } from "./random/engine-stack";

jest.setTimeout(14_400_000);

/** Their number on each plugin, which has its own; `npm run chaos:engine` plays more. `CHAOS_SEED=7` plays one state, a list plays those. */
const RUNS = Number(process.env["CHAOS_RUNS"] ?? (process.env["CHAOS_ENGINE"] === undefined ? 10 : 200));
const SEEDS =
  process.env["CHAOS_SEED"]?.split(",").map(Number) ?? tellingSeeds(RUNS, FRONT === "native" ? 1_000_001 : 1);
/** The story of each state of the last run, to read. */
const STORIES = join(RECORDS, "made-states", FRONT);

describeWithEngine("states as the engine could have left them", () => {
  test(`${SEEDS.length} of them: one command does no harm, and then up and destroy do what they say`, async () => {
    mkdirSync(STORIES, { recursive: true });
    const home = await EngineHome.make();
    const counts = { states: 0, commands: 0, refused: 0 };
    const failures: (Failure & { story: string })[] = [];
    const waiting = [...SEEDS];
    const work = async (): Promise<void> => {
      const stage = await Stage.open(home);
      try {
        for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
          const began = Date.now();
          const state = madeStateOf(seed);
          const { failure, story, commands, isRefused } = await playMade(stage, state);
          const how = failure === undefined ? "holds" : `BROKEN: ${failure.invariant}: ${failure.found.join("; ")}`;
          writeFileSync(join(STORIES, `seed-${seed}.txt`), `${story}\n${how}\n`);
          counts.states++;
          counts.commands += commands;
          if (isRefused) counts.refused++;
          if (failure !== undefined) failures.push({ ...failure, story });
          process.stderr.write(
            `${counts.states}/${SEEDS.length} ${described(state)}, ${Date.now() - began} ms: ${how.slice(0, 300)}\n`,
          );
        }
      } finally {
        await stage.close();
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(2, SEEDS.length) }, work));
    } finally {
      home.close();
    }
    record("made-states", { ...counts, broken: failures.length });
    for (const { seed, invariant, found, story } of failures) {
      process.stderr.write(`\n--- Seed ${seed} breaks ${invariant}:\n${found.join("\n")}\n\n${story}\n`);
    }
    expect(
      failures.map(({ seed, invariant, found }) => `seed ${seed} breaks ${invariant}: ${found.join("; ")}`),
    ).toEqual([]);
  });
});
