import type { Play } from "./explore";
import { toldOf } from "./judge";
import type { Choice } from "./schedule";
import type { Event, World } from "./world";
import { imageOf } from "./checked-agent";
import type { Program, Ran } from "./roll-back-program";
import type { Story } from "./roll-back-stories";

/** Plays a story: a first command, around which things happen, a second one, and a last one that has to go well. */
export const playing = (program: Program, story: Story): Play => {
  return async (choose) => {
    const { world } = program;
    const { checks, other, mayBeKilled } = story;
    await program.begin(checks);
    let first: Ran | undefined;
    const actors: Record<string, () => Promise<void>> = {
      ours: async () => void (first = await program.run({ image: imageOf(2) })),
    };
    if (other !== undefined) actors["somebody"] = () => program.act(other);
    const isWhole = await world.play(
      actors,
      (possible) => choose(different(world, possible)),
      mayBeKilled ? ["kill"] : [],
    );
    if (!isWhole || first === undefined) return "given up";
    const said = toldOf(world.events, new Map([["ours", first]]));
    const isKilled = world.events.some(({ way }) => way === "kill");
    return { problems: await judged(program, story, first, isKilled), said };
  };
};

/** How often one waits while nobody else changes anything: a build is over by then, and more would only repeat it. */
const WAITS = 2;

/**
 * Without what is the same as something else. A kill ends the whole program, whichever check it hits; and since states are written in steps of their own, it
 * makes no difference how much was read since something changed. Who waits for another goes on waiting only where that one cannot go on.
 */
function different({ events }: World, possible: readonly Choice[]): readonly Choice[] {
  const isChange = ({ step }: Event): boolean => step.what === "tick" || !step.isRead;
  const last = events.at(-1)?.step;
  const [kill] = possible
    .filter(({ way }) => way === "kill")
    .sort((one, other) => one.step.who.localeCompare(other.step.who));
  return possible.filter((each) => {
    const { step, way } = each;
    if (way === "kill") return each === kill && (last?.what !== "request" || !last.isRead);
    if (step.what !== "tick" || possible.every((other) => other.step.who === step.who)) return true;
    const latest = events.filter(isChange).slice(-WAITS);
    return latest.some((event) => event.step.what !== "tick" || event.step.who !== step.who);
  });
}

/** What is not as promised. */
async function judged(program: Program, story: Story, first: Ran, isKilled: boolean): Promise<readonly string[]> {
  const { world } = program;
  const { checks, other, next } = story;
  const isAlone = other === undefined && !isKilled;
  const problems: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  const failed = first.runs.some(({ outcome }) => outcome === "fails");
  expect(redeploys(first) <= 1, "the first command redeployed twice");
  expect(failed || redeploys(first) === 0, "the first command went back without a run that failed");
  expect(
    !first.isGreen || isServed(first, imageOf(2), checks.length),
    `the first command is falsely green: ${shown(first)}`,
  );
  expect(!first.isGreen || !failed, "the first command is green although a check failed");
  if (failed && isAlone) {
    expect(redeploys(first) === 1, "the first command did not go back");
    expect(first.serves.image === imageOf(1), `the first command leaves ${shown(first)}`);
  }
  if (redeploys(first) === 1 && isAlone)
    expect(!first.said.includes(" stays. "), `what the first command says did not happen: ${first.said}`);
  if (!checks.includes("fails") && isAlone)
    expect(first.isGreen === checks.every((each) => each === "passes"), `the first command: ${first.said}`);

  world.settle();
  const wish = next === "another image" ? imageOf(3) : imageOf(2);
  const second = await program.run(
    {
      image: wish,
      ...(next === "another trigger" && { trigger: 2 }),
      ...(next === "another expectation" && { expect: { values: [{ path: "a", equals: 1 }] } }),
      isUnchecked: next === "up without the check",
    },
    next === "up --refresh",
  );
  const again = second.runs.some(({ outcome }) => outcome === "fails");
  expect(redeploys(second) <= 1, "the second command redeployed twice");
  expect(again || redeploys(second) === 0, "the second command went back without a run that failed");
  const wentBack = redeploys(first) === 1;
  if (next === "up" && wentBack && !second.writes.some((write) => write.startsWith("PATCH"))) {
    expect(!second.isGreen, "after it went back, an unchanged program is green");
    expect(second.writes.length === 0, `after it went back, an unchanged program sends ${second.writes.join(", ")}`);
    expect(second.runs.length === 0 || other !== undefined, "after it went back, an unchanged program runs the check");
  }
  if (next === "another image") expect(second.isGreen, `an image that is good: ${second.said}`);
  // What passed before says nothing of another expectation.
  const before = next === "another expectation" ? undefined : first;
  // What somebody else did after the last look of a green command is drift, which only a refresh can see.
  const isUnchecked = next === "up without the check";
  const isUnseen = other !== undefined && ((first.isGreen && second.requests === 0) || isUnchecked);
  // The row of a check that was killed between its redeploy and its state knows nothing of it.
  const isUnknown = isKilled && isUnchecked && wentBack;
  expect(
    !second.isGreen || isUnseen || isUnknown || isServed(second, wish, isUnchecked ? 0 : checks.length, before),
    `the second command is falsely green: ${shown(second)}`,
  );

  world.settle();
  const last = await program.run({ image: imageOf(4) }, true);
  expect(last.isGreen && last.serves.image === imageOf(4), `a good image at the end: ${last.said} ${shown(last)}`);
  return problems;
}

const redeploys = ({ writes }: Ran): number => writes.filter((write) => write.endsWith("/redeploy")).length;

/** The wished revision serves, and each check has passed on it: in this command, or in the one before. */
function isServed(ran: Ran, image: string, checks: number, before?: Ran): boolean {
  const { serves } = ran;
  const passed = (check: number): boolean =>
    [...(before?.runs ?? []), ...ran.runs].some(
      (run) => run.check === check && run.on === serves.id && run.outcome === "passes",
    );
  return serves.image === image && Array.from({ length: checks }, (_, check) => passed(check)).every(Boolean);
}

const shown = ({ serves, runs }: Ran): string => JSON.stringify({ serves, runs });
