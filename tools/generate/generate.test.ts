import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./files";
import type { Read } from "./programs";

const root = join(__dirname, "..", "..");
const read: Read = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);

test("every generated file is what `npm run generate` makes of the tables", async () => {
  const generated = await generatedFiles(read);
  expect(Object.fromEntries([...generated.keys()].map((file) => [file, read(file)]))).toEqual(
    Object.fromEntries(generated),
  );
});

test("an example in YAML that was changed and not converted is refused", async () => {
  const changed: Read = (file) => read(file)?.replace("cluster-eu-1", file.endsWith(".yaml") ? "cluster-eu-2" : "$&");
  await expect(generatedFiles(changed)).rejects.toThrow(
    /^not converted yet, which `npm run generate` does:\n.*\n {2}cluster:/,
  );
});
