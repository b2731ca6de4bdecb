import { messageOf } from "../../provider/base/errors";
import { TYPES } from "./declarations";
import { FAULTS } from "./faults";
import { platformWith, type Program } from "./play";
import { programOf } from "./programs";
import { QUIRKS } from "./quirks";
import { STEPS } from "./steps";
import { Counts } from "./witness";

/** `npm run chaos` sets both. Without them every run of the suite plays the same programs. */
const CHAOS = process.env["CHAOS_RUNS"];
const RUNS = Number(CHAOS ?? 12);
const SEED = Number(process.env["CHAOS_SEED"] ?? 1);
/** How often a row that no program has played yet is begun with. */
const MOST_TRIES = 12;

const counts = new Counts();
const platforms = new Map<string, Awaited<ReturnType<typeof platformWith>>>();
afterAll(() => Promise.all([...platforms.values()].map(({ close }) => close())));

async function play(program: Program): Promise<void> {
  const platform = platforms.get(program.quirk) ?? (await platformWith(program.quirk, counts));
  platforms.set(program.quirk, platform);
  await platform.play(program);
}

const brokenBy = (program: Program): Promise<string | undefined> => play(program).then(() => undefined, messageOf);

/** The program without the steps that do not matter for the failure. */
async function smallest(program: Program): Promise<Program> {
  for (const step of program.steps) {
    const without = { ...program, steps: program.steps.filter((each) => each !== step) };
    if ((await brokenBy(without)) !== undefined) return smallest(without);
  }
  return program;
}

async function judge(program: Program, seed: number): Promise<void> {
  const broken = await brokenBy(program);
  if (broken === undefined) return;
  const least = await brokenBy(await smallest(program));
  throw new Error(`CHAOS_RUNS=1 CHAOS_SEED=${seed} breaks a promise: ${least ?? broken}`);
}

const ROWS = [...STEPS, ...FAULTS, ...QUIRKS].map(({ name }) => name).concat(TYPES);
const unplayed = (): string[] => ROWS.filter((name) => !counts.rows.has(name));

test(`${RUNS} random programs, from seed ${SEED} on: no promise is broken`, async () => {
  for (let seed = SEED; seed < SEED + RUNS; seed++) await judge(programOf(seed), seed);
});

if (CHAOS === undefined)
  test("each row of each table is played", async () => {
    for (let attempt = 1; attempt <= MOST_TRIES; attempt++)
      for (const [index, row] of unplayed().entries()) {
        const seed = attempt * 1000 + index;
        await judge(programOf(seed, row), seed);
      }
    expect(unplayed()).toEqual([]);
  });
