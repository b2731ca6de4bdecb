import { redacted, RequestLog } from "./request-log";

test.each<[string, unknown, unknown]>([
  ["a harmless field shows its value", { name: "a" }, { name: "a" }],
  [
    "any other leaf shows its type",
    { client_secret: "s", count: 5, flag: true },
    { client_secret: "<string>", count: "<number>", flag: "<boolean>" },
  ],
  ["secrets keep names", { secrets: [{ name: "A", value: "v" }] }, { secrets: [{ name: "A", value: "<string>" }] }],
  ["a harmless field that holds more is looked into", { name: { x: "s" } }, { name: { x: "<string>" } }],
  ["a list below a harmless field is not harmless", { name: ["s"] }, { name: ["<string>"] }],
  [
    "a header may have the name of a harmless field",
    { inject_headers: { source: "s", name: "n" } },
    { inject_headers: { source: "<string>", name: "<string>" } },
  ],
  [
    "so may a variable, and a value of an agent's own",
    { run_config: { env_vars: { source: "s" } }, input: { name: "s" }, context: { image: "s" } },
    {
      run_config: { env_vars: { source: "<string>" } },
      input: { name: "<string>" },
      context: { image: "<string>" },
    },
  ],
  [
    "the credentials of an address go",
    { image: "https://u:p/w@h.example/a" },
    { image: "https://<string>@h.example/a" },
  ],
  [
    "so does the signature of an address",
    { source: "https://h.example/a?sig=s" },
    { source: "https://h.example/a?<string>" },
  ],
  ["null stays", { a: null }, { a: null }],
  ["a bare value is not shown", "s", "<string>"],
])("%s", (_rule, body, kept) => {
  expect(redacted(body)).toEqual(kept);
});

test("the log counts what it keeps in memory, however short the text was", () => {
  const log = new RequestLog();
  const objects = 10_000;
  log.add("now", { method: "POST", url: new URL("http://x/"), body: `[${"{},".repeat(objects - 1)}{}]` });
  expect(log.size).toBeGreaterThan(64 * objects);
});

test("of a long path, and of a body that nobody read, the log keeps the length", () => {
  const url = new URL(`http://x/${"a".repeat(1024)}`);
  const { path, requestBody } = new RequestLog().add("now", { method: "POST", url, body: "", unread: 7 });
  expect([path, requestBody]).toEqual(["<1025 characters>", "<7 characters>"]);
});
