import { camelCase, slug, uniqueNames } from "./names";

test.each<[reason: string, text: string, expected: string]>([
  ["a name that is valid already", "support-desk", "support-desk"],
  ["spaces and capitals", "Support  Desk!", "Support-Desk"],
  ["accents", "Überprüfung", "Uberprufung"],
  ["other alphabets have no letters here", "翻訳", ""],
  ["no dot, hyphen or underscore at an end", "..-_a.b_-.", "a.b"],
  ["a part of a URN", "a::b$c", "a-b-c"],
  ["longer than anyone reads", "x".repeat(300), "x".repeat(100)],
])("the name of a resource: %s", (_reason, text, expected) => expect(slug(text)).toBe(expected));

test.each<[reason: string, text: string, expected: string]>([
  ["hyphens, dots and underscores", "support-desk.eu_1", "supportDeskEu1"],
  ["a digit at the front", "3d-viewer", "_3dViewer"],
  ["a capital at the front", "GitHub", "gitHub"],
])("the name of a variable: %s", (_reason, text, expected) => expect(camelCase(text)).toBe(expected));

const wish = (id: string, name: string) => ({ id, name });

test.each<[promise: string, wishes: { id: string; name: string }[], expected: Record<string, string>]>([
  ["a unique name is kept", [wish("1", "a"), wish("2", "b c")], { 1: "a", 2: "b-c" }],
  ["an object with exactly that name keeps it", [wish("1", "a b"), wish("2", "a-b")], { 1: "a-b-6b86b2", 2: "a-b" }],
  ["two objects with the same name both give way", [wish("1", "a"), wish("2", "a")], { 1: "a-6b86b2", 2: "a-d4735e" }],
  [
    "a digest that is a name already grows",
    [wish("1", "a b"), wish("2", "a-b"), wish("3", "a-b-6b86b2")],
    {
      1: "a-b-6b86b27",
      2: "a-b",
      3: "a-b-6b86b2",
    },
  ],
])("%s, in whatever order they come", (_promise, wishes, expected) => {
  for (const order of [wishes, wishes.toReversed()]) {
    expect(Object.fromEntries(uniqueNames(order, (name) => slug(name), "-"))).toEqual(expected);
  }
});
