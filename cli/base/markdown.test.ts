import { code, elementText, plainMarkdown } from "./markdown";

/** What a reader sees: escapes and entities resolved, without what takes no room. */
const seen = (markdown: string): string =>
  markdown
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/&#(\d+);/g, (_all, point: string) => String.fromCodePoint(Number(point)))
    .replaceAll("&amp;", "&")
    .replaceAll("\u2060", "");

const ROWS: readonly [what: string, typed: string, written: string][] = [
  ["a person", "ask @x", "ask @&#8288;x"],
  ["a team", "@org/team", "@&#8288;org/team"],
  ["a mail address", "a@b.example", "a@&#8288;b.example"],
  ["an issue", "#1", "\\#&#8288;1"],
  ["an issue of another project", "org/repo#1", "org/repo\\#&#8288;1"],
  ["an issue by letters", "see GH-26 and gh-27", "see GH-&#8288;26 and gh-&#8288;27"],
  ["a merge request", "!12", "!&#8288;12"],
  ["a snippet, a milestone, an alert", "$1 %2 ^3", "$&#8288;1 %&#8288;2 ^&#8288;3"],
  ["a label", '~bug ~"two words"', '\\~&#8288;bug \\~&#8288;"two words"'],
  ["an epic", "&1", "&amp;&#8288;1"],
  ["an entity", "&lt;b&gt;", "&amp;&#8288;lt;b&amp;&#8288;gt;"],
  [
    "a commit",
    "by 0123456789abcdef0123456789ABCDEF01234567",
    "by 012345&#8288;6789ab&#8288;cdef01&#8288;234567&#8288;89ABCD&#8288;EF0123&#8288;4567",
  ],
  ["a UUID", "f0000000-0000-4000-8000-00000000000a", "f0000000-0000-4000-8000-00000000000a"],
  ["an address", "at https://a.example/b?c=d", "at https:&#8288;//a.example/b?c=d"],
  ["an address without a scheme", "www.a.example", "www&#8288;.a.example"],
  ["a link", "[a](https://b)", "\\[a\\](https:&#8288;//b)"],
  ["an element", "<img src=x>", "\\<img src=x\\>"],
  ["emphasis", "*a* _b_ c_d ~~e~~", "\\*a\\* \\_b\\_ c_d \\~\\~&#8288;e\\~\\~"],
  ["a backslash", "\\@x", "\\\\@&#8288;x"],
  ["signs that begin nothing", "100 %, a # b, 5 $!", "100 %, a \\# b, 5 $!"],
];

test.each(ROWS)("%s is shown as it was typed, and does nothing", (_what, typed, written) => {
  expect(plainMarkdown(typed)).toBe(written);
  expect(seen(plainMarkdown(typed))).toBe(typed);
});

test.each(ROWS)("%s in an element of HTML, too", (_what, typed) => {
  const html = elementText(typed);
  expect(seen(html)).toBe(typed);
  const shown = html.replace(/&#(\d+);/g, (_all, point: string) => String.fromCodePoint(Number(point)));
  expect(shown).not.toMatch(/[@#!$%^~&][\w".]|GH-\d|:\/\/|www\.|[\da-f]{13}/i);
  expect(html).not.toMatch(/[<>"]/);
});

test("code spans need no escape: code hosts look for nothing in them", () => expect(code("@x #1")).toBe("`@x #1`"));
