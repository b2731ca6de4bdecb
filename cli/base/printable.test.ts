import { jsonLine, jsonText } from "./printable";

test.each([
  ["commands of a terminal", "\x1b[31m\x9b1m\x7f"],
  ["what reorders a line", "\u202eevil\u2066\u200f\u061c"],
  ["line ends of Unicode, and others", "a\u2028b\u2029c\r\nd"],
])("JSON that a command prints spells %s out, and means the same", (_what, text) => {
  for (const printed of [jsonLine({ [text]: text }), jsonText({ [text]: text })]) {
    expect(printed.replaceAll("\n", "")).not.toMatch(
      /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    );
    expect(JSON.parse(printed)).toEqual({ [text]: text });
  }
});
