import { z } from "zod";
import type { EmulatorOptions, FaultInput, LogLine } from "../../emulator";
import { fakeTimeouts } from "../support/fake-timeouts";
import { ofTest } from "../support/of-suite";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { deploymentOf } from "../support/ask";
import { CASES } from "./cases";

// The error of a rollout says why: it ends with the last lines of the revision's log (docs/internals/platform.md, Logs of a revision).

afterEach(() => jest.useRealTimers());
const start = async (options: EmulatorOptions = {}): Promise<PlatformUnderTest> =>
  ofTest(await PlatformUnderTest.start({ buildSeconds: 4, ...options }));
/** Answers each request for a log. */
const logging = (answer: () => Response): EmulatorOptions => ({
  layers: [{ beforeRoute: ({ url }) => Promise.resolve(url.pathname.endsWith("_logs") ? answer() : undefined) }],
});

const Created = z.object({ id: z.string(), latest_revision_id: z.string() });

/** The error of a rollout of this image, by a process that sees no more of the program. */
async function errorOf(
  platform: PlatformUnderTest,
  image: string,
  { body = {}, settings = {} }: { readonly body?: object; readonly settings?: Record<string, string> } = {},
): Promise<string> {
  const made = Created.parse(
    await platform.ask("POST", "/v2/deployments", { ...deploymentOf("agent", image), ...body }),
  );
  const rollout = await platform.handler("Rollout", settings);
  platform.emulator.clearLog();
  return failureOf(
    rollout.create({ deploymentId: made.id, revisionId: made.latest_revision_id, deploymentName: "agent" }),
  );
}

const linesOf = (message: string): string[] => message.split("\n  ").slice(1);
const asked = ({ emulator }: PlatformUnderTest): string[] =>
  emulator.requests.flatMap(({ path }) => /(\w+)_logs$/.exec(path)?.[1] ?? []);
const lines = (kind: "build" | "deploy", ...text: LogLine[]): EmulatorOptions => ({
  revisionLog: (log) => (log.kind === kind ? text : []),
});

describe("which log", () => {
  test.each<[reason: string, image: string, says: RegExp, kinds: string[]]>([
    [
      "of a failed build, its own",
      "emulator-fail-build",
      /build log.*\n.*\n {2}Build failed: pip install exited with code 1$/s,
      ["build"],
    ],
    ["of a failed start, the deploy's", "emulator-fail-deploy", /deploy log.*KeyError: 'SEARCH_API_KEY'/s, ["deploy"]],
    [
      "of a revision that could not be made, that of the build",
      "emulator-fail-create",
      /build log.*\n {2}Could not fetch .*: access denied$/s,
      ["deploy", "build"],
    ],
    [
      "at the end of a wait, what there is",
      "emulator-stuck",
      /is still BUILDING after 30m\nNothing is lost.*build log.*\n {2}Building wheel for tokenizers: still running$/s,
      ["deploy", "build"],
    ],
  ])("%s", async (_reason, image, says, kinds) => {
    const platform = await start();
    expect(await errorOf(platform, image)).toMatch(says);
    expect(asked(platform)).toEqual(kinds);
  });
});

test("the error still says what to do, and where the whole log is", async () => {
  const message = await errorOf(await start(), "emulator-fail-build");
  expect(message).toMatch(
    /ended as BUILD_FAILED after \S+s\nCorrect the deployment's arguments .* change redeployTrigger\. The last lines of its build log \(for more, run `npx pulumi-agent-platform logs \S+ --revision \S+`\):\n/,
  );
});

test("of many lines the last 20, in the order in which they were written, asked for with a limit", async () => {
  const numbered = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const platform = await start(lines("build", ...numbered));
  expect(linesOf(await errorOf(platform, "emulator-fail-build"))).toEqual(numbered.slice(80));
  const { requestBody: body } = platform.emulator.requests.find(({ path }) => path.endsWith("build_logs")) ?? {};
  // The request log masks the values.
  expect(body).toEqual({ order: "<string>", limit: "<number>" });
});

