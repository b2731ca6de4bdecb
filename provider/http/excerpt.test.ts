import fc from "fast-check";
import { excerptOf } from "./excerpt";
import { noteSecrets, REDACTED } from "../base/masker";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

describe("the end of a log", () => {
  test.each<[reason: string, messages: readonly string[], lines: readonly string[]]>([
    ["nothing of an empty log", [], []],
    ["a line for each message", ["one", "two"], ["one", "two"]],
    ["each line of a message", ["Traceback:\n  File x\nKeyError: 'A'"], ["Traceback:", "  File x", "KeyError: 'A'"]],
    ["no empty lines", ["one", "", " \n\n", "two\n"], ["one", "two"]],
    ["the last 20 lines", numbered(25), numbered(25).slice(5)],
    ["the last 20 lines of a long message", [numbered(25).join("\n")], numbered(25).slice(5)],
    ["without what steers a terminal", ["\x1b[31mred\x1b[0m\x07"], ["red"]],
    ["a long line is cut off", ["x".repeat(600)], [`${"x".repeat(499)}…`]],
    ["and not in the middle of a character", ["🎉".repeat(600)], [`${"🎉".repeat(499)}…`]],
  ])("%s", (_reason, messages, lines) => expect(excerptOf(messages)).toEqual(lines));

  test.each([["of ASCII", "x"] as const, ["of long ones", "日"] as const])("has at most 4 KiB %s", (_, character) => {
    const lines = excerptOf(Array.from({ length: 30 }, () => character.repeat(400)));
    const size = Buffer.byteLength(`${lines.join("\n")}\n`);
    expect(size).toBeLessThanOrEqual(4096);
    expect(size).toBeGreaterThan(2500);
  });

  test("has a last line, however long that is", () => {
    expect(excerptOf(["first", "🎉".repeat(1e6)]).at(-1)).toMatch(/^🎉+…$/u);
  });
});

describe("a secret is in no line", () => {
  const secret = 'Pa"ss/+ é-word';
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\n  kqhkiG9w0BAQEF\r\n-----END KEY-----";

  test.each<[reason: string, messages: readonly string[]]>([
    ["with a colour inside of it", [`${secret.slice(0, 5)}\x1b[31m${secret.slice(5)}`]],
    ["across the end of a long line", [`${"x".repeat(490)}${secret}`]],
    ["of several lines, each of them an entry", key.split(/\r?\n/)],
    ["of several lines, of which the last ones are shown", [key, ...numbered(18)]],
  ])("%s", (_reason, messages) => {
    noteSecrets([secret, key]);
    const text = excerptOf(messages).join("\n");
    expect(text).toContain(REDACTED);
    expect(text).not.toMatch(/Pa"?ss|word|MIIE|kqhk|BEGIN/);
  });

  test("whatever stands around it, and wherever it is cut", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\x1b[1m", " ", "é") });
    const hidden = fc
      .string({ minLength: 6, maxLength: 30, unit: fc.constantFrom("k", "y", "0", "1", "\t") })
      .map((each) => `k-0${each}`);
    fc.assert(
      fc.property(part, hidden, part, (before, value, after) => {
        noteSecrets(value);
        const printed = excerptOf([before + value + after, `${value}${"x".repeat(600)}`]).join("\n");
        return !printed.includes(value.trim());
      }),
    );
  });
});
