import { readFileSync, writeFileSync } from "node:fs";
import { generatedFiles } from "./files";

// Run by npm, at the root of the project; compiled without the SDK, which need not compile before it is generated.
const read = (file: string): string => readFileSync(file, "utf8");

for (const [file, text] of generatedFiles(read)) writeFileSync(file, text);
