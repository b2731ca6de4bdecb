import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles, type Read } from "./files";

const root = join(__dirname, "..", "..");
const read: Read = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);

test.each([...generatedFiles(read)])("%s is what `npm run generate` makes of the tables", (file, text) => {
  expect(read(file)).toBe(text);
});
