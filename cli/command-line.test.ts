import { startEmulator } from "../emulator";
import { commandLine } from "../tests/support/command-line";

test.each<[reason: string, args: string[], said: RegExp]>([
  ["a mistyped command, with the nearest one", ["drfit"], /unknown command 'drfit'\n\(Did you mean drift\?\)/],
  ["a mistyped option, with the nearest one", ["drift", "--stac", "x"], /'--stac'\n\(Did you mean --stack\?\)/],
  ["no command at all", [], /^Usage: pulumi-agent-platform/],
  ["a required option that is missing", ["generate"], /'--out <folder>' not specified/],
  ["a value of an unset variable", ["logs", "--revision", ""], /--revision.*It must be an id, and must not be empty/],
  ["a folder that is empty, which would be this one", ["drift", "--cwd", ""], /--cwd.* must not be empty/],
  ["an address that is empty", ["run", "--url", "", "--assistant", "a"], /--url.* must not be empty/],
  ["a stack without its option", ["review", "prod"], /^error: prod: name a stack by --stack/],
  ["another stack for the engine", ["review", "--", "-s", "x"], /^error: -s cannot come after --: a stack is named/],
  [
    "another folder for the engine",
    ["review", "--", "--cwd=x"],
    /^error: --cwd=x cannot come after --: .* a folder by --cwd/,
  ],
  ...["-c", "-ck=v", "--config", "--config=k=v"].map((word): [string, string[], RegExp] => [
    `a value that the preview would save (${word})`,
    ["review", "--", word, "k=v"],
    /^error: -.* cannot come after --: the preview would write the value into the stack's file/,
  ]),
  [
    "policies for a preview that has been saved",
    ["review", "--events", "/no", "--policy-pack", "p"],
    /--events.* cannot be used with .*--policy-pack/,
  ],
  ["arguments", ["review", "--events", "/no", "--", "--target", "x"], /^error: --events: no `pulumi preview` is run/],
  [
    "a time for a wait that there is not",
    ["redeploy", "--revision", "r", "--no-wait", "--timeout", "5m"],
    /--timeout.* cannot be used with .*--no-wait/,
  ],
  ["one argument too many", ["logs", "desk", "extra"], /too many arguments/],
  ["options that do not go together", ["drift", "--parallel", "2"], /--parallel only works with --stacks/],
  [
    "a stack for no platform",
    ["inventory", "--no-platform", "--stack", "x"],
    /--no-platform: --stack says which .*--stacks/,
  ],
  ["two ways to choose stacks", ["drift", "--stacks", "*", "--stack", "x"], /--stacks.* cannot be used with .*--stack/],
  ["an option of a connection", ["logs", "--base-url", "x"], /baseUrl must be an absolute URL/],
  ["an empty tenant, which would read another tenant", ["logs", "--tenant-id", ""], /--tenant-id is empty/],
  ["a folder that is not there", ["drift", "--cwd", "/no/such"], /--cwd.* '\/no\/such' is invalid\. It is no folder/],
  ["the same where the environment names a platform", ["logs", "--cwd", "/no/such"], /--cwd.* It is no folder/],
  ["a command that cannot know what to ask", ["run"], /name a deployment of the stack, or give an agent's address/],
])("%s: exit code 2, and one message", async (_reason, args, said) => {
  const { code, out, err } = await commandLine(args, { AGENT_PLATFORM_API_KEY: "k" });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(said);
  expect(err).not.toContain("    at ");
});

test.each([["help"], ["help", "drift"], ["drift", "--help"]])("%s %s is no error", async (...args) => {
  const { code, out, err } = await commandLine(args);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Usage: pulumi-agent-platform/);
});

test("a refused key: the error names the command that says how to set it", async () => {
  const platform = await startEmulator();
  const words = ["revisions", "desk", "--base-url", platform.url];
  const { code, err } = await commandLine(words, { AGENT_PLATFORM_API_KEY: "another" });
  await platform.close();
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/answered 401: .*\. `npx pulumi-agent-platform doctor` says how/),
  ]);
});
