import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./pages";

/** The entries of the package, and where their types are in a checkout: dist may be old. */
export const ENTRIES = {
  "pulumi-agent-platform": "sdk/index.ts",
  "pulumi-agent-platform/emulator": "emulator/index.ts",
  "pulumi-agent-platform/policy": "sdk/policy/index.ts",
};

/** As a reader's compiler has them. */
export const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(ROOT, "node_modules", "@types")],
  paths: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, [join(ROOT, file)]])),
};

/** What the compiler says of these modules, each with its name. */
export function problemsOf(modules: ReadonlyMap<string, string>): string[] {
  const names = new Map([...modules].map(([name], at) => [join(ROOT, "docs", `page-${at}.ts`), name]));
  const host = ts.createCompilerHost(OPTIONS);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const textOf = (file: string): string | undefined => modules.get(names.get(file) ?? "");
  host.fileExists = (file) => names.has(file) || fileExists(file);
  host.readFile = (file) => textOf(file) ?? readFile(file);
  const program = ts.createProgram([...names.keys()], OPTIONS, host);
  // Of the modules alone: what they import is checked by tsc.
  return [...names.keys()]
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(
      ({ file, messageText }) =>
        `${names.get(file?.fileName ?? "") ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}
