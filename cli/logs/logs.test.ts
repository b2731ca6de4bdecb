import { z } from "zod";
import { deployments, revisions, type EmulatorOptions } from "../../emulator";
import { printed, runDefined } from "../../tests/support/defined-command";
import { FakeClock } from "../../tests/support/fake-clock";
import { PlatformUnderTest } from "../../tests/support/platform-under-test";
import { defineCommand } from "./command";
import { deploymentOf } from "../../tests/support/ask";

let platform: PlatformUnderTest;
const running: PlatformUnderTest[] = [];
const start = async (options: EmulatorOptions = {}): Promise<PlatformUnderTest> => {
  platform = await PlatformUnderTest.start({ buildSeconds: 100, ...options });
  running.push(platform);
  return platform;
};
beforeEach(() => start());
afterEach(async () => {
  process.exitCode = undefined;
  process.removeAllListeners("SIGINT");
  await Promise.all(running.splice(0).map((each) => each.close()));
});

/** Answers each request for a log with what `answer` makes of its body. */
const logging = (answer: (body: string) => readonly unknown[]): EmulatorOptions => ({
  layers: [
    {
      beforeRoute: ({ url, body }) =>
        Promise.resolve(url.pathname.endsWith("_logs") ? Response.json({ logs: answer(body) }) : undefined),
    },
  ],
});

/** Runs the command as the command line does, on the platform's clock. @param pause Called in each pause of --follow. */
const run = (args: readonly string[] = [], pause?: (milliseconds: number) => void): Promise<void> =>
  runDefined((command) => defineCommand(command, new FakeClock(platform.clock, pause)), platform.emulator, args);

