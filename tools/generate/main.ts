import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { generatedFiles, type Read } from "./files";

// Run by npm, at the root of the project; compiled without the SDK, which need not compile before it is generated.
const read: Read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

void generatedFiles(read).then((files) => {
  for (const [file, text] of files) writeFileSync(file, text);
});
