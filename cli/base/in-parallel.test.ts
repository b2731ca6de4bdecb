import { setImmediate as turn } from "node:timers/promises";
import { inParallel } from "./in-parallel";

test("never more at a time than allowed, begun in order, with the results in the order of the items", async () => {
  const begun: number[] = [];
  const state = { underWay: 0, most: 0 };
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (turns) => {
    begun.push(turns);
    state.underWay += 1;
    state.most = Math.max(state.most, state.underWay);
    for (let left = turns; left > 0; left--) await turn();
    state.underWay -= 1;
    return turns * 10;
  });
  expect(begun).toEqual([5, 1, 4, 2, 3]);
  expect(state).toEqual({ underWay: 0, most: 2 });
  expect(results).toEqual([50, 10, 40, 20, 30]);
});

test("of nothing, nothing; and a failure of one is the failure of all", async () => {
  expect(await inParallel([], 4, () => Promise.resolve(1))).toEqual([]);
  const failing = inParallel([1, 2], 1, (item) =>
    item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item),
  );
  await expect(failing).rejects.toThrow("two");
});
