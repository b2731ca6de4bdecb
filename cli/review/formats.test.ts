import { styleFor } from "../base/style";
import { REVIEW_FORMATS } from "./command";
import { markdown } from "./markdown";
import type { Review, ReviewedObject } from "./review";

const EVIL = `<img src=x onerror="alert(1)"> @team #1 [a](b) \`c\` | *d* \u001b[31m \u202e`;

const object = (over: Partial<ReviewedObject> = {}): ReviewedObject => ({
  urn: "urn:pulumi:dev::desk::agent-platform:index:SandboxTemplate::box",
  type: "agent-platform:index:SandboxTemplate",
  kind: "SandboxTemplate",
  name: "box",
  operation: "create",
  certain: true,
  risk: "none",
  consequences: [],
  requests: [],
  fields: [{ path: "image", change: "new", after: "python:3.12" }],
  ...over,
});
const review = (over: Partial<Review> = {}): Review => ({
  version: 1,
  stack: "dev",
  result: "changes",
  risk: "none",
  headline: "Stack dev: nothing that runs is at risk. 1 to create.",
  refusals: [],
  errors: [],
  policies: [],
  objects: [object()],
  unchanged: 0,
  warnings: [],
  ...over,
});
const plain = styleFor(false, {});

describe("text from elsewhere is text everywhere", () => {
  const evil = review({
    stack: EVIL,
    headline: EVIL,
    errors: [EVIL],
    warnings: [EVIL],
    policies: [{ pack: EVIL, policy: EVIL, level: EVIL, object: EVIL, message: EVIL }],
    objects: (["none", "deletion"] as const).map((risk) =>
      object({
        risk,
        kind: EVIL,
        name: EVIL,
        id: EVIL,
        consequences: [{ code: "wait", text: EVIL }],
        fields: [
          { path: EVIL, change: "changes", before: EVIL, after: { [EVIL]: EVIL } },
          { path: "a", change: "may change", unknown: true, waitsFor: [EVIL] },
        ],
      }),
    ),
  });

  test.each(["text", "markdown"] as const)("%s: nothing steers the reader's screen", (format) => {
    const text = REVIEW_FORMATS[format](evil, plain);
    expect(["\u001b", "\u202e"].filter((character) => text.includes(character))).toEqual([]);
  });

  test("markdown: outside of code there is no HTML, no mention, no link and no cell that ends early", () => {
    // Blocks and spans of code are shown as they are.
    const rest = REVIEW_FORMATS.markdown(evil)
      .replace(/^(`{3,})text\n[^]*?\n\1$/gm, "")
      .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, "");
    expect(rest).not.toMatch(/(?<!\\)<img|@team|(?<!\\)\[a\]|(?<![&\\])#1\b/);
    for (const line of rest.split("\n").filter((each) => each.startsWith("|"))) {
      expect([line, line.match(/(?<!\\)\|/g)]).toEqual([line, ["|", "|", "|", "|"]]);
    }
  });
});

describe("markdown: no longer than a comment may be", () => {
  const big = (name: string, fields: number): ReviewedObject =>
    object({
      name,
      consequences: [{ code: "wait", text: `What follows for ${name}.` }],
      fields: Array.from({ length: fields }, (_, index) => ({
        path: `field${index}`,
        change: "new",
        after: "x".repeat(40),
      })),
    });
  const headline = "Stack dev: the headline.";

  test("whatever fits is whole", () => {
    const text = markdown(review({ objects: [big("small", 3), big("large", 30)] }), 10_000);
    expect(text).not.toContain("left out");
  });

  test("the largest part folds first, and keeps what follows from it", () => {
    const text = markdown(review({ headline, objects: [big("small", 3), big("large", 300)] }), 5_000);
    expect(text.length).toBeLessThanOrEqual(5_000);
    expect(text).toContain("`field2`");
    expect(text).not.toContain("`field3`");
    expect(text).toContain(
      "**SandboxTemplate `large` will be created** (300 fields, left out here)\n- What follows for large.",
    );
  });

  test("where folding is not enough, the last are counted; the headline is never cut", () => {
    const objects = Array.from({ length: 2_000 }, (_, index) => big(`box-${index}`, 3));
    const text = markdown(review({ headline, objects }));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.startsWith(`### ${headline}\n`)).toBe(true);
    const shown = text.match(/will be created/g)?.length ?? 0;
    expect(text).toContain(`${2_000 - shown} more are left out here`);
  });

  test("an error that is longer than a comment stays in front, by its beginning", () => {
    const text = markdown(review({ headline, errors: ["reason ".repeat(20_000)] }));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/^### Stack dev: the headline\.\n\n\*\*Error\*\*: reason reason/);
  });
});

test("terminal: an error stands in front of the headline", () => {
  expect(REVIEW_FORMATS.text(review({ errors: ["no way"], objects: [] }), plain)).toBe(
    "error: no way\n\nStack dev: nothing that runs is at risk. 1 to create.\n",
  );
});

test("terminal: an id that does not fit beside its object is below it", () => {
  const [name, id] = ["release-notes-of-the-whole-company", "73b5b689-208c-4503-80a7-c0c452dc8a01"];
  const titleOf = (over: Partial<ReviewedObject>): string | undefined =>
    REVIEW_FORMATS.text(review({ objects: [object({ id, ...over })] }), plain).split("\n\n")[1];
  expect(titleOf({ name })).toMatch(`SandboxTemplate ${name} will be created\n       ${id}\n  image `);
  expect(titleOf({})).toMatch(`SandboxTemplate box will be created  ${id}\n  image `);
});

test("json is the review", () => expect(JSON.parse(REVIEW_FORMATS.json(review()))).toEqual(review()));

test("the problem of a state is a sentence of its own, not cut", () => {
  const problem = `is disabled, although the program does not declare \`enabled\`, ${"and so on ".repeat(9)}to its end`;
  const cron = review({ objects: [object({ fields: [{ path: "problem", change: "removed", before: problem }] })] });
  expect(REVIEW_FORMATS.text(cron, plain).replace(/\n {2}/g, " ")).toContain(`problem to repair: ${problem}\n`);
  expect(REVIEW_FORMATS.markdown(cron)).toContain("to its end");
});
