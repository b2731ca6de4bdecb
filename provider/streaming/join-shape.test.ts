import { Frames } from "./frames";

test("a join leaves out other modes only: what is of its own mode, but of another shape, is passed on as it came", () => {
  const frames = new Frames(new Set(["updates"]), { onlyAsked: true });
  const bytes = Buffer.from('event: custom\ndata: 1\n\nevent: updates\ndata: "no object"\n\n');
  expect([...frames.feed(bytes)]).toEqual([{ mode: "other", event: "updates", namespace: [], data: "no object" }]);
});
