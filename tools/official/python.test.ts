import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "./python";
import { newFolder } from "../../tests/support/new-folder";

let bin: string;
beforeEach(() => (bin = newFolder()));

function put(name: string, script: string): void {
  const file = join(bin, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

test.each<[why: string, commands: Readonly<Record<string, string>>, command: string | undefined]>([
  ["none on PATH", {}, undefined],
  ["python3 comes first", { python3: "echo 3.12.1", python: "echo 3.11.0" }, "python3"],
  ["too old", { python3: "echo 3.9.18" }, undefined],
  ["a newer one beside an old one", { python3: "echo 3.9.18", "python3.11": "echo 3.11.7" }, "python3.11"],
  ["one that cannot make virtual environments", { python3: "exit 1", "python3.10": "echo 3.10.2" }, "python3.10"],
])("%s", (_why, commands, command) => {
  for (const [name, script] of Object.entries(commands)) put(name, script);
  expect(findPython({ PATH: bin })?.command).toBe(command);
});
