import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./files";

const root = join(__dirname, "..", "..");
const read = (file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "(not there)";

test.each([...generatedFiles(read)])("%s is what `npm run generate` makes of the tables", (file, text) => {
  expect(read(file)).toBe(text);
});
