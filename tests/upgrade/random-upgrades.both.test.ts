import { brokenSeeds, seedsOf } from "../engine/random/seeds";
import { describeWithEngine } from "../support/with-engine";
import { earlierVersions } from "./package";

jest.setTimeout(14_400_000);

const SEEDS = seedsOf(2, 50);

/** Each earlier version in turn. */
function from(seed: number): string {
  const versions = earlierVersions();
  const version = versions[seed % versions.length];
  if (version === undefined) throw new Error("no earlier version is recorded");
  return version;
}

describeWithEngine("random programs that an earlier version of the package begins", () => {
  test(`${SEEDS.length} programs go on with this one: nothing is lost, doubled or falsely green, and nothing shows but what the changelog names`, async () => {
    expect(await brokenSeeds("upgrades", "upgrades", SEEDS, from)).toEqual([]);
  });
});
