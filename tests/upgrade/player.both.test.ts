import { played } from "../engine/player/seeds";
import { describeWithEngine } from "../support/with-engine";

jest.setTimeout(14_400_000);

describeWithEngine("stories that an earlier version of the package begins", () => {
  test("go on with this one: nothing is lost, doubled or falsely green, and nothing shows but what the changelog names", async () => {
    expect(await played("older")).toEqual([]);
  });
});
