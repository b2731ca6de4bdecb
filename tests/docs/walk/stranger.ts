import { describeWithEngine } from "../../support/with-engine";
import { allBlocks, isWalked } from "../blocks";
import { Reader } from "../reader";
import type { Chapter } from "./chapters";
import { Walk } from "./walk";

/** Plays chapters, and checks that they have run every block whose name is theirs. */
export function playWalk(chapters: readonly Chapter[], isTheirs: (name: string) => boolean): void {
  describeWithEngine("a stranger with an empty folder, the packed package and the docs", () => {
    let reader: Reader;
    let walk: Walk;
    let stumbled: string | undefined;
    beforeAll(async () => {
      reader = await Reader.open();
      walk = new Walk(reader);
    });
    afterAll(() => reader.close());

    for (const [title, play, isPossible = true] of chapters) {
      (isPossible ? test : test.skip)(title, async () => {
        if (stumbled !== undefined) throw new Error(`the walk ended at "${stumbled}"`);
        stumbled = title;
        await play(walk);
        stumbled = undefined;
      });
    }

    const isWhole = chapters.every(([, , isPossible = true]) => isPossible);
    (isWhole ? test : test.skip)("has run every block that says so", () => {
      const said = allBlocks().flatMap((block) => (isWalked(block) ? (block.mark?.text ?? []) : []));
      expect([...reader.ran].filter(isTheirs).sort()).toEqual([...new Set(said)].filter(isTheirs).sort());
      expect(reader.ran.size).toBeGreaterThan(0);
    });
  });
}
