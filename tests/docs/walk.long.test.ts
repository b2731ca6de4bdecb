import { describeWithEngine } from "../support/with-engine";
import { allBlocks, isWalked } from "./blocks";
import { Reader } from "./reader";
import { CHAPTERS } from "./walk/chapters";
import { Walk } from "./walk/walk";

describeWithEngine("a stranger with an empty folder, the packed package and the docs", () => {
  let reader: Reader;
  let walk: Walk;
  let stumbled: string | undefined;
  beforeAll(async () => {
    reader = await Reader.open();
    walk = new Walk(reader);
  });
  afterAll(() => reader.close());

  for (const [title, play, isPossible = true] of CHAPTERS) {
    (isPossible ? test : test.skip)(title, async () => {
      if (stumbled !== undefined) throw new Error(`the walk ended at "${stumbled}"`);
      stumbled = title;
      await play(walk);
      stumbled = undefined;
    });
  }

  const isWhole = CHAPTERS.every(([, , isPossible = true]) => isPossible);
  (isWhole ? test : test.skip)("has run every block that says so", () => {
    const said = allBlocks().flatMap((block) => (isWalked(block) ? (block.mark?.text ?? []) : []));
    expect([...reader.ran].sort()).toEqual([...new Set(said)].sort());
  });
});
