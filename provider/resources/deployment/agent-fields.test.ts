import { metadataProblems } from "./agent-fields";

test("a key of metadata is refused only if it is a name of ours or of the server's", () => {
  expect(metadataProblems({ toString: "a", constructor: 1, valueOf: {} }, { ours: "is ours" })).toEqual([]);
  expect(metadataProblems({ ours: 1, run_id: 2 }, { ours: "is ours" })).toHaveLength(2);
});
