import { lastStates, plainText } from "./plain-text";

const ESC = "\x1b";

test.each<[reason: string, text: string, plain: string]>([
  ["text stays, in any script", "Übung 🎉 of 日本", "Übung 🎉 of 日本"],
  ["line ends and tabs stay", "one\n\ttwo\n", "one\n\ttwo\n"],
  ["a colour goes", `${ESC}[31mred${ESC}[0m`, "red"],
  ["a colour with colons goes", `a${ESC}[38:2:1:2:3mb`, "ab"],
  ["a sequence in one character goes", "a\x9b31mb", "ab"],
  ["what moves the cursor goes", `a${ESC}[2Kb${ESC}[1;5Hc${ESC}[?25l`, "abc"],
  ["a title goes, with its text", `${ESC}]0;pwned\x07after`, "after"],
  ["of a link its text stays", `${ESC}]8;;https://a.example${ESC}\\link${ESC}]8;;${ESC}\\`, "link"],
  ["a device string goes", `${ESC}Pq#0${ESC}\\after`, "after"],
  ["a short escape goes", `a${ESC}(Bb${ESC}Mc${ESC}7d`, "abcd"],
  ["a title without an end does not swallow the text", `${ESC}]0;title\nafter`, "0;title\nafter"],
  ["a device string that another one cuts off does not swallow the text", "\x90one\x90two\x9cafter", "oneafter"],
  ["an escape alone goes", `a${ESC}`, "a"],
  ["bells, backspaces and NULs go", "a\x07b\x08c\0d", "abcd"],
  ["what reorders a line goes", "a\u202eb\u2066c\u200f", "abc"],
  ["a text cannot take the place of what stands before it", "it failed: \rall is well", "it failed: all is well"],
  ["a line end of Windows is a line end", "one\r\ntwo\r\n", "one\ntwo\n"],
])("%s", (_reason, text, plain) => expect(plainText(text)).toBe(plain));

test("of a progress bar in a log the last state stays", () =>
  expect(lastStates("10 %\r50 %\r100 %\nready\r\n")).toBe("100 %\nready\n"));
