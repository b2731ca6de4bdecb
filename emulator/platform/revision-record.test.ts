import { historyOf, isFinished, progressOf, type RevisionRecord } from "./revision-record";

const born = Date.UTC(2030, 0, 1);
const revision: RevisionRecord = {
  id: "r",
  tenant_id: "t",
  deployment_id: "d",
  source: "github",
  source_revision_config: {},
  commit: null,
  tracked_packages: null,
  settings: null,
  redeploy_of: null,
  by_command: false,
  outcome: "DEPLOYED",
  build_ms: 1000,
  server_version: null,
  superseded_at: null,
  visible_from: new Date(born).toISOString(),
  status_override: null,
  created_at: new Date(born).toISOString(),
  updated_at: new Date(born).toISOString(),
};
const at = (ms: number): string => new Date(born + ms).toISOString();

test.each<[string, Partial<RevisionRecord>, number, string]>([
  ["begins as CREATING", {}, 0, "CREATING"],
  ["is not DEPLOYED a moment too early", {}, 999, "DEPLOYING"],
  ["waits for its start once it is built", {}, 799, "AWAITING_DEPLOY"],
  ["is DEPLOYED on time", {}, 1000, "DEPLOYED"],
  ["is DEPLOYED at once when building takes no time", { build_ms: 0 }, 0, "DEPLOYED"],
  ["still builds before a build fails", { outcome: "BUILD_FAILED" }, 749, "BUILDING"],
  ["fails when the build ends", { outcome: "BUILD_FAILED" }, 750, "BUILD_FAILED"],
  ["fails while being created", { outcome: "CREATE_FAILED" }, 50, "CREATE_FAILED"],
  ["fails at the end of deploying", { outcome: "DEPLOY_FAILED" }, 1000, "DEPLOY_FAILED"],
  ["is stuck with no build time too", { outcome: "STUCK", build_ms: 0 }, 1e9, "BUILDING"],
  ["is SKIPPED when superseded before its end", { superseded_at: at(500) }, 500, "SKIPPED"],
  ["stays SKIPPED", { superseded_at: at(500) }, 1e9, "SKIPPED"],
  ["keeps its end when superseded after it", { superseded_at: at(1500) }, 1e9, "DEPLOYED"],
  ["keeps a failure if superseded later", { outcome: "BUILD_FAILED", superseded_at: at(800) }, 900, "BUILD_FAILED"],
  ["skips a stuck one", { outcome: "STUCK", superseded_at: at(500) }, 600, "SKIPPED"],
  ["says what it was told to say", { status_override: "INTERRUPTED" }, 1e9, "INTERRUPTED"],
])("a revision %s", (_promise, change, ms, status) => {
  expect(progressOf({ ...revision, ...change }, born + ms).status).toBe(status);
});

const WHOLE = "CREATING 0, QUEUED 50, AWAITING_BUILD 150, BUILDING 250, AWAITING_DEPLOY 750, DEPLOYING 800";
test.each<[string, Partial<RevisionRecord>, number, string]>([
  ["all that was reached", {}, 300, "CREATING 0, QUEUED 50, AWAITING_BUILD 150, BUILDING 250"],
  ["its end too", {}, 1e9, `${WHOLE}, DEPLOYED 1000`],
  ["also what is still to come", {}, Infinity, `${WHOLE}, DEPLOYED 1000`],
  ["nothing after a failure", { outcome: "CREATE_FAILED" }, Infinity, "CREATING 0, CREATE_FAILED 50"],
  ["no end of a stuck one", { outcome: "STUCK" }, Infinity, "CREATING 0, QUEUED 50, AWAITING_BUILD 150, BUILDING 250"],
  ["nothing after it was superseded", { superseded_at: at(100) }, Infinity, "CREATING 0, QUEUED 50, SKIPPED 100"],
  ["the first even if building takes no time", { build_ms: 0 }, 0, "CREATING 0, DEPLOYED 0"],
  ["a status given last", { status_override: "UNKNOWN", updated_at: at(60) }, 1e9, "CREATING 0, QUEUED 50, UNKNOWN 60"],
])("the history of a revision has %s", (_what, change, ms, history) => {
  const reached = historyOf({ ...revision, ...change }, ms === Infinity ? Infinity : born + ms);
  expect(reached.map(({ status, since }) => `${status} ${since - born}`).join(", ")).toBe(history);
});

test.each([
  ["DEPLOYED", true],
  ["SKIPPED", true],
  ["BUILD_FAILED", true],
  ["INTERRUPTED", false],
  ["UNKNOWN", false],
  ["BUILDING", false],
])("%s is finished: %s", (status, finished) => {
  expect(isFinished(status)).toBe(finished);
});
