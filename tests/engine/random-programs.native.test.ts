import { brokenSeeds, seedsOf } from "./random/seeds";
import { describeWithEngine } from "../support/with-engine";

jest.setTimeout(14_400_000);

const SEEDS = seedsOf(3, 100);

describeWithEngine("random programs on the real engine", () => {
  test(`${SEEDS.length} programs lose nothing, double nothing, and are never falsely green`, async () => {
    expect(await brokenSeeds("engine-programs", "stories", SEEDS)).toEqual([]);
  });
});
