import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { closingLine, tallyOf, type Tally } from "./run";
import { newFolder } from "../../tests/support/new-folder";

let folder: string;
beforeEach(() => (folder = newFolder()));

const suite = (counts: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" ${counts} time="1.5"></testsuite></testsuites>`;

test.each<[why: string, report: string | undefined, code: number, tally: Tally]>([
  ["all passed", suite('errors="0" failures="0" skipped="0" tests="5"'), 0, { passed: 5, failed: 0, skipped: 0 }],
  [
    "an error counts as failed",
    suite('errors="1" failures="2" skipped="1" tests="9"'),
    1,
    { passed: 5, failed: 3, skipped: 1 },
  ],
  ["pytest was killed before it reported", undefined, 137, { passed: 0, failed: 1, skipped: 0 }],
  [
    "no test was found",
    suite('errors="0" failures="0" skipped="0" tests="0"'),
    5,
    { passed: 0, failed: 1, skipped: 0 },
  ],
])("%s", (_why, report, code, tally) => {
  const file = join(folder, "report.xml");
  if (report !== undefined) writeFileSync(file, report);
  expect(tallyOf(file, code)).toEqual(tally);
});

test.each<[Tally, string]>([
  [{ passed: 3, failed: 0, skipped: 0 }, "3 passed, 0 failed"],
  [{ passed: 3, failed: 1, skipped: 2 }, "3 passed, 1 failed, 2 skipped"],
])("%j closes with: %s", (tally, line) => {
  expect(closingLine(tally)).toBe(line);
});
