import { z } from "zod";
import { revisions, type EmulatorOptions, type LoggedRevision, type LogLine } from "../../emulator";
import { deploymentBody, problems, startPlatform, text } from "./api";

// docs/internals/platform.md, Logs of a revision.

const answerSchema = z.strictObject({
  logs: z.array(
    z.strictObject({ id: z.string(), timestamp: z.iso.datetime(), level: z.string(), message: z.string().min(1) }),
  ),
  next_offset: z.string().nullable(),
});

/** A deployment of this image on a platform of its own, and what asks for its logs. */
async function made(image = "registry.example/triage:1", options: EmulatorOptions = {}) {
  const at = await startPlatform({ buildSeconds: 100, ...options });
  const body = { ...deploymentBody, source_revision_config: { image_uri: image } };
  const { body: answer } = await at.call("POST", "/v2/deployments", { body });
  const [id, revision] = [text(answer, "id"), text(answer, "latest_revision_id")];
  const logs = async (kind: "build" | "deploy", asked: object = { order: "asc", limit: 100 }) => {
    const path = `/v1/projects/${id}/revisions/${revision}/${kind}_logs`;
    return answerSchema.parse((await at.call("POST", path, { body: asked })).body);
  };
  const messages = async (kind: "build" | "deploy", asked?: object) =>
    (await logs(kind, asked)).logs.map(({ message }) => message);
  return { at, id, revision, logs, messages };
}

test("a revision that could not be created says why in its build log", async () => {
  const { at, messages } = await made("registry.example/emulator-fail-create:1");
  at.advance(100);
  expect(await messages("build", { level: "ERROR" })).toEqual([
    expect.stringMatching(/Could not fetch .*access denied/),
  ]);
});

test("a revision that is DEPLOYED has logs without an error, and a log is complete then", async () => {
  const { at, logs } = await made();
  at.advance(100);
  for (const kind of ["build", "deploy"] as const) {
    const { logs: lines, next_offset: next } = await logs(kind);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter(({ level }) => level !== "INFO")).toEqual([]);
    expect(next).toBeNull();
  }
});

test("a log grows with the clock, and next_offset leads on to what comes later, each line once", async () => {
  const { at, logs, messages } = await made();
  expect(await messages("build")).toEqual([]);
  const seen: string[] = [];
  let pages = 0;
  for (let offset: string | null = "0"; offset !== null; pages += 1) {
    at.advance(3);
    const page = await logs("build", { order: "asc", limit: 50, offset });
    seen.push(...page.logs.map(({ id }) => id));
    offset = page.next_offset;
  }
  expect(pages).toBeGreaterThan(10);
  expect(new Set(seen).size).toBe(seen.length);
  expect((await logs("build")).logs.map(({ id }) => id)).toEqual(seen);
  at.advance(100);
  expect(await messages("deploy")).not.toEqual([]);
});

test("each line has the time that it was written, none in the future", async () => {
  const { at, logs } = await made();
  at.advance(60);
  const times = (await logs("build")).logs.map(({ timestamp }) => Date.parse(timestamp));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(Math.max(...times)).toBeLessThanOrEqual(at.clock.now());
});

test("a build that is stuck goes on without an end of its log", async () => {
  const { at, logs } = await made("emulator-stuck");
  at.advance(1e6);
  const { logs: lines } = await logs("build");
  expect(lines.at(-1)?.message).toContain("still running");
});

test("the log of a revision that was superseded ends there", async () => {
  const { at, id, messages } = await made();
  at.advance(40);
  const before = await messages("build");
  await at.call("PATCH", `/v2/deployments/${id}`, { body: { source_revision_config: { image_uri: "x:2" } } });
  at.advance(1000);
  expect(await messages("build")).toEqual(before);
  expect(await messages("deploy")).toEqual([]);
});

test("a status that was set out of band has the log that explains it", async () => {
  const { at, revision, messages } = await made();
  at.advance(100);
  at.emulator.outOfBand(revisions).change(revision, { status_override: "BUILD_FAILED" });
  expect((await messages("build")).at(-1)).toContain("Build failed");
});