const Made = z.object({ id: z.string(), latest_revision_id: z.string() });
/** A deployment of this image. */
async function made(
  image = "registry.example/desk:1",
  name = "desk",
): Promise<{ readonly id: string; readonly revision: string }> {
  const { id, latest_revision_id: revision } = Made.parse(
    await platform.ask("POST", "/v2/deployments", deploymentOf(name, image)),
  );
  return { id, revision };
}
/** The same, once its first revision is built and serves. */
async function built(image?: string, name?: string) {
  const deployment = await made(image, name);
  platform.clock.advance(100_000);
  return deployment;
}
const patched = async (id: string, image: string): Promise<string> =>
  Made.parse(await platform.ask("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: image } }))
    .latest_revision_id;

const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);
const messages = (): string[] => linesOf(printed.out).map((line) => line.replace(/^\S+ [A-Z]+ /, ""));
const asked = () => platform.emulator.requests.filter(({ path }) => path.endsWith("_logs"));

describe("what is shown", () => {
  test("the build log, then the deploy log: time, level and message of each entry; headings are on standard error", async () => {
    const { id, revision } = await built("registry.example/emulator-fail-deploy:1");
    await run();
    expect(linesOf(printed.out)[0]).toMatch(/^2030-01-01T00:00:\d\d\.\d{3}Z INFO Fetching registry\.example/);
    expect(messages()).toEqual([
      expect.stringMatching(/^Fetching/),
      "Installing dependencies",
      "Collecting langgraph",
      "Successfully installed langgraph",
      expect.stringMatching(/^Built/),
      expect.stringMatching(/^Starting/),
      "Importing graph agent",
      "Traceback (most recent call last):",
      expect.stringContaining("graph.py"),
      expect.stringContaining("search_key"),
      "KeyError: 'SEARCH_API_KEY'",
      expect.stringContaining("startup failed"),
    ]);
    expect(printed.err).toBe(`deployment desk, revision ${revision}: DEPLOY_FAILED\nbuild log:\ndeploy log:\n`);
    // It was shown: that it tells of a failure is not one of the command.
    expect(process.exitCode).toBeUndefined();
    expect(platform.changing().filter((method) => method !== "POST")).toEqual([]);
    expect(id).not.toBe("");
  });

  test.each([
    ["--build", "build", "Installing dependencies", "Importing graph agent"],
    ["--deploy", "deploy", "Importing graph agent", "Installing dependencies"],
  ] as const)("%s: that log alone", async (flag, kind, has, lacks) => {
    await built();
    await run([flag]);
    expect(messages()).toContain(has);
    expect(messages()).not.toContain(lacks);
    expect(asked().map(({ path }) => path.split("/").at(-1))).toEqual([`${kind}_logs`]);
  });

  test("--format json: an object a line, which names the log", async () => {
    await built();
    await run(["--format", "json"]);
    const entries = linesOf(printed.out).map((line): unknown => JSON.parse(line));
    expect(linesOf(printed.out)[0]).toMatch(
      /^\{"log":"build","timestamp":"2030-01-01T\S+Z","level":"INFO","message":"Fetching registry.example\/desk:1"\}$/,
    );
    expect(entries.at(-1)).toMatchObject({ log: "deploy", message: "Application startup complete" });
    expect(printed.err).not.toMatch(/log:/);
  });

  test("--lines: the last ones, of both logs together, over the pages of the platform", async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `line ${index}`);
    await start({ revisionLog: ({ kind }) => lines.map((line) => `${kind} ${line}`) });
    await built();
    await run(["--lines", "260"]);
    expect(messages()).toEqual([
      ...lines.slice(240).map((line) => `build ${line}`),
      ...lines.map((line) => `deploy ${line}`),
    ]);
  });

  test("more lines on one page than a function takes arguments", async () => {
    const entry = { id: "", timestamp: "2026-01-01T00:00:00Z", level: "INFO", message: "a" };
    const page = Array.from({ length: 130_000 }, (_, id) => ({ ...entry, id: String(id) }));
    await start(logging(() => page));
    await built();
    await run(["--build", "--lines", "130000"]);
    expect(messages()).toHaveLength(130_000);
  });

  test("200 lines without --lines", async () => {
    await start({ revisionLog: () => Array.from({ length: 250 }, (_, index) => `line ${index}`) });
    await built();
    await run(["--build"]);
    expect(messages()).toHaveLength(200);
    expect(messages().at(-1)).toBe("line 249");
  });

  test("--revision: of an earlier one; without it, the latest", async () => {
    await start({ revisionLog: ({ sourceRevisionConfig: config }) => [String(config["image_uri"])] });
    const { id, revision } = await built("x:1");
    await patched(id, "x:2");
    platform.clock.advance(100_000);
    await run(["--build"]);
    expect(messages()).toEqual(["x:2"]);
    await run(["--build", "--revision", revision]);
    expect(messages()).toEqual(["x:1"]);
  });

  test("what would steer a terminal is taken out, and --format json spells it out", async () => {
    await start({ revisionLog: () => [{ level: "ERROR", message: "\x1b[31mred\x1b[0m\x9b2K\r\nnext line" }] });
    await built();
    await run(["--build"]);
    expect(printed.out).toMatch(/ ERROR red\nnext line\n$/);
    await run(["--build", "--format", "json"]);
    expect(printed.out).toContain(String.raw`"\u001b[31mred\u001b[0m\u009b2K\r\nnext line"`);
  });

  test("the key of the connection, should an agent print it, is not shown", async () => {
    await start({ apiKey: "canary-key", revisionLog: () => ["called with canary-key"] });
    await built();
    await run(["--build", "--format", "json"]);
    expect(printed.out).toContain('"called with [secret]"');
  });

  test.each<[reason: string, entry: object, line: string]>([
    [
      "a time in milliseconds",
      { timestamp: Date.UTC(2030, 0, 2), level: "INFO", message: "m" },
      "2030-01-02T00:00:00.000Z INFO m",
    ],
    ["a time of another form", { timestamp: "yesterday", level: "INFO", message: "m" }, "yesterday INFO m"],
    ["no time and no level", { message: "m" }, "m"],
    ["no message", { timestamp: "2030-01-02", level: "INFO" }, "2030-01-02 INFO"],
    ["a message that is an object", { message: { event: "boom" } }, '{"event":"boom"}'],
    ["a time that no date has", { timestamp: 1e300, message: "m" }, "1e+300 m"],
  ])("an entry with %s", async (_reason, entry, line) => {
    await start(logging(() => [entry]));
    await made();
    await run(["--build"]);
    expect(printed.out).toBe(`${line}\n`);
  });

  test("an empty log is said to be empty", async () => {
    await made();
    await run();
    expect(printed.out).toBe("");
    expect(linesOf(printed.err).at(-1)).toBe("no entries");
  });
});

