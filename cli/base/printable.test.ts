import {
  columns,
  jsonLine,
  jsonText,
  lineText,
  printable,
  problemText,
  sentenceLines,
  sideTexts,
  tableLines,
} from "./printable";

test.each([
  ["commands of a terminal", "\x1b[31m\x9b1m\x7f"],
  ["what reorders a line", "\u202eevil\u2066\u200f\u061c"],
  ["line ends of Unicode, and others", "a\u2028b\u2029c\r\nd"],
])("JSON that a command prints spells %s out, and means the same", (_what, text) => {
  for (const printed of [jsonLine({ [text]: text }), jsonText({ [text]: text })]) {
    expect(printed.replaceAll("\n", "")).not.toMatch(
      /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    );
    expect(JSON.parse(printed)).toEqual({ [text]: text });
  }
});

test("cells of a table and names cannot steer a terminal", () => {
  const steering = "\x1b[31ma\u202e";
  const spelled = String.raw`\u001b[31ma\u202e`;
  expect(columns([[steering, "b"]])).toEqual([`${spelled}  b`]);
  expect(printable(steering)).toBe(spelled);
});

test("what joins emoji stays in every report; alone, it is spelled out where a change is shown", () => {
  const joined = "👩🏽\u200d💻 ❤️\u200d🔥";
  expect([lineText(joined), printable(joined)]).toEqual([joined, joined]);
  expect(printable("des\u200dk \u200d")).toBe(String.raw`des\u200dk \u200d`);
});

describe("what a report shows of a change", () => {
  const image = "europe-west3-docker.pkg.dev/example-agents-production/agents/billing";
  const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
  test.each<[string, unknown, unknown, RegExp, RegExp]>([
    ["short values whole", "a", "b", /^"a"$/, /^"b"$/],
    ["a missing side as nothing", "a", undefined, /^"a"$/, /^$/],
    ["another tag", `${image}:1.0.0`, `${image}:1.1.0`, /^….*billing:1\.0\.0"$/, /^….*billing:1\.1\.0"$/],
    [
      "another digest",
      `${image}:1.0.0@${digest("a")}`,
      `${image}:1.0.0@${digest("b")}`,
      /^….*:1\.0\.0@sha256:a+…$/,
      /^….*:1\.0\.0@sha256:b+…$/,
    ],
    ["a longer one beside a short one", "python", `${image}:1.0.0`, /^"python"$/, /^"europe-west3.*…$/],
    ["the end of a value alone", undefined, `${image}:1.0.0`, /^$/, /^"europe-west3.*….*billing:1\.0\.0"$/],
    ["megabytes that differ at their end", `${"x".repeat(1e6)}1`, `${"x".repeat(1e6)}2`, /^…x+1"$/, /^…x+2"$/],
    ["characters of two units whole", `${"😀".repeat(80)}1`, `${"😀".repeat(80)}2`, /^…😀+1"$/u, /^…😀+2"$/u],
  ])("%s", (_what, before, after, one, other) => {
    const shown = sideTexts(before, after, 60);
    expect(shown[0]).toMatch(one);
    expect(shown[1]).toMatch(other);
    for (const side of shown) expect(Array.from(side).length).toBeLessThanOrEqual(60);
  });

  test("a problem is a sentence of at most a thousand characters, on lines for 80 columns", () => {
    const problem = problemText("rollout.problem", "very long ".repeat(1e5)) ?? "";
    expect(problem).toHaveLength(1000);
    expect(sentenceLines(problem).every((line) => line.startsWith("  ") && line.length <= 80)).toBe(true);
    expect(problemText("environmentVariables.problem", "text")).toBeUndefined();
  });
});

describe("a table in 80 columns", () => {
  const id = "0b6f7ac0-3c0c-4b19-9a5b-54c36a1d5f2e";

  test("is one line a row where that fits", () =>
    expect(
      tableLines([
        ["KIND", "ID", ""],
        ["Deployment", id, "read"],
        ["Cron", "1", ""],
      ]),
    ).toEqual(["  KIND        ID", `  Deployment  ${id}  read`, "  Cron        1"]));

  test("has a long cell below its row, and the columns of the others stay", () =>
    expect(
      tableLines([
        ["KIND", "NAME", "ID"],
        ["Deployment", "desk", id],
        ["Deployment", "n".repeat(300), id],
      ]),
    ).toEqual([
      "  KIND        NAME  ID",
      `  Deployment  desk  ${id}`,
      `  Deployment        ${id}`,
      `      ${"n".repeat(300)}`,
    ]));

  test("has what does not fit below, in columns, and a text on as many lines as it needs", () => {
    const image = `registry.example.com/team/support-agent@sha256:${"a".repeat(64)}`;
    const rows = [
      ["ID", "STATUS", "CREATED", "IMAGE", ""],
      [id, "DEPLOY_FAILED", "2026-11-29T06:42:54.581Z", "agent:1", ""],
      [id, "DEPLOYED", "2026-11-29T06:42:54.581Z", "agent:2", "rolled back ".repeat(9).trim()],
      [id, "DEPLOYED", "-", image, ""],
    ];
    expect(tableLines(rows)).toEqual([
      `  ID${" ".repeat(36)}STATUS         CREATED`,
      "      IMAGE",
      `  ${id}  DEPLOY_FAILED  2026-11-29T06:42:54.581Z`,
      "      agent:1",
      `  ${id}  DEPLOYED       2026-11-29T06:42:54.581Z`,
      "      agent:2",
      `      ${"rolled back ".repeat(6).trim()}`,
      `      ${"rolled back ".repeat(3).trim()}`,
      `  ${id}  DEPLOYED       -`,
      `      ${image}`,
    ]);
  });
});
