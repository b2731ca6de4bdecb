import { describeWithEngine } from "../support/with-engine";
import { played } from "./player/seeds";

jest.setTimeout(14_400_000);

describeWithEngine("stories that begin empty, on the real engine", () => {
  test("lose nothing, double nothing, are never falsely green, and send what their reviews say", async () => {
    expect(await played("empty")).toEqual([]);
  });
});
