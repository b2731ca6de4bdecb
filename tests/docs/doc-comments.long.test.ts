import { join } from "node:path";
import ts from "typescript";
import { ENTRIES, OPTIONS, problemsOf } from "./compiled";
import { ROOT } from "./pages";

const program = ts.createProgram(
  Object.values(ENTRIES).map((file) => join(ROOT, file)),
  OPTIONS,
);
const checker = program.getTypeChecker();

/** What a program calls or makes: classes, but for errors and results, and the two functions that are entries of their own. */
const shown = Object.values(ENTRIES).flatMap((file) => {
  const source = program.getSourceFile(join(ROOT, file));
  const module = source && checker.getSymbolAtLocation(source);
  const all = module === undefined ? [] : checker.getExportsOfModule(module);
  return all.map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each));
});
const isMade = (each: ts.Symbol): boolean =>
  (each.flags & ts.SymbolFlags.Class) !== 0 && !/(?:Error|Result|Store)$/.test(each.name);
const exampleOf = (each: ts.Symbol): string | undefined => {
  const tag = each.getJsDocTags(checker).find(({ name }) => name === "example");
  return tag && ts.displayPartsToString(tag.text);
};

test("each public class has an example", () => {
  const made = shown.filter((each) => isMade(each) || ["startEmulator", "policies"].includes(each.name));
  expect(made.length).toBeGreaterThan(9);
  expect(made.filter((each) => exampleOf(each) === undefined).map(({ name }) => name)).toEqual([]);
});

test("each example compiles", () => {
  const examples = shown.flatMap((each) => {
    const text = exampleOf(each);
    if (text === undefined) return [];
    // The short ones, of functions, begin with the call.
    const imported =
      text.startsWith("import ") || text.includes("\nimport ")
        ? ""
        : `import { ${each.name} } from "pulumi-agent-platform";\n`;
    return [[each.name, imported + text] as const];
  });
  expect(examples.length).toBeGreaterThan(15);
  expect(problemsOf(new Map(examples))).toEqual([]);
});
