import { classify, meaningOf } from "./classify";

// docs/internals/platform.md, Revisions.
test.each([
  ["CREATING", "pending"],
  ["QUEUED", "pending"],
  ["AWAITING_BUILD", "pending"],
  ["BUILDING", "pending"],
  ["AWAITING_DEPLOY", "pending"],
  ["DEPLOYING", "pending"],
  ["DEPLOYED", "deployed"],
  ["CREATE_FAILED", "failed"],
  ["BUILD_FAILED", "failed"],
  ["DEPLOY_FAILED", "failed"],
  ["SKIPPED", "superseded"],
  ["INTERRUPTED", "pending"],
  ["UNKNOWN", "pending"],
  ["SOMETHING_NEW", "pending"],
  ["", "pending"],
])("%s is %s", (status, meaning) => expect(meaningOf(status)).toBe(meaning));

test("a revision that serves is done, with its age", () => {
  const served = { revisionId: "r2", deployment: { id: "d" }, ageMs: 5 };
  expect(classify({ ...served, status: "DEPLOYED" }, Error)).toEqual({ state: "done", result: served });
});

test("a superseded revision is waited for: the poll follows its successor", () =>
  expect(classify({ revisionId: "r1", status: "SKIPPED" }, Error)).toEqual({ state: "pending", status: "SKIPPED" }));
