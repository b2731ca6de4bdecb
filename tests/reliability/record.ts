import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../provider/base/json";

/** The folder of the counts that tests/reliability/results.md is written from. */
export const RECORDS = join(__dirname, "..", "..", ".state", "reliability");

/** Keeps what a suite counted, for `npm run reliability`. The name is that of a section of tests/reliability/results.md. */
export function record(name: string, counted: { readonly [key: string]: Json }): void {
  mkdirSync(RECORDS, { recursive: true });
  const front = process.env["FRONT"] === "native" ? "-native" : "";
  writeFileSync(join(RECORDS, `${name}${front}.json`), `${JSON.stringify(counted, null, 2)}\n`);
}