test("of a revision that is not there: an error that names it", async () => {
  await made();
  await expect(run(["--revision", "other"])).rejects.toThrow(/Revision "other" of deployment ".*" does not exist at/);
});

describe("a platform without logs", () => {
  test("contract documented: a sentence with the remedy", async () => {
    const { id } = await made();
    await expect(run([id, "--contract", "documented"])).rejects.toThrow(
      /The build log of revision ".*" cannot be read: contract "documented" has no endpoint for logs; set agent-platform:contract/,
    );
    expect(asked()).toEqual([]);
  });

  test("without the endpoint: a sentence that says so", async () => {
    await made();
    platform.emulator.faults.add({ kind: "status", status: 404, body: "html", path: "/v1/**" });
    await expect(run()).rejects.toThrow(/this platform has no build or deploy log of revision \S+$/);
  });

  test("with one log alone: that is shown", async () => {
    await built();
    platform.emulator.faults.add({ kind: "status", status: 501, path: "/v1/projects/*/revisions/*/deploy_logs" });
    await run();
    expect(messages()).toContain("Installing dependencies");
  });

  test("that fails otherwise: its answer", async () => {
    await made();
    platform.emulator.faults.add({ kind: "status", status: 403, path: "/v1/**" });
    await expect(run()).rejects.toThrow(/POST \S+build_logs answered 403/);
  });
});

