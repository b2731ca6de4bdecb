import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./files";

/** The root of the project, seen from dist/tools/generate. */
const root = join(__dirname, "..", "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

for (const [file, text] of generatedFiles(read)) writeFileSync(join(root, file), text);
