import { isThorough } from "../../support/thorough";
import { PROMISES, trial, type Broken } from "./trial";
import { SPOILINGS } from "./spoilings";
import type { Strike } from "./spoiler";
import { Stage, type World } from "./stage";
import { STORIES, type Story } from "./stories";

const SHOWN = 8;
/** Of so many strikes one is tried. A prime: the strikes of a story are not all at the same request. */
const ONE_OF = isThorough ? 1 : 10;

let tried = 0;
let considered = 0;
const show = ({ spoiling, nth, forEver }: Strike): string =>
  `${spoiling.name}, ${forEver ? "from request" : "at request"} ${nth}${forEver ? " on" : ""}`;

/** The broken promises, each with the strikes that broke it. */
class Report {
  private readonly found = new Map<string, { readonly shown: string; readonly strikes: string[] }>();

  add({ promise, how, shown = "" }: Broken, strike: Strike): void {
    const line = `${promise}: ${how}`;
    const found = this.found.get(line) ?? { shown, strikes: [] };
    found.strikes.push(show(strike));
    this.found.set(line, found);
  }

  /** In the order of the promises: how each was broken, an example, and the strikes. */
  lines(): string[] {
    const rank = (line: string) => PROMISES.findIndex((promise) => line.startsWith(promise));
    const sorted = [...this.found].sort(([one], [other]) => rank(one) - rank(other));
    return sorted.map(([line, { shown, strikes }]) => {
      const more = strikes.length > SHOWN ? `; ${strikes.length - SHOWN} more` : "";
      return `${line}\n    ${shown}\n    by: ${strikes.slice(0, SHOWN).join("; ")}${more}`;
    });
  }
}

async function play(stage: Stage, story: Story): Promise<string[]> {
  await stage.begin();
  await story.prepare(stage);
  const snapshot = stage.snapshot();
  stage.restore(snapshot);
  await story.act(stage);
  const requests = stage.spoiler.witnessed.length;
  expect(requests).toBeGreaterThan(0);
  const report = new Report();
  for (const spoiling of SPOILINGS) {
    for (const forEver of spoiling.isTwin === true ? [false] : [false, true]) {
      for (let nth = 1; nth <= requests; nth += 1) {
        considered += 1;
        if (considered % ONE_OF !== 0) continue;
        const strike = { spoiling, nth, forEver };
        stage.restore(snapshot);
        const broken = await trial(stage, story, strike);
        if (broken === undefined) continue;
        tried += 1;
        for (const each of broken) report.add(each, strike);
      }
    }
  }
  return report.lines();
}

/** Every request of every verb of these worlds, spoilt in every way, once and from then on for ever: one test for each verb. */
export function testPromises(worlds: readonly World[]): void {
  const played = STORIES.filter(({ world }) => worlds.includes(world));
  afterAll(() => console.log(`${tried} requests spoilt: ${played.length} verbs, ${SPOILINGS.length} ways`));
  describe.each(worlds)("contract $name", (world) => {
    let stage: Stage;
    beforeAll(async () => (stage = await Stage.start(world)));
    afterAll(() => stage.close());

    const stories = played.filter((story) => story.world === world);
    test.each(stories.map((story) => [story.name, story] as const))(
      "%s: every promise holds, whatever is spoilt",
      async (_name, story) => {
        expect((await play(stage, story)).join("\n")).toBe("");
      },
      300_000,
    );
  });
}
