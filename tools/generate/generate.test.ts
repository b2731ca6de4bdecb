import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles, type Read } from "./files";

const root = join(__dirname, "..", "..");
const read: Read = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);

test("every generated file is what `npm run generate` makes of the tables", async () => {
  const generated = await generatedFiles(read);
  expect(Object.fromEntries([...generated.keys()].map((file) => [file, read(file)]))).toEqual(
    Object.fromEntries(generated),
  );
});