describe("--follow", () => {
  test.each([
    ["registry.example/desk:1", "DEPLOYED", undefined],
    ["registry.example/emulator-fail-build:1", "BUILD_FAILED", 1],
    ["registry.example/emulator-fail-deploy:1", "DEPLOY_FAILED", 1],
    ["registry.example/emulator-fail-create:1", "CREATE_FAILED", 1],
  ])("%s: each entry once, as it comes, until the revision is %s", async (image, status, exitCode) => {
    const { revision } = await made(image);
    const first: number[] = [];
    await run(["--follow"], () => first.push(linesOf(printed.out).length));
    expect(process.exitCode).toBe(exitCode);
    expect(linesOf(printed.err).at(-1)).toBe(`revision ${revision}: ${status}`);
    // It grew while it was followed.
    expect(new Set(first).size).toBeGreaterThan(status === "CREATE_FAILED" ? 1 : 3);
    const followed = printed.out;
    await run(["--lines", "1000"]);
    expect(linesOf(followed).sort()).toEqual(linesOf(printed.out).sort());
  });

  test("polls each 2 s, from the time of the last entry on, and tells entries of that time apart by their ids", async () => {
    const entry = (id: string, at: string) => ({
      id,
      timestamp: `2030-01-01T00:00:${at}Z`,
      level: "INFO",
      message: id,
    });
    const answers = [
      [entry("one", "10.000001")],
      [entry("one", "10.000001"), entry("two", "10.000001"), entry("three", "11")],
      [entry("three", "11")],
    ];
    const bodies: unknown[] = [];
    await start(logging((body) => answers[bodies.push(JSON.parse(body)) - 1] ?? []));
    const { revision } = await made("emulator-stuck");
    const pauses: number[] = [];
    await run(["--follow", "--build"], (milliseconds) => {
      pauses.push(milliseconds);
      if (pauses.length === 4)
        platform.emulator.outOfBand(revisions).change(revision, { status_override: "BUILD_FAILED" });
    });
    expect(messages()).toEqual(["one", "two", "three"]);
    expect(new Set(pauses)).toEqual(new Set([2000]));
    expect(bodies.slice(0, 3)).toEqual([
      { order: "desc", limit: 100 },
      { order: "asc", limit: 100, start_time: "2030-01-01T00:00:10.000Z" },
      { order: "asc", limit: 100, start_time: "2030-01-01T00:00:11.000Z" },
    ]);
  });

  test("entries of one moment that --lines left out do not follow the last one", async () => {
    const lines = ["one", "two"].map((id) => ({ id, timestamp: "2030-01-01T00:00:10Z", message: id }));
    await start(
      logging((body) =>
        body.includes('"asc"') ? lines : [...lines].reverse().slice(0, /"limit":1\b/.test(body) ? 1 : 2),
      ),
    );
    await built("emulator-fail-build");
    await run(["--follow", "--build", "--lines", "1", "--format", "json"]);
    expect(printed.out).toMatch(/^.*"two"\}\n$/);
  });

  test("entries without an id are told apart by time and text", async () => {
    const lines = [
      { timestamp: 1, message: "one" },
      { timestamp: 1, message: "two" },
    ];
    await start(logging(() => lines));
    await built("emulator-fail-build");
    await run(["--follow", "--build", "--format", "json"]);
    expect(linesOf(printed.out)).toHaveLength(2);
  });

  test("a platform that does not know start_time shows nothing twice", async () => {
    const lines = Array.from({ length: 5 }, (_, at) => ({
      id: at,
      timestamp: `2030-01-01T00:00:0${at}Z`,
      message: `${at}`,
    }));
    await start(logging((body) => (body.includes('"asc"') ? lines : [...lines].reverse())));
    await built("emulator-fail-build");
    await run(["--follow", "--build", "--lines", "2"]);
    expect(printed.out).toMatch(/^\S+ 3\n\S+ 4\n$/);
  });

  test("with --build it ends when the build has", async () => {
    const { revision } = await made();
    await run(["--follow", "--build"]);
    expect(linesOf(printed.err).at(-1)).toMatch(new RegExp(`revision ${revision}: (AWAITING_DEPLOY|DEPLOYING)`));
    expect(process.exitCode).toBeUndefined();
  });

  test("a Ctrl-C is the usual end only of what has been found", async () => {
    const listeners = (): number => process.listenerCount("SIGINT");
    const before = listeners();
    await expect(run(["nobody", "--follow"])).rejects.toThrow('the name or id "nobody"');
    expect(listeners()).toBe(before);
    await made("registry.example/emulator-fail-build:1");
    await run(["--follow", "--build"], () => expect(listeners()).toBe(before + 1));
  });

  test("Ctrl-C ends it at once, and neither that nor SIGTERM says anything, as elsewhere", async () => {
    await made();
    jest.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code ?? 0}`);
    });
    const terminating = process.listenerCount("SIGTERM");
    let before = "";
    const pressed = (): void => {
      expect(process.listenerCount("SIGTERM")).toBe(terminating);
      before = printed.out + printed.err;
      process.listeners("SIGINT").at(-1)?.("SIGINT");
    };
    await expect(run(["--follow"], pressed)).rejects.toThrow("exit 0");
    expect(printed.out + printed.err).toBe(before);
  });

  test("a revision that served already is followed on, until it fails", async () => {
    const { revision } = await made();
    platform.clock.advance(200_000);
    let pauses = 0;
    await run(["--follow"], () => {
      pauses += 1;
      if (pauses === 100) platform.emulator.outOfBand(revisions).change(revision, { status_override: "DEPLOY_FAILED" });
    });
    expect(pauses).toBeGreaterThanOrEqual(100);
    expect(process.exitCode).toBe(1);
  });

  test("one that was replaced, or superseded, has ended", async () => {
    const { id, revision } = await made();
    platform.clock.advance(200_000);
    const superseded = await patched(id, "x:2");
    await patched(id, "x:3");
    platform.clock.advance(200_000);
    for (const each of [revision, superseded]) {
      await run(["--follow", "--revision", each]);
      expect(linesOf(printed.err).at(-1)).toMatch(new RegExp(`revision ${each}: (DEPLOYED|SKIPPED)`));
      expect(process.exitCode).toBeUndefined();
    }
  });

  test("a platform that fails for a while does not end it", async () => {
    await made();
    platform.emulator.faults.add({ kind: "status", status: 503, path: "/v1/**", nth: 8, count: 3 });
    await run(["--follow"]);
    expect(messages()).toContain("Application startup complete");
  });

  test("a deployment that is deleted meanwhile ends it with an error", async () => {
    await made();
    let pauses = 0;
    await expect(
      run(["--follow"], () => (pauses += 1) === 3 && platform.emulator.outOfBand(deployments).remove("desk")),
    ).rejects.toThrow(/does not exist/);
  });
});

test.each([
  ["both logs by name", ["--build", "--deploy"], /cannot be used with option/],
  ["a number that is none", ["--lines", "0"], /whole number above 0/],
  ["an empty name", [""], /'deployment'.*It must be a name or an id, and must not be empty/],
])("wrong usage, before any request: %s", async (_reason, args, message) => {
  await expect(run(args)).rejects.toThrow(message);
  expect(platform.emulator.requests).toEqual([]);
});
