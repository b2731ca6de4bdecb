import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { newFolder, writeInto } from "../tests/support/new-folder";
import { checkPassphrases, checkPrograms } from "./checks";
import type { FleetStack } from "./plan";

let root: string;
beforeEach(() => {
  root = newFolder();
});

const write = (path: string, text: string): void => writeInto(root, path, text);
const stack = (folder: string, name = "prod"): FleetStack => ({
  id: `${folder}/${name}`,
  stack: name,
  folder,
  labels: {},
});

test("a missing passphrase is named before anything starts", () => {
  write("a/Pulumi.prod.yaml", "encryptionsalt: v1:abc\n");
  write("b/Pulumi.prod.yaml", "config: {}\n");
  const stacks = [stack("a"), stack("b")];
  const { PULUMI_CONFIG_PASSPHRASE: before } = process.env;
  delete process.env["PULUMI_CONFIG_PASSPHRASE"];
  expect(() => checkPassphrases(stacks, root)).toThrow(
    "the passphrase is missing of a/prod: set PULUMI_CONFIG_PASSPHRASE",
  );
  process.env["PULUMI_CONFIG_PASSPHRASE"] = before ?? "";
  expect(() => checkPassphrases(stacks, root)).not.toThrow();
});

describe("a program", () => {
  const settings = '{ "compilerOptions": { "noEmit": true, "types": [] }, "files": ["index.ts"] }';
  const typescript = (folder: string, text: string, runtime = "nodejs"): void => {
    write(`${folder}/Pulumi.yaml`, `name: ${folder}\nruntime: ${runtime}\n`);
    write(`${folder}/tsconfig.json`, settings);
    write(`${folder}/index.ts`, text);
  };
  const python = (folder: string, text: string): void => {
    write(`${folder}/Pulumi.yaml`, `name: ${folder}\nruntime: python\n`);
    write(`${folder}/__main__.py`, text);
  };
  const wrong = 'export const size: number = "large";\n';
  const install = (): void => symlinkSync(join(__dirname, "..", "node_modules"), join(root, "node_modules"));

  test("that does not compile is refused by project, file and first error, a project once", async () => {
    install();
    typescript("right", "export const size = 1;\n");
    typescript("wrong", wrong);
    python("fine", "size = 1\n");
    python("broken", "size = 1\ndef f(:\n");
    const stacks = ["right", "wrong", "fine", "broken"].flatMap((folder) => [stack(folder), stack(folder, "dev")]);
    const error: unknown = await checkPrograms(stacks, root, 2).catch((thrown: unknown) => thrown);
    expect(String(error).split("\n").slice(1)).toEqual([
      expect.stringMatching(/^ {2}wrong: index\.ts\(1,14\): error TS2322: /),
      expect.stringMatching(/^ {2}broken: __main__\.py:2: /),
    ]);
  });

  test("is compiled without what opens the fleet's database", async () => {
    write("a/Pulumi.yaml", "name: a\nruntime: python\n");
    write("a/__main__.py", "");
    write("a/.venv/bin/python", '#!/bin/sh\necho "it sees <$OTHER$FLEET_KEY$FLEET_DATABASE_URL>"; exit 1\n');
    chmodSync(join(root, "a/.venv/bin/python"), 0o755);
    const before = process.env;
    process.env = {
      ...before,
      FLEET_KEY: "sixteen-or-more-letters",
      FLEET_DATABASE_URL: "postgres://a",
      OTHER: "the rest",
    };
    const checked = checkPrograms([stack("a")], root, 1).finally(() => (process.env = before));
    await expect(checked).rejects.toThrow("it sees <the rest>");
  });

  test.each([
    ["a project has no compiler", () => typescript("wrong", wrong)],
    [
      "Pulumi would not compile it either",
      () => {
        install();
        typescript("wrong", wrong, "{ name: nodejs, options: { typescript: false } }");
      },
    ],
  ])("is not refused where %s", async (_, make) => {
    make();
    await expect(checkPrograms([stack("wrong")], root, 2)).resolves.toBeUndefined();
  });
});
