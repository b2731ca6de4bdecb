import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { logToStderr as log } from "../engine/ways";
import { generatedFiles } from "./files";
import { convert, CONVERTED, convertedOf, programsOf, type Read } from "./programs";

// Run by npm, at the root of the project; compiled without the SDK, which need not compile before it is generated.
const read: Read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

async function main(): Promise<void> {
  const programs = programsOf(read);
  try {
    convertedOf(programs, read);
  } catch {
    const place = { checkout: process.cwd(), env: process.env, log };
    writeFileSync(CONVERTED, JSON.stringify(await convert(place, programs)));
  }
  for (const [file, text] of await generatedFiles(read)) writeFileSync(file, text);
}

void main();
