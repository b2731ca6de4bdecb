import { messageOf } from "../../provider/base/errors";
import { PLAYED } from "../conformance/cases";
import { record } from "../reliability/record";
import { isThorough } from "../support/thorough";
import { FAULTS } from "./faults";
import { Counts, Player, type Program } from "./play";
import { programOf } from "./programs";
import { QUIRKS } from "./quirks";
import { STEPS } from "./steps";

/** `npm run chaos` sets both. Without them every run of the suite plays the same programs. */
const CHAOS = process.env["CHAOS_RUNS"];
const RUNS = Number(CHAOS ?? (isThorough ? 300 : 45));
const SEED = Number(process.env["CHAOS_SEED"] ?? 1);

const counts = new Counts();
const players = new Map<string, Player>();
afterAll(() => Promise.all([...players.values()].map(({ world }) => world.close())));

async function play(program: Program, counted = counts): Promise<void> {
  const quirk = QUIRKS.find(({ name }) => name === program.quirk);
  if (quirk === undefined) throw new Error(`no quirk ${program.quirk}`);
  const player = players.get(quirk.name) ?? (await Player.start(quirk, counted));
  players.set(quirk.name, player);
  await player.play(program);
}

test(`${RUNS} random programs (seed ${SEED})`, async () => {
  const failed: string[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const began = Date.now();
    try {
      await play(programOf(seed));
    } catch (error) {
      failed.push(`seed ${seed}: ${messageOf(error)}`);
    }
    require("node:fs").appendFileSync("/tmp/times.txt", `${seed} ${Date.now() - began}\n`);
  }
  require("node:fs").writeFileSync("/tmp/failed.txt", failed.join("\n=======\n"));
  const names = [...STEPS, ...FAULTS, ...QUIRKS].map(({ name }) => name).concat(Object.keys(PLAYED));
  console.log(
    counts.programs,
    counts.commands,
    counts.plans,
    names.filter((name) => !counts.rows.has(name)),
  );
  expect(failed.length).toBe(0);
});
void record;
