import { knownChannels } from "./state";

test("a name that every object inherits is no channel", () =>
  expect(knownChannels({ a: "last" }, { a: 1, toString: 2 })).toEqual({ a: 1 }));
