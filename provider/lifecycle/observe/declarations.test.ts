import { Declarations } from "./declarations";

test("remembers the inputs of an object, in each form once", () => {
  const declarations = new Declarations();
  const note = (inputs: Record<string, string>) => declarations.note("one", inputs);
  note({ name: "one", image: "a" });
  note({ image: "a", name: "one" });
  note({ name: "one", image: "b" });
  note({ name: "one" });
  expect(declarations.of("one")).toEqual([{ name: "one", image: "a" }, { name: "one", image: "b" }, { name: "one" }]);
  expect(declarations.of("other")).toEqual([]);
});
