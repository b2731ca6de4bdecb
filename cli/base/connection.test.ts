import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandLine } from "../../tests/support/command-line";
import { newFolder } from "../../tests/support/new-folder";
import { programFor } from "../program";
import { connectionsOf } from "./connection";

const KEY = { AGENT_PLATFORM_API_KEY: "k" };
const INSECURE = { baseUrl: "http://a.example" };

test("without a key, the error names its variable", async () => {
  const elsewhere = { cwd: newFolder() };
  for (const given of [{ baseUrl: "http://127.0.0.1:1" }, elsewhere])
    await expect(connectionsOf(given, {})).rejects.toThrow(/^No platform key configured\. .*AGENT_PLATFORM_API_KEY/);
});

test.each<[given: boolean | undefined, environment: NodeJS.ProcessEnv, isAllowed: boolean]>([
  [true, {}, true],
  [false, { AGENT_PLATFORM_ALLOW_INSECURE: "true" }, false],
  [undefined, { AGENT_PLATFORM_ALLOW_INSECURE: "true" }, true],
  [undefined, {}, false],
])("--allow-insecure %s goes before the environment %j", async (allowInsecure, environment, isAllowed) => {
  const connections = connectionsOf({ ...INSECURE, allowInsecure }, { ...KEY, ...environment });
  if (isAllowed) await expect(connections).resolves.toMatchObject({ objects: [] });
  else await expect(connections).rejects.toThrow(/^baseUrl is plain http to another machine/);
});

test.each<[words: string[], value: boolean]>([
  [["--allow-insecure"], true],
  [["--allow-insecure", "true"], true],
  [["--allow-insecure", "false"], false],
])("%j is %s", async (words, value) => {
  const command = (await programFor(["logs"])).commands.find((each) => each.name() === "logs");
  let given: unknown;
  command?.action(() => void (given = command.opts()["allowInsecure"]));
  await command?.parseAsync(words, { from: "user" });
  expect(given).toBe(value);
});

test("another value of --allow-insecure is refused", async () => {
  const { code, err } = await commandLine(["logs", "--allow-insecure", "yes"], KEY);
  expect(code).toBe(2);
  expect(err).toContain("'--allow-insecure [value]' argument 'yes' is invalid. It must be true or false.");
});

test.each<[why: string, words: string[], named: boolean]>([
  ["a command without the options of a connection names none", ["run", "desk", "--assistant", "a"], false],
  ["one that has them does", ["revisions"], true],
])("%s", async (_why, words, named) => {
  const folder = newFolder();
  const engine = '#!/bin/sh\necho "error: incorrect passphrase" >&2\nexit 1\n';
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  const said = async () => (await commandLine([...words, "--cwd", folder], { ...KEY, PATH: folder })).err;
  expect(await said()).toMatch(
    named ? /with --base-url, or in/ : /Set the environment variable AGENT_PLATFORM_BASE_URL/,
  );
  writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nruntime: nodejs\n");
  const unread = await said();
  expect(unread).toMatch(/incorrect passphrase\. Fix that, or choose a stack with --stack/);
  expect(unread.includes("--base-url")).toBe(named);
});

test("a wrong value of an option is put right by that option, where a stack names the platform", async () => {
  const folder = newFolder();
  const engine = `#!/bin/sh\n[ "$1" = config ] && echo '{}' || echo '{ "deployment": {} }'\n`;
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nruntime: nodejs\n");
  const environment: NodeJS.ProcessEnv = {
    ...KEY,
    AGENT_PLATFORM_BASE_URL: "http://127.0.0.1:1",
    PATH: `${folder}:${dirname("/bin/sh")}`,
  };
  const said = async (...words: string[]) =>
    (await commandLine(["revisions", "--cwd", folder, ...words], environment)).err;
  expect(await said("--contract", "nope")).toBe(
    'error: contract must be "extended" or "documented". Set it with --contract, or in the environment variable AGENT_PLATFORM_CONTRACT\n',
  );
  environment["AGENT_PLATFORM_CONTRACT"] = "nope";
  const command = `pulumi config set agent-platform:contract <value> --cwd ${folder}`;
  expect(await said()).toContain(`error: contract must be "extended" or "documented". Set it with \`${command}\`, as`);
});
