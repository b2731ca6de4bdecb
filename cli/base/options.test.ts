import { commandLine } from "../../tests/support/command-line";
import { commandOf } from "../../tests/support/command-of";
import { programFor } from "../program";

const BOTH = ["text", "json"];
const REPORT = ["text", "markdown", "json"];
/** The commands that print data: their formats, and the words that each needs. */
const FORMATTED: readonly [name: string, formats: readonly string[], needed: readonly string[]][] = [
  ["emulator", BOTH, []],
  ["run", BOTH, []],
  ["drift", REPORT, []],
  ["review", REPORT, []],
  ["inventory", BOTH, []],
  ["revisions", BOTH, ["desk"]],
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

test("these commands have --format, and every help fits into 80 columns but for its example", async () => {
  const names = (await programFor([])).commands.map((command) => command.name());
  const having: string[] = [];
  for (const name of names) {
    const { out } = await commandLine([name, "--help"]);
    expect(out).not.toContain("default: []");
    expect(out).toMatch(/^Usage: /);
    expect(out.split("\n").filter((line) => line.length > 80 && !line.startsWith("Example: "))).toEqual([]);
    if (out.includes("--format <name>")) having.push(name);
  }
  expect(having).toEqual(FORMATTED.map(([name]) => name));
});

describe.each(FORMATTED)("%s", (name, formats, needed) => {
  test.each<[words: string[], format: string]>([
    [[], "text"],
    ...formats.map((format): [string[], string] => [["--format", format], format]),
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
});
