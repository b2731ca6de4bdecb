import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOf, RESOURCE_TYPES } from "../../provider/resources/resource-types";
import { generatedFiles } from "./files";
import { convertedOf, programsOf, type Read } from "./programs";

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

test("the row of `extra` says what a change does only where that is not what the page says of every argument", () => {
  const pages = RESOURCE_TYPES.map((kind) => read(`docs/reference/${folderOf(kind)}.md`) ?? "");
  const saying = pages.filter((page) => /^\| `extra` .* A change /m.test(page));
  expect(saying.map((page) => /^# (\w+)/m.exec(page)?.[1])).toEqual(["Deployment"]);
});

test("the examples read a secret of the configuration as one, in each language", () => {
  const withSecrets = Object.entries(convertedOf(programsOf(read), read)).filter(([yaml]) =>
    yaml.includes("secret: true"),
  );
  expect(withSecrets.length).toBeGreaterThan(3);
  for (const [, { python, go, java }] of withSecrets) {
    expect(python).toContain("config.require_secret(");
    expect(go).toContain("cfg.RequireSecret(");
    expect(java).toContain("config.requireSecret(");
  }
});
