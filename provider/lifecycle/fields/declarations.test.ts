import { UNKNOWN } from "../../base/json";
import { Declarations } from "./declarations";

const RULES = { secrets: { secret: true }, clientSecret: { secret: true } } as const;

test("remembers the inputs of an object, in each form once", () => {
  const declarations = new Declarations();
  const note = (inputs: Record<string, string>) => declarations.note("one", inputs, RULES);
  note({ name: "one", image: "a" });
  note({ image: "a", name: "one" });
  note({ name: "one", image: "b" });
  note({ name: "one" });
  expect(declarations.of("one")).toEqual([{ name: "one", image: "a" }, { name: "one", image: "b" }, { name: "one" }]);
  expect(declarations.of("other")).toEqual([]);
});

test("knows every text of every secret, also of an object whose name is not known yet", () => {
  const declarations = new Declarations();
  declarations.note("a", { secrets: { A: "one", B: UNKNOWN }, plain: "open" }, RULES);
  declarations.note(undefined, { clientSecret: "two" }, RULES);
  declarations.note(undefined, { secrets: [{ deep: ["three"] }, 4, null] }, RULES);
  expect([...declarations.secrets]).toEqual(["one", "two", "three"]);
});
