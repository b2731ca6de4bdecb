import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync, stop } from "esbuild";
import { ROOT, sources } from "./sources";

/** A folder with the command line as its sources are now, in plain JavaScript: dist may be old. The caller removes it. */
export function compiledSources(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-cli-"));
  for (const shared of ["node_modules", "package.json"]) symlinkSync(join(ROOT, shared), join(folder, shared));
  buildSync({
    entryPoints: ["cli", "emulator", "provider"].flatMap(sources).map((file) => join(ROOT, file)),
    outdir: folder,
    outbase: ROOT,
    format: "cjs",
    platform: "node",
    target: "node20",
    // Commands are loaded by import(), which reads files without an extension only as require().
    supported: { "dynamic-import": false },
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    tsconfigRaw: {},
  });
  // Else its process lives as long as the one that runs the suites.
  void stop();
  return folder;
}
