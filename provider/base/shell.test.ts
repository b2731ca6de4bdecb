import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, sources } from "../../tests/support/sources";
import { AgentPlatformError } from "./errors";
import { shellWord } from "./shell";

test.each([
  ["a plain word stays as it is", "https://a.example:8080/x_y-z", "https://a.example:8080/x_y-z"],
  ["spaces", "a b", "'a b'"],
  ["a quote", "it's", `'it'\\''s'`],
  ["what a shell would run or replace", '$(id) `id` "$HOME" *;', undefined],
  ["a line break", "a\nb", undefined],
  ["nothing", "", "''"],
])("%s: a shell reads it as one word, unchanged", (_why, text, written) => {
  const word = shellWord(text);
  if (written !== undefined) expect(word).toBe(written);
  expect(execFileSync("sh", ["-c", `printf '<%s>' ${word}`], { encoding: "utf8" })).toBe(`<${text}>`);
});

test.each([
  ["an escape that takes the quote behind it", "\x1b"],
  ["a title without an end", "\x1b]0;"],
  ["half of a control sequence", "\x9b"],
])("words stay words in a message, which drops control sequences: %s", (_why, begun) => {
  const command = `printf '<%s>' ${shellWord(`a${begun}`)} --flag ${shellWord(`;printf owned;${begun}`)} '\x07'`;
  const { message } = new AgentPlatformError(command);
  expect(execFileSync("sh", ["-c", message], { encoding: "utf8" })).toMatch(/^<a\S*><--flag><;printf owned;\S*><>$/);
});

/** What may stand in a command as it is: the keys of settings, which are names of ours. */
const PLAIN = ["shellWord", "configKey", "NAMESPACE", "isSecret", "key"];

test("in each command that a message shows for people to paste, what comes from elsewhere is one word of a shell", () => {
  const begun =
    /(?:pulumi(?:-agent-platform)? (?:logs|revisions|run|preview|state|config|stack|import)|chmod \d+|--(?:target|stack|thread|join|revision|platform))/;
  const command = new RegExp(`${begun.source}(?: [a-z:-]+)* ['"]?\\$\\{(\\w+)`, "g");
  const shown = ["provider", "cli", "sdk", "emulator", "fleet"].flatMap(sources).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(command)].map(([text, given = ""]) => ({
      file,
      text,
      given,
    })),
  );
  expect(shown.filter(({ given }) => !PLAIN.includes(given))).toEqual([]);
  expect(shown.filter(({ given }) => given === "shellWord").length).toBeGreaterThan(7);
});
