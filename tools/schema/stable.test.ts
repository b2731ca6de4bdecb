import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { showBreak } from "./breaks";
import { pullRequestComment, compareSchemas } from "./comparison";

// What to do is in the message; a break that is meant needs a new major version, and a line in CHANGELOG.md.
test("programs for the schema of the last release work with today's", () => {
  expect(compareSchemas().unmeant.map(showBreak)).toEqual([]);
});

test("`npm run schema` prints the comparison for a pull request", () => {
  const main = join(__dirname, "..", "..", "dist", "tools", "schema", "main.js");
  expect(execFileSync(process.execPath, [main], { encoding: "utf8" })).toBe(pullRequestComment(compareSchemas()));
});

test("a comment says what breaks, whether that is meant, how to do without, and what is new", () => {
  const gone = { about: "Deployment.old", kind: "goneProperty", problem: "old is gone" } as const;
  const demanded = { about: "f.a", kind: "demanded", problem: "a is now required" } as const;
  const breaks = [gone, demanded];
  expect(pullRequestComment({ released: "1.0.0", breaks, unmeant: [demanded], added: ["Cron", "Cron.every"] })).toBe(
    `## The schema, compared with that of version 1.0.0

2 of its changes break programs, 1 of them without a new major version whose section in CHANGELOG.md names it:

| What | Change | Meant | Without a break |
| --- | --- | --- | --- |
| \`Deployment.old\` | old is gone | yes | Keep it, and deprecate it; the provider may ignore it. |
| \`f.a\` | a is now required | no | Give it a default, and leave it optional. |

New: \`Cron\`, \`Cron.every\`.
`,
  );
  expect(pullRequestComment({ released: "1.0.0", breaks: [], unmeant: [], added: [] })).toBe(
    "## The schema, compared with that of version 1.0.0\n\nNo program for it breaks.\n",
  );
});
