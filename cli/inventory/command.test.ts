import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { ask } from "../../tests/support/ask";
import { commandLine } from "../../tests/support/command-line";
import { newFolder } from "../../tests/support/new-folder";

test("of a backend without a stack everything is an orphan, and a pattern matches none", async () => {
  const folder = newFolder();
  const engine = `#!/bin/sh\ncase $1 in stack) echo '[]';; *) echo '{ "url": "file://${folder}" }';; esac\n`;
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  const emulator = await startEmulator();
  await ask(emulator, "POST", "/v2/sandboxes/templates", { name: "left", image: "a", resources: { cpu: "1" } });
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: emulator.url, AGENT_PLATFORM_API_KEY: emulator.apiKey };
  const inventory = (...words: string[]) => commandLine(["inventory", "--cwd", folder, ...words], own);
  const all = await inventory();
  const none = await inventory("--stacks", "*");
  emulator.faults.add({ kind: "status", status: 403, method: "GET", path: "/v2/deployments" });
  const partly = await inventory();
  const documented = await commandLine(["inventory", "--cwd", folder], {
    ...own,
    AGENT_PLATFORM_CONTRACT: "documented",
  });
  const refused = await commandLine(["inventory", "--cwd", folder], { ...own, AGENT_PLATFORM_API_KEY: "old" });
  await emulator.close();
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/answered 401.*`npx \S+ doctor` says how to set the key$/m),
  ]);
  expect([all.code, all.err]).toEqual([7, ""]);
  expect(all.out).toMatch(/^0 stacks without an object of the platform\.\n[^]*: 1\.\n[^]* left /);
  expect([none.code, none.err]).toEqual([1, 'error: no stack matches "*": there are none\n']);
  expect(partly.out.replaceAll(/\s+/g, " ")).toContain(
    "Not known for deployments: the key may not list them (GET /v2/deployments answered 403).",
  );
  expect(partly.out).toMatch(/ left /);
  expect(documented.out.match(/Not known/g)).toHaveLength(1);
  expect(documented.out.replaceAll(/\s+/g, " ")).toMatch(
    /Not known for .*, deployments: contract `documented` has no list of them\./,
  );
});
