import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { JsxEmit, ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { sources } from "./import-graph";

const root = resolve(__dirname, "../..");
const jsx = { jsx: JsxEmit.ReactJSX, jsxImportSource: "hono/jsx" };
const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true, ...jsx };

/** A folder with the command line as its sources are now, in plain JavaScript: dist may be old. The caller removes it. */
export function compiledSources(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-cli-"));
  for (const shared of ["node_modules", "package.json"]) symlinkSync(join(root, shared), join(folder, shared));
  for (const file of ["cli", "emulator", "provider"].flatMap(sources)) {
    const target = join(folder, file.replace(/\.tsx?$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(root, file), "utf8");
    writeFileSync(target, transpileModule(text, { compilerOptions, fileName: file }).outputText);
  }
  return folder;
}
