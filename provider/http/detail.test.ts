import { detailOf } from "./detail";

const detail = (text: string): string => detailOf(JSON.stringify({ detail: text }));

test.each<[reason: string, shown: string, expected: string]>([
  ["a colour", detail("\x1b[31mno\x1b[0m"), "no"],
  ["a title of the window", detail("\x1b]0;owned\x07no"), "no"],
  ["a C1 control, which JSON has escaped", detailOf('{"detail":"\\u009b31mno\\u009d0;owned\\u009c"}'), "no"],
  ["other control characters", detail("n\0o\x7f\x85"), "no"],
  ["lines, which could pass for others", detail("no\nerror: all is lost\r\n"), "no error: all is lost"],
  ["marks that reorder a line", detail("a\u202eb"), "ab"],
  ["in a plain text", detailOf("\x1b[2Jno\x9b1m"), "no"],
  ["in a list", detailOf('{"detail":[{"loc":["body","a"],"msg":"\\u001b[2Jno"}]}'), "a: no"],
])("what the platform says steers no terminal: %s", (_reason, shown, expected) => {
  expect(shown).toBe(expected);
});

test("a control character does not hide a secret from the masker, nor does a cut", () => {
  const secret = "canary-secret-value";
  expect(detailOf(JSON.stringify({ detail: "canary-\0secret-value" }), [secret])).toBe("[secret]");
  expect(detail("x".repeat(390) + secret).length).toBeLessThanOrEqual(403);
  expect(detailOf(JSON.stringify({ detail: "x".repeat(390) + secret }), [secret])).not.toContain("canary");
});

test.each(["\x90", "\x1b]", "\x9b0", "\x1b[0", "<script", "<"])(
  "megabytes of %j take linear time, also where nothing ends them",
  (part) => {
    const before = process.cpuUsage().user;
    detail(part.repeat(500_000));
    // With its square it is minutes.
    expect(process.cpuUsage().user - before).toBeLessThan(20_000_000);
  },
);
