import { join } from "node:path";
import { blocksOf } from "./blocks";
import { read, ROOT } from "./pages";

const PAGE = "docs/internals/adding-a-resource.md";
const FILES = [
  "provider/resources/sandbox-registry/definition.ts",
  "provider/resources/resource-types.ts",
  "provider/resources/index.ts",
  "emulator/routes/sandbox-registries.ts",
  "emulator/routes/index.ts",
  "tests/conformance/cases.ts",
];

describe(PAGE, () => {
  const texts = FILES.map((file) => read(join(ROOT, file)));
  // A line with "..." alone stands for omitted lines.
  const excerpts = blocksOf(PAGE, read(join(ROOT, PAGE))).flatMap(({ language, code }) =>
    language === "ts" ? code.split(/^ *\/\/ \.\.\.\n/m) : [],
  );

  test("has excerpts", () => {
    expect(excerpts.length).toBeGreaterThan(6);
  });

  test.each(excerpts)("shows the files of SandboxRegistry as they are: excerpt %#", (excerpt) => {
    expect(texts.some((text) => text.includes(excerpt))).toBe(true);
  });
});
