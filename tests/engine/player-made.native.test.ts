import { describeWithEngine } from "../support/with-engine";
import { played } from "./player/seeds";

jest.setTimeout(14_400_000);

describeWithEngine("stories that begin with a state as the engine could have left it", () => {
  test("one command does no harm, and then up and destroy do what they say", async () => {
    expect(await played("made")).toEqual([]);
  });
});
