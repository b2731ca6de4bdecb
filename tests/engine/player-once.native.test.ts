import { describeWithEngine } from "../support/with-engine";
import { played } from "./player/seeds";

jest.setTimeout(14_400_000);

describeWithEngine("stories that have once failed, on the real engine", () => {
  test("hold", async () => expect(await played("once")).toEqual([]));
});
