import { detailOf, isPlatformsOwn } from "./detail";

const detail = (text: string): string => detailOf(JSON.stringify({ detail: text }));

test("the lines of a message become one, since a line could pass for another message", () => {
  expect(detail("no\nerror: all is lost\r\n")).toBe("no error: all is lost");
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

test("a body that is longer than any of the platform's is not parsed: to say what is wrong with each part of it takes gigabytes", () => {
  const body = `{"detail":[${"{},".repeat(5_000_000)}{}]}`;
  expect(isPlatformsOwn(body, "application/json")).toBe(false);
  expect(detailOf(body)).toMatch(/^\{"detail":\[\{\},.{380,400}\.\.\.$/);
});
