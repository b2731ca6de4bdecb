import { imageOf, type Ran, type Story, type World } from "./world";

/** What a story has shown; empty where it is as promised. */
export async function play(world: World, story: Story): Promise<readonly string[]> {
  const { checks, other, cutAt, turns, next } = story;
  await world.begin(checks);
  let actions = 0;
  const first = await world.run(
    { image: imageOf(2) },
    {
      turns,
      does: async (number, isEnd = false) => {
        if (number === other?.at && !isEnd) {
          actions += 1;
          await world.act(other.what);
        }
        return number === cutAt ? "kill" : undefined;
      },
    },
  );
  const problems: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  const acted = actions > 0;
  const failed = first.runs.some(({ outcome }) => outcome === "fails");
  expect(redeploys(first) <= 1, "the first command redeployed twice");
  expect(failed || redeploys(first) === 0, "the first command went back without a run that failed");
  expect(
    !first.isGreen || isServed(first, imageOf(2), checks.length),
    `the first command is falsely green: ${shown(first)}`,
  );
  expect(!first.isGreen || !failed, "the first command is green although a check failed");
  if (failed && other === undefined && cutAt === undefined) {
    expect(redeploys(first) === 1, "the first command did not go back");
    expect(first.serves.image === imageOf(1), `the first command leaves ${first.serves.image}`);
  }
  if (redeploys(first) === 1 && other === undefined && cutAt === undefined)
    expect(!first.said.includes(" stays. "), `what the first command says did not happen: ${first.said}`);
  if (!checks.includes("fails") && other === undefined && cutAt === undefined)
    expect(first.isGreen === checks.every((each) => each === "passes"), `the first command: ${first.said}`);

  world.settle();
  const wish = next === "another image" ? imageOf(3) : imageOf(2);
  const second = await world.run(
    { image: wish, ...(next === "another trigger" && { trigger: 2 }) },
    { refresh: next === "up --refresh" },
  );
  const again = second.runs.some(({ outcome }) => outcome === "fails");
  expect(redeploys(second) <= 1, "the second command redeployed twice");
  expect(again || redeploys(second) === 0, "the second command went back without a run that failed");
  const wentBack = redeploys(first) === 1;
  if (next === "up" && wentBack && !second.writes.some((write) => write.startsWith("PATCH"))) {
    expect(!second.isGreen, "after it went back, an unchanged program is green");
    expect(second.writes.length === 0, `after it went back, an unchanged program sends ${second.writes.join(", ")}`);
    expect(second.runs.length === 0 || acted, "after it went back, an unchanged program runs the check");
  }
  if (next === "another image") expect(second.isGreen, `an image that is good: ${second.said}`);
  // What somebody else did after the last look of a green command is drift, which only a refresh can see.
  const isUnseen = first.isGreen && acted && second.requests === 0;
  expect(
    !second.isGreen || isUnseen || isServed(second, wish, checks.length, first),
    `the second command is falsely green: ${shown(second)}`,
  );

  world.settle();
  const last = await world.run({ image: imageOf(4) }, { refresh: true });
  expect(
    last.isGreen && last.serves.image === imageOf(4),
    `a good image at the end: ${last.said} ${last.serves.image}`,
  );
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
