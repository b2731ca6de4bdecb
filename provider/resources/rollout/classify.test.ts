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

describe("classify", () => {
  const deployment = { id: "d" };
  const outcomeOf = (
    revisionId: string | null,
    status: string,
    seen: { deployment?: { id: string }; ageMs?: number } = {},
  ) => classify({ revisionId, status, ...seen }, () => new Error("failed"));

  test("is told which revision, and says which one is done", () =>
    expect(outcomeOf("r2", "DEPLOYED", { deployment, ageMs: 5 })).toEqual({
      state: "done",
      result: { revisionId: "r2", deployment, ageMs: 5 },
    }));
  test("fails on a failed revision", () => {
    const ended = outcomeOf("r1", "BUILD_FAILED");
    expect(ended.state === "failed" && ended.error()).toEqual(new Error("failed"));
  });
  test("waits where there is no revision yet", () =>
    expect(outcomeOf(null, "not there yet")).toEqual({ state: "pending", status: "not there yet" }));
  test("waits for the successor of a superseded revision", () =>
    expect(outcomeOf("r1", "SKIPPED")).toEqual({ state: "pending", status: "SKIPPED" }));
});
