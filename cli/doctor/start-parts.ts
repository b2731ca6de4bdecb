// `doctor` runs this as the language host would run a project's program, to measure the parts of a start. It loads the packages beside this one, and only
// reads the project's files without running them, because they are not known to be trusted.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as TypeScript from "typescript";

const parts: Record<string, number> = { node: process.uptime() * 1_000 };
const ownRequire = createRequire(__filename);
const load: (name: string) => unknown = ownRequire;
const loadAsSdk: (name: string) => unknown = createRequire(ownRequire.resolve("@pulumi/pulumi/package.json"));

function timed<T>(what: string, act: () => T): T {
  const began = performance.now();
  const result = act();
  parts[what] = performance.now() - began;
  return result;
}

/** The types of the program's first file and of all that it imports, as ts-node looks at them. */
function typecheck(ts: typeof TypeScript, entry: string, tsconfig: string): void {
  const given: unknown = ts.readConfigFile(tsconfig, (file) => readFileSync(file, "utf8")).config;
  const { options } = ts.parseJsonConfigFileContent(given ?? {}, ts.sys, process.cwd());
  const transpileOnly = process.env["PULUMI_NODEJS_TRANSPILE_ONLY"];
  if (transpileOnly ? transpileOnly === "true" : options["noCheck"] === true) return;
  timed("typecheck", () => {
    const program = ts.createProgram([entry], options);
    program.getSemanticDiagnostics(program.getSourceFile(entry));
  });
}

timed("sdk", () => load("@pulumi/pulumi"));
const [, , entry, tsconfig] = process.argv;
if (entry !== undefined && tsconfig !== undefined) {
  // The language host loads it for a program in JavaScript, too.
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- it is the SDK's, of whatever version
  const ts = timed("typescript", () => loadAsSdk("typescript")) as typeof TypeScript;
  if (/\.[cm]?tsx?$/.test(entry) && existsSync(entry)) typecheck(ts, entry, tsconfig);
}
timed("own", () => load("pulumi-agent-platform"));
process.stdout.write(JSON.stringify(parts));