describe("a secret that the log prints is not in the error", () => {
  const secret = 'canary "one"/+\nsecond-canary';
  const body = {
    secrets: [
      { name: "MODEL_KEY", value: secret },
      { name: "LEVEL", value: "verbose" },
    ],
  };
  const printing = lines(
    "build",
    `key ${secret} at LEVEL=verbose`,
    JSON.stringify({ secret }),
    `KeyError: '${secret}'`,
    "second-canary",
  );
  const program = {
    name: "agent",
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: {},
    secrets: { MODEL_KEY: secret },
    environmentVariables: { LEVEL: "verbose" },
  };

  /** As the engine does before anything is made. */
  const check = async (platform: PlatformUnderTest, news: typeof program, olds = {}) =>
    (await platform.handler("Deployment")).check(olds, news);

  test.each<[reason: string, secrets: "names" | "values"]>([
    ["names alone: the program tells the values", "names"],
    ["values: the program tells which are plain", "values"],
  ])("the platform shows %s", async (_reason, secrets) => {
    const platform = await start({ ...printing, secrets });
    await check(platform, program);
    const message = await errorOf(platform, "emulator-fail-build", { body });
    expect(message).not.toContain("canary");
    expect(message).toContain("key [secret] at LEVEL=verbose");
  });

  test("a process that sees nothing of the program takes every value that the platform shows for a secret", async () => {
    const message = await errorOf(await start({ ...printing, secrets: "values" }), "emulator-fail-build", {
      body,
    });
    expect(message).not.toMatch(/canary/);
    expect(message).toContain("key [secret] at LEVEL=verbose");
  });

  test("a process that cannot know a value shows no line, names the variable, and does not even ask", async () => {
    const platform = await start({ ...printing, secrets: "names" });
    const message = await errorOf(platform, "emulator-fail-build", { body });
    expect(message).toMatch(
      /Its logs are not shown here \(they may hold the values of MODEL_KEY, LEVEL, which this process does not know\): run `npx pulumi-agent-platform logs \S+ --revision \S+`\. Correct/,
    );
    expect(message).not.toContain("canary");
    expect(asked(platform)).toEqual([]);
  });

  test("neither the secret before a rotation, nor that of another resource, nor the key of the connection", async () => {
    const apiKey = "canary-of-the-connection";
    const platform = await start({ ...lines("build", `before-canary, client-canary and ${apiKey}`), apiKey });
    await check(platform, program, { ...program, secrets: { MODEL_KEY: "before-canary" } });
    const provider = await platform.handler("OAuthProvider");
    await provider.check({}, { ...CASES.OAuthProvider.program, clientSecret: "client-canary" });
    expect(linesOf(await errorOf(platform, "emulator-fail-build", { body }))).toEqual([
      "[secret], [secret] and [secret]",
    ]);
  });

  test("an error answer that repeats what the log prints", async () => {
    const refusal = { detail: `cannot index ${secret}` };
    const platform = await start(logging(() => Response.json(refusal, { status: 500 })));
    await check(platform, program);
    const message = await errorOf(platform, "emulator-fail-build", { body });
    expect(message).toMatch(/not shown here \(POST \S+ answered 500: cannot index \[secret\]\)/);
  });
});

