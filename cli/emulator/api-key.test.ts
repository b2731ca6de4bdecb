import { chmodSync, chownSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseKey } from "./api-key";
import { newFolder } from "../../tests/support/new-folder";

let folder: string;
beforeEach(() => (folder = newFolder()));

function keyFile(mode: number): string {
  const file = join(folder, "data.json.api-key");
  writeFileSync(file, "the-key\n");
  chmodSync(file, mode);
  return file;
}

test.each([0o600, 0o400])("a key file of mode %o is read, also through a symbolic link", (mode) => {
  const file = keyFile(mode);
  const link = join(folder, "link");
  symlinkSync(file, link);
  for (const each of [file, link]) expect(chooseKey({ apiKeyFile: each }).value).toBe("the-key");
});

test.each([0o640, 0o604, 0o620, 0o602, 0o644])("one of mode %o is refused: others may know or write it", (mode) => {
  const file = keyFile(mode);
  expect(() => chooseKey({ apiKeyFile: file })).toThrow(`run chmod 600 ${file}`);
  // So is one that lies where a random key would be kept.
  expect(() => chooseKey({ data: join(folder, "data.json") })).toThrow("chmod 600");
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot("one of another user is refused", () => {
  const file = keyFile(0o600);
  chownSync(file, 12345, 12345);
  expect(() => chooseKey({ apiKeyFile: file })).toThrow(/belongs to another user \(12345\).*chmod 600/);
});
