import { camelCase, numbered, slug } from "./names";

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
  ["capitals alone", "MODEL_API_KEY", "modelApiKey"],
])("the name of a variable: %s", (_reason, text, expected) => expect(camelCase(text)).toBe(expected));

test.each<[promise: string, wishes: readonly string[], expected: readonly string[]]>([
  ["a unique name is kept", ["a", "b c"], ["a", "b-c"]],
  ["the second of a name gets a number", ["a b", "a-b", "a b"], ["a-b", "a-b-2", "a-b-3"]],
  ["and not one that is a name already", ["a-2", "a", "a", "a-2"], ["a-2", "a", "a-3", "a-2-2"]],
])("%s", (_promise, wishes, expected) => {
  expect(numbered(wishes.map(slug), "-")).toEqual(expected);
});
