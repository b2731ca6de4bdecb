import { jsonLine, jsonText, lineText, paragraphText, printable } from "../../cli/base/printable";
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
  ["half of an emoji goes", "\ude00a\ud83d... 🎉\ud83d", "a... 🎉"],
  ["a text cannot take the place of what stands before it", "it failed: \rall is well", "it failed: all is well"],
  ["a colour of Pulumi's engine, which an unknown one ends", "a <{%fg 1%}>b <<{%{%", "a < {%fg 1%}>b << {%{%"],
  ["one that an escape divides", `a <${ESC}[m{\0%reset%}>`, "a < {%reset%}>"],
  ["a line end of Windows is a line end", "one\r\ntwo\r\n", "one\ntwo\n"],
])("%s", (_reason, text, plain) => expect(plainText(text)).toBe(plain));

// GitHub's runner takes "::name" at the beginning of a line and "##[" anywhere, that of Azure "##vso[" anywhere.
const RUN = /^\s*::(?:add-mask|error|set-output|stop-commands)\b|##\w*\[/im;

test.each<[reason: string, text: string, plain: string]>([
  ["of Azure, which could change a later step", "a ##vso[task.prependpath]/tmp/x", "a #vso[task.prependpath]/tmp/x"],
  ["with more signs", "####VSO[task.setvariable]", "#VSO[task.setvariable]"],
  ["of TeamCity", "##teamcity[setParameter name='a']", "#teamcity[setParameter name='a']"],
  ["of GitHub", "ok\n \u3000::set-output name=a::b", "ok\n \u3000:set-output name=a::b"],
  ["with more colons", "::::ADD-MASK::a", ":ADD-MASK::a"],
  ["that a control character divides", "#\x07#vso[a]\n:\x1b[m:err\0or::a", "#vso[a]\n:error::a"],
])("a command for the runner of a pipeline is none any more: %s", (_reason, text, plain) => {
  expect(plainText(text)).toBe(plain);
  for (const shown of [plain, lineText(text), paragraphText(text), printable(text), jsonLine([text]), jsonText([text])])
    expect(shown).not.toMatch(RUN);
  expect(JSON.parse(jsonText([text]))).toEqual([text]);
});

test.each([
  "std::error::Error: no",
  "http://[::1]:80",
  "a::b",
  "## [x](y)",
  "urn:pulumi:dev::shop::a:b:C::error",
  "x: ::",
])("%s is no command, and stays", (text) => expect([plainText(text), lineText(text)]).toEqual([text, text]));

test("megabytes of what almost is a command take no time by their square", () => {
  const before = process.cpuUsage().user;
  for (const part of ["#", ":", "#a", "::e", " ", "\n", ":\n:"]) plainText(part.repeat(2 ** 20));
  expect(process.cpuUsage().user - before).toBeLessThan(60_000_000);
});

test("of a progress bar in a log the last state stays", () =>
  expect(lastStates("10 %\r50 %\r100 %\nready\r\n")).toBe("100 %\nready\n"));
