import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Compiled, the assets are beside this file; run from its source, those of the last build are taken. */
const FOLDERS = [join(__dirname, "assets"), join(__dirname, "..", "..", "dist", "emulator", "console", "assets")];

const TYPES = {
  "client.js": "text/javascript; charset=utf-8",
  "console.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

/** A file that pages load; undefined for an unknown name. Throws when `npm run build` has not made it. */
export function asset(name: string): Response | undefined {
  const type = Object.entries(TYPES).find(([known]) => known === name)?.[1];
  if (type === undefined) return undefined;
  const path = FOLDERS.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`The console has no ${name}: run npm run build.`);
  return new Response(readFileSync(path), { headers: { "content-type": type, "cache-control": "no-cache" } });
}
