import { commandLine } from "../../tests/support/command-line";
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

test.each(FORMATTED)(
  "%s refuses another format: the error names the option and its choices",
  async (name, formats, needed) => {
    const { code, out, err } = await commandLine([name, ...needed, "--format", "xml"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      `error: option '--format <name>' argument 'xml' is invalid. Allowed choices are ${formats.join(", ")}.\n`,
    );
  },
);
