import { existsSync, readFileSync } from "node:fs";

/** How many tests ended how. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of pytest's report in JUnit's form. Without a report, or where pytest failed without a failed test: one failed. */
export function tallyOf(report: string, code: number): Tally {
  const text = existsSync(report) ? readFileSync(report, "utf8") : "";
  const suite = /<testsuite\b[^>]*>/.exec(text)?.[0] ?? "";
  const count = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const bad = count("failures") + count("errors");
  const skipped = count("skipped");
  const failed = code === 0 ? bad : Math.max(bad, 1);
  return { passed: Math.max(count("tests") - bad - skipped, 0), failed, skipped };
}

/** "12 passed, 0 failed", with the skipped ones if there are any. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
