import { execFileSync } from "node:child_process";
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
