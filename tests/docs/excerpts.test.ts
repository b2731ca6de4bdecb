import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE, SHARED } from "./lines";

const OWN_FILES = ["provider/resources/sandbox-registry/definition.ts", "emulator/routes/sandbox-registries.ts"];
const ROOT = join(__dirname, "..", "..");

describe("docs/internals/adding-a-resource.md", () => {
  const texts = [...OWN_FILES.map((file) => readFileSync(join(ROOT, file), "utf8")), ...SHARED.map(({ text }) => text)];
  // A line with "..." alone stands for omitted lines.
  const excerpts = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].flatMap(([, code = ""]) =>
    code.split(/^ *\/\/ \.\.\.\n/m),
  );

  test("has excerpts", () => {
    expect(excerpts.length).toBeGreaterThan(6);
  });

  test.each(excerpts)("shows the files of SandboxRegistry as they are: excerpt %#", (excerpt) => {
    expect(texts.some((text) => text.includes(excerpt))).toBe(true);
  });
});