describe("what is asked for", () => {
  const revisionLog = () => [
    "one",
    { level: "ERROR", message: "Two" } as const,
    "three",
    { level: "WARNING", message: "four two" } as const,
  ];
  test.each<[reason: string, asked: object, found: readonly string[], next: string | null]>([
    ["newest first, unless said otherwise", {}, ["four two", "three", "Two", "one"], null],
    ["an offset as a number", { order: "desc", limit: 2, offset: 1 }, ["three", "Two"], "3"],
    ["nothing beyond the end", { order: "asc", offset: "9" }, [], null],
    ["of one level, in any case", { order: "asc", level: "error" }, ["Two"], null],
    ["with a text in it, in any case", { order: "asc", query: "two" }, ["Two", "four two"], null],
    ["not before a time", { order: "asc", start_time: "2030-01-01T00:01:02.500Z" }, ["three", "four two"], null],
    ["not after a time", { order: "asc", end_time: "2030-01-01T01:00:50+01:00" }, ["one", "Two"], null],
  ])("%s", async (_reason, asked, found, next) => {
    const { at, logs } = await made(undefined, { revisionLog });
    at.advance(100);
    const answer = await logs("build", asked);
    expect([answer.logs.map(({ message }) => message), answer.next_offset]).toEqual([found, next]);
  });

  test.each([
    ["order is asc or desc", { order: "up" }, "body.order: literal_error"],
    ["a page has lines", { limit: 0 }, "body.limit: greater_than_equal"],
    ["a time is a time", { start_time: "yesterday" }, "body.start_time: value_error"],
  ])("422: %s", async (_reason, asked, problem) => {
    const { at, id, revision } = await made();
    expect(
      problems(await at.call("POST", `/v1/projects/${id}/revisions/${revision}/build_logs`, { body: asked })),
    ).toEqual([problem]);
  });
});

test("a hook gives the lines of a log, and is told which log it is", async () => {
  const asked: LoggedRevision[] = [];
  const { at, id, revision, messages } = await made("x:1", {
    revisionLog: (logged) => {
      asked.push(logged);
      return logged.kind === "build" ? ["mine"] : undefined;
    },
  });
  at.advance(100);
  expect(await messages("build")).toEqual(["mine"]);
  expect(await messages("deploy")).toContain("Application startup complete");
  const told = { deploymentId: id, deploymentName: "triage", revisionId: revision };
  const sourceRevisionConfig = { image_uri: "x:1" };
  expect(asked).toEqual([
    { ...told, kind: "build", sourceRevisionConfig },
    { ...told, kind: "deploy", sourceRevisionConfig },
  ]);
});

test("the log of a deployment has the lines of all its revisions, in the order of their times", async () => {
  const lines = new Map<string, readonly LogLine[]>();
  const options: EmulatorOptions = { buildSeconds: 0, revisionLog: ({ revisionId }) => lines.get(revisionId) };
  const { at, id, revision } = await made("registry.example/triage:1", options);
  const body = { source_revision_config: { image_uri: "registry.example/triage:2" } };
  const next = text((await at.call("PATCH", `/v2/deployments/${id}`, { body })).body, "latest_revision_id");
  const line = (message: string, seconds: number): LogLine => {
    return { level: "INFO", message, at: at.clock.now() + seconds * 1000 };
  };
  lines.set(revision, [line("first", 1), line("third", 3)]);
  lines.set(next, [line("second", 2)]);
  at.advance(10);
  for (const [order, wanted] of [
    ["asc", ["first", "second", "third"]],
    ["desc", ["third", "second", "first"]],
  ] as const) {
    const answer = await at.call("POST", `/v1/projects/${id}/deploy_logs`, { body: { order } });
    expect(answerSchema.parse(answer.body).logs.map(({ message }) => message)).toEqual(wanted);
  }
});
