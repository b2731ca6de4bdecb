import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { findCheckout } from "../engine/layout";

/** Writes what the pages of the emulator's console load beside its compiled code: their script as one file, style and icon. */
function main(): void {
  const checkout = findCheckout();
  const source = join(checkout, "emulator", "console");
  const assets = join(checkout, "dist", "emulator", "console", "assets");
  mkdirSync(assets, { recursive: true });
  buildSync({
    entryPoints: [join(source, "client", "main.tsx")],
    outfile: join(assets, "client.js"),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    // The components are drawn by the browser's half of hono/jsx, which is a third of the size.
    jsx: "automatic",
    jsxImportSource: "hono/jsx/dom",
    tsconfigRaw: {},
    logLevel: "error",
  });
  for (const name of ["console.css", "icon.svg"]) copyFileSync(join(source, "assets", name), join(assets, name));
}

main();
