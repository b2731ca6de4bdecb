import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./pages";

/** The entries of the package, and where their types are in a checkout. */
const ENTRIES = {
  "pulumi-agent-platform": "sdk/index.ts",
  "pulumi-agent-platform/emulator": "emulator/index.ts",
  "pulumi-agent-platform/policy": "sdk/policy/index.ts",
};
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  paths: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, [join(ROOT, file)]])),
};
const program = ts.createProgram(
  Object.values(ENTRIES).map((file) => join(ROOT, file)),
  options,
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
    return [[join(ROOT, "tests", `${each.name}.example.mts`), imported + text] as const];
  });
  expect(examples.length).toBeGreaterThan(15);
  const texts = new Map(examples);
  const host = ts.createCompilerHost(options);
  const withExamples: ts.CompilerHost = {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    readFile: (file) => texts.get(file) ?? host.readFile(file),
    getSourceFile: (file, version) => {
      const text = texts.get(file);
      return text === undefined ? host.getSourceFile(file, version) : ts.createSourceFile(file, text, version);
    },
  };
  const compiled = ts.createProgram([...texts.keys()], options, withExamples, program);
  const wrong = [...texts.keys()].flatMap((file) => {
    const source = compiled.getSourceFile(file);
    return [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
  });
  expect(
    wrong.map(
      ({ file, messageText }) => `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    ),
  ).toEqual([]);
});
