import fc from "fast-check";

/** A text that holds a secret, for the masker of the provider and the console. */
export interface SpelledRow {
  readonly reason: string;
  readonly secret: string;
  readonly text: string;
  /** What must not be left of it. */
  readonly hidden: RegExp;
}

const KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBg\n  kqhkiG9w0BAQEF\r\n-----END KEY-----";
const row = (reason: string, secret: string, text: string, hidden: RegExp): SpelledRow => ({
  reason,
  secret,
  text,
  hidden,
});
const ADDRESS = "postgres://app:s3cr%40t-pw@db.example/main";
const WORD = "sk-live-0123456789-abcdefghij-klmnopqrst-uvwxyz-9876543210";
const wrapped = (text: string): string => text.replace(/.{20}/g, "$&\r\n");

export const SPELLED: readonly SpelledRow[] = [
  row("as it is", "s3cret/+value", "got s3cret/+value, sorry", /s3cret|value/),
  row("an address with credentials", ADDRESS, `cannot reach ${ADDRESS}`, /app:|s3cr|pw/),
  row("the password of an address alone", ADDRESS, "password s3cr%40t-pw is wrong", /s3cr|-pw/),
  row("the password of an address, decoded", ADDRESS, 'password "s3cr@t-pw" is wrong', /s3cr|-pw/),
  row("in quotes, which are part of the value", '"quoted-value"', "got quoted-value", /quoted-value/),
  row("quoted by Python", `it's "first"\nsecond`, `ValueError('it\\'s "first"\\nsecond')`, /first|second/),
  row("percent-encoded", "pass word/é&x", `?q=${encodeURIComponent("pass word/é&x")}`, /pass|word|C3/),
  row("percent-encoded in parts", "pass word/é&x", "?q=pass%20word/%c3%A9&x", /pass|word|c3/),
  row("percent-encoded twice", "pass word/x", "?q=pass%2520word%252Fx", /pass|word/),
  row("percent-encoded where it need not be", "passw0rd", "?q=%70assw0%72d", /70assw|72d/),
  row("of a form", "pass word/x", "q=pass+word%2Fx", /pass|word/),
  row("one line of several", KEY, "config: MIIEvQIBADANBg", /MIIE/),
  row("an indented line of several", KEY, "\tkqhkiG9w0BAQEF", /kqhk/),
  row("without its scheme", "Bearer tok-1234-abcd", "token tok-1234-abcd expired", /tok-1234/),
  row("in base64", "s3cret/+value", Buffer.from("s3cret/+value").toString("base64"), /czNjcmV0|=/),
  row("inside of base64", "s3cret/+value", Buffer.from("a:s3cret/+value!").toString("base64"), /M2NyZXQv|zNjcmV0/),
  row("in a URL", "s3cret/>>>value", encodeURIComponent(Buffer.from("s3cret/>>>value").toString("base64")), /czNjcmV0/),
  row("JSON in JSON", 'a "b"\\c/d', JSON.stringify(JSON.stringify({ secret: 'a "b"\\c/d' })), /b\\*"\\*c/),
  row("JSON of ASCII", "pässwörd🎉", '"p\\u00e4ssw\\u00F6rd\\ud83c\\udf89"', /ssw/),
  row("bytes of Python", "schlüssel-7", "b'schl\\xc3\\xbcssel-7'", /schl|ssel/),
  row("text of Python", "schlüssel-7", "'schl\\xfcssel-7'", /schl|ssel/),
  row("octal bytes of a shell", "schlüssel-7", "$'schl\\303\\274ssel-7'", /schl|ssel/),
  row("text of Rust and JavaScript", "schlüssel-7", '"schl\\u{fc}ssel-7"', /schl|ssel/),
  row("long text of Python", "pass-🎉-word", "'pass-\\U0001f389-word'", /pass|word/),
  row("HTML", `<a & 'b'>`, "<p>&lt;a &amp; &#39;b&#x27;&gt;</p>", /amp|39/),
  row("HTML with quotes", '<first> "line"', "<p>&lt;first&gt; &quot;line&quot;</p>", /first|line/),
  row("wrapped", WORD, `got ${WORD.slice(0, 20)}\n    ${WORD.slice(20)}`, /sk-live|qrst|9876/),
  row("in wrapped base64", WORD, wrapped(Buffer.from(`key: ${WORD}`).toString("base64")), /ay1saXZl|OTg3/),
  row("split by a log", WORD, `${WORD.slice(0, 9)}\n${WORD.slice(9)}`, /sk-live|9876/),
  row(
    "cut by Python",
    WORD,
    `[input_value='${WORD.slice(0, 24)}...${WORD.slice(-23)}', input_type=str]`,
    /sk-live|987/,
  ),
  row("cut by JavaScript", WORD, `cannot use ${WORD.slice(0, 24)}…`, /sk-live|abc/),
  row("hexadecimal", "s3cret", "7333637265740A", /733363/),
  row("hexadecimal in capitals", "key-Jo", "6B65792D4A6F", /6B65/),
];

/** Ways to write a secret, each on its own or in parts of the text. */
const SPELLERS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) =>
    encodeURIComponent(secret)
      .toLowerCase()
      .replace(/%[0-9a-f]{2}/g, (code, at: number) => (at % 2 === 0 ? code : code.toUpperCase())),
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  (secret) => Buffer.from(secret).toString("base64"),
  (secret) => Buffer.from(secret).toString("base64url"),
  (secret) => Buffer.from(secret).toString("hex"),
];

export interface SpelledText {
  readonly secrets: readonly string[];
  /** The spellings that are in the text. */
  readonly spelled: readonly string[];
  readonly text: string;
}

/** Secrets that overlap, have several lines and special characters, in a text between others. Lower case: a speller changes it. */
export const spelledTexts: fc.Arbitrary<SpelledText> = fc
  .record({
    secrets: fc.array(
      fc
        .string({
          minLength: 8,
          maxLength: 24,
          unit: fc.constantFrom("a", "b", "q", "7", "/", "+", '"', "\\", "%", "é", "&"),
        })
        .filter((each) => !/^[abq]+$/.test(each)),
      { minLength: 1, maxLength: 4 },
    ),
    lines: fc.string({ minLength: 8, maxLength: 12, unit: fc.constantFrom("x", "y", "z", "9") }),
    picks: fc.array(fc.tuple(fc.nat(), fc.nat(SPELLERS.length - 1), fc.string({ maxLength: 6 })), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ secrets, lines, picks }) => {
    const all = [...secrets, `${secrets[0] ?? ""}${secrets[1] ?? ""}`, `${lines}\n${lines}!`];
    const written = picks.map(([which, how, around]) => {
      const secret = all[which % all.length] ?? "";
      return { spelling: SPELLERS[how]?.(secret) ?? secret, around };
    });
    return {
      secrets: all,
      spelled: written.map(({ spelling }) => spelling),
      text: written.map(({ spelling, around }) => `${around} ${spelling} `).join(""),
    };
  });
