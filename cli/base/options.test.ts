import { commandLine } from "../../tests/support/command-line";
import { commandOf } from "../../tests/support/command-of";
import { programFor } from "../program";

const BOTH = ["text", "json"];
const REPORT = ["text", "markdown", "json"];
/** The commands that print data: their formats, the options that each needs, and what it once called the format text. */
const FORMATTED: readonly [name: string, formats: readonly string[], needed: readonly string[], earlier?: string][] = [
  ["emulator", BOTH, []],
  ["run", BOTH, []],
  ["drift", REPORT, [], "table"],
  ["review", REPORT, [], "terminal"],
  ["inventory", BOTH, [], "table"],
  ["revisions", BOTH, ["--deployment", "desk"]],
  ["logs", BOTH, []],
  ["doctor", BOTH, []],
];

/** The format that the words ask a command for. The command itself does not run. */
async function formatOf(name: string, words: readonly string[]): Promise<unknown> {
  const command = await commandOf(name);
  let format: unknown;
  command.action(() => void (format = command.opts()["format"]));
  await command.parseAsync(words, { from: "user" });
  return format;
}

test("these commands have --format, and no help shows --json", async () => {
  const names = (await programFor([])).commands.map((command) => command.name());
  const having: string[] = [];
  for (const name of names) {
    const { out } = await commandLine([name, "--help"]);
    expect(out).toMatch(/^Usage: /);
    expect([name, out]).toEqual([name, expect.not.stringContaining("--json")]);
    if (out.includes("--format <name>")) having.push(name);
  }
  expect(having).toEqual(FORMATTED.map(([name]) => name));
});

describe.each(FORMATTED)("%s", (name, formats, needed, earlier) => {
  test.each<[words: string[], format: string]>([
    [[], "text"],
    [["--json"], "json"],
    [["--json", "--format", "json"], "json"],
    ...formats.map((format): [string[], string] => [["--format", format], format]),
    ...(earlier === undefined ? [] : [earlier]).map((word): [string[], string] => [["--format", word], "text"]),
  ])("%j asks for %s", async (words, format) => {
    expect(await formatOf(name, [...needed, ...words])).toBe(format);
  });

  test("another format is refused: the error names the option and its choices", async () => {
    const { code, out, err } = await commandLine([name, ...needed, "--format", "xml"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      `error: option '--format <name>' argument 'xml' is invalid. Allowed choices are ${formats.join(", ")}.\n`,
    );
  });

  test("--json beside another format is refused", async () => {
    const { code, out, err } = await commandLine([name, ...needed, "--format", "text", "--json"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe("error: --json means --format json and excludes --format text: leave one of them out\n");
  });
});