describe("a log endpoint never hides the failure", () => {
  const today =
    /ended as BUILD_FAILED after \S+s\nThe platform gives no reason: look at the revision's logs there\. Correct/;
  const path = "/v1/projects/**";

  test("contract documented has none, and it is not asked", async () => {
    const platform = await start({ contract: "documented" });
    expect(await errorOf(platform, "emulator-fail-build", { settings: { contract: "documented" } })).toMatch(today);
    expect(platform.emulator.requests.map(({ method }) => method)).not.toContain("POST");
  });

  test.each<[reason: string, options: EmulatorOptions, ...faults: FaultInput[]]>([
    ["contract extended, on a platform that has none", { contract: "documented" }],
    ["405", {}, { kind: "status", status: 405, path }],
    ["501", {}, { kind: "status", status: 501, path }],
    ["a gateway's 404", {}, { kind: "status", status: 404, body: "html", path }],
    ["an empty log", lines("deploy")],
  ])("%s: the error is as without logs", async (_reason, options, ...faults) => {
    const platform = await start(options);
    for (const fault of faults) platform.emulator.faults.add(fault);
    expect(await errorOf(platform, "emulator-fail-build")).toMatch(today);
  });

  test.each<[reason: string, fault: FaultInput, problem: RegExp]>([
    ["500", { kind: "status", status: 500 }, /answered 500/],
    ["429", { kind: "status", status: 429, retryAfter: 60 }, /answered 429/],
    ["403", { kind: "status", status: 403 }, /answered 403/],
    ["a page of HTML", { kind: "html" }, /the body is not JSON/],
    ["half an answer", { kind: "truncated-json" }, /got no answer/],
    ["a connection that is cut", { kind: "reset-before-commit" }, /got no answer/],
  ])("%s: it is named, and was asked for once", async (_reason, fault, problem) => {
    const platform = await start();
    platform.emulator.faults.add({ ...fault, path });
    const began = platform.clock.now();
    const message = await errorOf(platform, "emulator-fail-build");
    expect(message).toMatch(
      /ended as BUILD_FAILED after \S+s\nIts logs are not shown here \(POST .*\): run .* Correct/,
    );
    expect(message).toMatch(problem);
    expect(asked(platform)).toEqual(["build"]);
    // The time of the build, and of the last poll.
    expect(platform.clock.now() - began).toBeLessThan(6_000);
  });

  test.each<[reason: string, answer: unknown, says: RegExp]>([
    ["no list of entries", { logs: "none" }, /not shown here .*the body is not as expected/],
    ["an array", [], /not shown here .*the body is not as expected/],
    ["entries that are no objects", { logs: ["text"] }, /not shown here .*the body is not as expected/],
    ["entries without a message", { logs: [{ id: 1 }, { message: null }] }, today],
    ["a message that is an object", { logs: [{ message: { event: "boom" } }] }, /:\n {2}\{"event":"boom"\}$/],
    [
      "more entries than asked for",
      { logs: Array.from({ length: 1000 }, (_, index) => ({ message: `line ${index}` })) },
      /\n {2}line 19\n.*\n {2}line 0$/s,
    ],
    [
      "entries of other types",
      { logs: [{ id: null, timestamp: {}, level: 7, message: "the reason" }], next_offset: {} },
      /:\n {2}the reason$/,
    ],
  ])("an answer with %s", async (_reason, answer, says) => {
    const message = await errorOf(await start(logging(() => Response.json(answer))), "emulator-fail-build");
    expect(message).toMatch(/ended as BUILD_FAILED/);
    expect(message).toMatch(says);
  });

  test("a log that hangs is given up after 10 s, long before the time limit of a request", async () => {
    const platform = await start();
    const hold = platform.emulator.faults.add({ kind: "hold", path });
    fakeTimeouts();
    let message = "";
    const failed = errorOf(platform, "emulator-fail-build").then((text) => (message = text));
    await hold.reached;
    jest.advanceTimersByTime(9_999);
    await platform.ask("GET", "/v2/deployments");
    expect(message).toBe("");
    jest.advanceTimersByTime(1);
    expect(await failed).toMatch(
      /ended as BUILD_FAILED after \S+s\nIts logs are not shown here \(POST \S+ got no answer: it was not complete in time\)/,
    );
    hold.remove();
  });

  test("a deployment that cannot be read then: it may have secrets, and no line is shown", async () => {
    const platform = await start(lines("build", "line"));
    platform.emulator.faults.add({ kind: "status", status: 500, method: "GET", path: "/v2/deployments/*" });
    expect(await errorOf(platform, "emulator-fail-build")).toMatch(
      /BUILD_FAILED .*\n.* not shown here \(GET \S+ answered 500/,
    );
    expect(asked(platform)).toEqual([]);
  });
});
