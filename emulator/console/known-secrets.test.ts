import { SPELLED } from "../../tests/support/secret-spellings";
import { Store } from "../store/store";
import { KnownSecrets, MASK } from "./known-secrets";

const knowing = (...keys: string[]): KnownSecrets =>
  new KnownSecrets(
    new Store(),
    keys.map((apiKey) => ({ tenantId: "t", organizationId: "o", apiKey })),
  );

/** The console knows spellings of a whole secret, and undoes no escapes. */
const UNDONE = new Set([
  "percent-encoded in parts",
  "percent-encoded twice",
  "percent-encoded where it need not be",
  "JSON of ASCII",
  "HTML",
]);

test.each(SPELLED.filter(({ reason }) => !UNDONE.has(reason)).map((row) => [row.reason, row] as const))(
  "no page shows a secret: %s",
  (_reason, { secret, text, hidden }) => {
    const safe = knowing(secret).mask(text);
    expect(safe).toContain(MASK);
    expect(safe).not.toMatch(hidden);
  },
);

test("secrets that overlap go as one", () => {
  expect(knowing("abcdefgh", "defghijkl").mask("see abcdefghijkl!")).toBe(`see ${MASK}!`);
});

test("a text without secrets is unchanged", () => {
  expect(knowing("canary-secret").mask("a page about canaries")).toBe("a page about canaries");
});
