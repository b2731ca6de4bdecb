import {
  compact,
  isObject,
  merge,
  ownValue,
  parseJson,
  sameJson,
  shownJson,
  stringifyJson,
  UnsafeInteger,
  type Json,
  type JsonObject,
} from "./json";

const BIG = "1795292668348461057";

test.each<[what: string, text: string]>([
  ["alone", BIG],
  ["in an object", `{"a":${BIG},"b":[${BIG},-${BIG}],"c":{"d":${BIG}}}`],
  ["beside texts that look like one, or have quotes in them", `{"a":"${BIG}","b\\"${BIG}":"\\\\","c":${BIG}}`],
  ["the first ones beyond 2^53", "[9007199254740992,-9007199254740992,9007199254740993]"],
  ["of more digits than a double has an exponent", `[1${"0".repeat(400)}]`],
  ["under a name that would reach a prototype", `{"__proto__":{"a":${BIG}}}`],
])("a whole number beyond 2^53 is written as it was read: %s", (_what, text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test.each<[what: string, text: string]>([
  ["what a number holds", "[1,-1,0.5,1.5e3,9007199254740991,-9007199254740991]"],
  ["a fraction of many digits", "[0.30000000000000004,1.7976931348623157e+308,1795292668348461057e0]"],
  ["sixteen digits in a text", '{"0123456789012345":"0123456789012345"}'],
])("everything else is read as JSON.parse reads it: %s", (_what, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each<[what: string, text: string]>([
  ["a number as a name", `{${BIG}:1}`],
  ["a number with a zero in front", `[0${BIG}]`],
  ["a text without an end", `["${BIG}`],
])("what is no JSON is refused: %s", (_what, text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test.each<[what: string, text: string, isRefused: boolean]>([
  ["lists", "[".repeat(1001) + "]".repeat(1001), true],
  ["objects", '{"a":'.repeat(1001) + "1" + "}".repeat(1001), true],
  ["as deep as may be", "[".repeat(1000) + "]".repeat(1000), false],
  ["brackets in texts", `["\\"${"[".repeat(2000)}"]`, false],
  ["one after the other", `[${"[],".repeat(2000)}[]]`, false],
])("what is nested so deep that walking through would run out of stack is not read: %s", (_what, text, isRefused) => {
  const read = () => stringifyJson(shownJson(parseJson(text)));
  if (isRefused) expect(read).toThrow(/^it is nested more than 1000 levels deep$/);
  else expect(read()).toBe(text);
});

test("such a number is never equal to one that looks like it, nor to its digits as text", () => {
  const [read] = [parseJson(`{"a":${BIG}}`)];
  const shown = shownJson(read);
  for (const other of [Number(BIG), BIG]) expect(sameJson(shown, { a: other })).toBe(false);
  expect(shown).toEqual({ a: `${BIG} (a number)` });
});

test("it is no object to be merged, and anybody else's JSON has its digits as text", () => {
  const number = parseJson(BIG);
  expect([number instanceof UnsafeInteger, isObject(number)]).toEqual([true, false]);
  expect(JSON.stringify({ number })).toBe(`{"number":"${BIG}"}`);
});

test("a long text takes a time that grows with its length alone", () => {
  const began = performance.now();
  for (const text of [
    `[${"1".repeat(2 ** 20)}]`,
    `["${'\\"'.repeat(2 ** 19)}",${BIG}]`,
    `[${`${BIG},`.repeat(50_000)}1]`,
  ])
    stringifyJson(parseJson(text));
  expect(performance.now() - began).toBeLessThan(5000);
});

test("a key is what the object has itself, whatever every object inherits under it", () => {
  const under = (value: Json): JsonObject => Object.fromEntries([["__proto__", value]]);
  const object = under({ a: 1 });
  expect(ownValue({}, "toString")).toBeUndefined();
  expect(ownValue(undefined, "a")).toBeUndefined();
  expect(ownValue(object, "__proto__")).toEqual({ a: 1 });
  expect(sameJson({}, object)).toBe(false);
  expect(sameJson({}, under({}))).toBe(false);
  expect(JSON.stringify(merge({}, object))).toBe('{"__proto__":{"a":1}}');
  expect(Object.prototype).not.toHaveProperty("a");
});

test("what goes to the engine has no half of an emoji, in no text and no name", () => {
  const halves = { "a\ud83d": ["\ude00b", { c: "🎉", d: undefined }] };
  expect(compact(halves)).toEqual({ "a\ufffd": ["\ufffdb", { c: "🎉" }] });
});
