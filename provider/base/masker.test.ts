import fc from "fast-check";
import { SPELLED, spelledTexts } from "../../tests/support/secret-spellings";
import { noteSecrets, REDACTED, safeText, Spellings } from "./masker";

const redact = (text: string, secrets: readonly string[]): string => new Spellings(secrets).mask(text);

test.each([0, 1, 2, 3])("a secret is removed from base64 of a longer text, %d bytes from its beginning", (offset) => {
  const secret = "s3cret/+value";
  for (const encoding of ["base64", "base64url"] as const) {
    const text = redact(Buffer.from(`${"-".repeat(offset)}${secret} and more`).toString(encoding), [secret]);
    expect(Buffer.from(text.replace(REDACTED, ""), encoding).toString("latin1")).not.toMatch(/cret|valu/);
    expect(text).toContain(REDACTED);
  }
});

test.each(SPELLED.map((row) => [row.reason, row] as const))("removed: %s", (_reason, { secret, text, hidden }) => {
  const safe = redact(text, [secret]);
  expect(safe).toContain(REDACTED);
  expect(safe).not.toMatch(hidden);
});

test.each<[string, reason: string]>([
  ["true", "a flag"],
  ["build", "a word of every log"],
  ["Production", "a name of an environment"],
  ["INFO", "a level of a log"],
  ["8080", "a port"],
  ["true\n", "with the line end of its file"],
  ['"build"', "in the quotes of its file"],
  ["----", "a ruler"],
])("%s stays readable although it is declared as a secret: %s", (value) => {
  const log = `emulator-fail-build: true, Production at 8080, INFO`;
  expect(redact(log, [value])).toBe(log);
});

test.each<[string, reason: string]>([
  ["hunter2", "a word with a digit"],
  ["correct-horse", "several words"],
  ["incomprehensibly", "a long word, which may be a key of letters alone"],
  ["hUnter", "capitals where no word has them"],
  ["190734", "a number that is no port"],
])("%s is removed: %s", (value) => {
  expect(redact(`got ${value}`, [value])).toBe(`got ${REDACTED}`);
});

test("the password of an address is removed, even if it is a word", () => {
  expect(redact('cannot log in with "letmein"', ["redis://:letmein@db"])).toBe(`cannot log in with "${REDACTED}"`);
});

test("what the process has noted is removed from every text, with what the text itself must not show, and as one where they overlap", () => {
  expect(safeText("old-key-1 and old-key-2")).toBe("old-key-1 and old-key-2");
  noteSecrets({ A: "old-key-1", nested: [{ B: "old-key-2" }, 7, null, true] });
  expect(safeText("old-key-1 and old-key-2 and mine-3", new Spellings(["mine-3"]))).toBe(
    `${REDACTED} and ${REDACTED} and ${REDACTED}`,
  );
  expect(safeText("see old-key-1-2-3!", new Spellings(["-1-2-3"]))).toBe(`see ${REDACTED}!`);
});

test("a secret number is removed as a secret text is, and a small one stays", () => {
  noteSecrets({ pin: 190734, flags: [-4711.25, 8080] });
  expect(safeText('{"pin":190734,"flags":[-4711.25,8080]}')).toBe(`{"pin":${REDACTED},"flags":[${REDACTED},8080]}`);
});

test("what a secret that is JSON holds is removed, too, in whatever form a program prints it", () => {
  const key = { type: "account", private_key: "-----BEGIN KEY-----\nMIIEcanary\n", ports: [8080, 471125] };
  noteSecrets({
    CREDENTIALS: JSON.stringify(key),
    deep: `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    broken: "[canary",
  });
  expect(
    safeText("{'type': 'account', 'private_key': '-----BEGIN KEY-----\\nMIIEcanary\\n', 'ports': [8080, 471125]}"),
  ).toBe(`{'type': 'account', 'private_key': '${REDACTED}', 'ports': [8080, ${REDACTED}]}`);
  expect(safeText("line MIIEcanary")).toBe(`line ${REDACTED}`);
});

test("two that overlap go as one", () => {
  expect(redact("see abcd-fghij!", ["abcd-fg", "d-fghij"])).toBe(`see ${REDACTED}!`);
  expect(redact("a-a-a-a-", ["a-a-a-"])).toBe(REDACTED);
});

test("the beginning of a secret at the end of a text that was cut elsewhere is removed", () => {
  expect(redact("key: abcdefghijklmno", ["abcdefghijklmnopqrstuvwxyz"])).toBe(`key: ${REDACTED}`);
});

test("whatever they are, and however they are spelled, no spelling stays", () => {
  fc.assert(
    fc.property(spelledTexts, ({ secrets, spelled, text }) => {
      const safe = redact(text, secrets);
      for (const spelling of spelled) expect(safe).not.toContain(spelling);
    }),
    { numRuns: 500 },
  );
});

test("a text without secrets is unchanged", () => {
  const secret = fc.string({ minLength: 4, unit: fc.constantFrom("\u4e00", "\u4e01") });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii" }),
      fc.array(secret),
      (text, secrets) => redact(text, secrets) === text,
    ),
  );
});

test("megabytes, thousands of secrets and texts that almost match take time that grows with both, not with their product", () => {
  const like = Array.from({ length: 3_000 }, (_, index) => `key-key-${index}-${"a".repeat(30)}`);
  const before = process.cpuUsage().user;
  const text = redact(
    `${"key-key-".repeat(130_000)}${"key-key-17-aaaa...".repeat(20_000)}${"a\n".repeat(50_000)}${"a".repeat(100_000)}${like[17] ?? ""}`,
    [...like, `${"a".repeat(50_000)}b`],
  );
  expect(text.endsWith(REDACTED)).toBe(true);
  // By the product it is hours.
  expect(process.cpuUsage().user - before).toBeLessThan(60_000_000);
});
