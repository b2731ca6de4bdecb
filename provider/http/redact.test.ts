import fc from "fast-check";
import { REDACTED, redact } from "./redact";

test.each<[string, string]>([
  ["as it is", "s3cret/+value"],
  ["base64", Buffer.from("s3cret/+value").toString("base64")],
  ["base64url", Buffer.from("s3cret/+value").toString("base64url")],
  ["URL-encoded", encodeURIComponent("s3cret/+value")],
])("a secret is removed %s", (_how, spelling) => {
  expect(redact(`got ${spelling}, sorry`, ["s3cret/+value"])).toBe(`got ${REDACTED}, sorry`);
});

test("a secret with quotes is removed from JSON text", () => {
  expect(redact(JSON.stringify({ a: 'pass"word' }), ['pass"word'])).not.toContain("word");
});

test("a secret that contains another one goes as a whole", () => {
  expect(redact("longer-secret", ["secret", "longer-secret"])).toBe(REDACTED);
});

test("whatever surrounds it, no secret stays", () => {
  const secret = fc.string({ minLength: 8, unit: fc.constantFrom("a", "b", "c", "d", "0", "1") });
  fc.assert(
    fc.property(
      fc.string(),
      secret,
      fc.string(),
      (before, hidden, after) => !redact(before + hidden + after, [hidden]).includes(hidden),
    ),
  );
});
