import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startEmulator } from "../../emulator";
import { ask as askPlatform, deploymentOf } from "../../tests/support/ask";
import { capture } from "../../tests/support/capture";
import { CliProcesses, ended, type Ended } from "../../tests/support/cli-processes";
import { commandLine } from "../../tests/support/command-line";
import { newFolder } from "../../tests/support/new-folder";
import { ofTest } from "../../tests/support/of-suite";
import { servingRead } from "../../tests/support/serving";

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;
let url: string;
let answer: Answer;
let asked: { readonly path: string; readonly key: unknown; readonly body: unknown }[] = [];

beforeAll(async () => {
  url = await servingRead((response, request, text) => {
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    asked.push({ path: `${request.method ?? ""} ${request.url ?? ""}`, key: request.headers["x-api-key"], body });
    answer(response, request);
  });
});
beforeEach(() => (asked = []));

const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const replay = (name: string): void => {
  const { status, contentType, body } = capture(name);
  answer = (response) => response.writeHead(status, { "content-type": contentType }).end(body);
};
const METADATA = 'event: metadata\ndata: {"run_id":"r-1","attempt":1}\n\n';
const token = (content: string): string =>
  `event: messages\ndata: ${JSON.stringify([{ content, id: "m" }, { langgraph_node: "chat" }])}\n\n`;
const custom = (data: unknown): string => `event: custom\ndata: ${JSON.stringify(data)}\n\n`;

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  commandLine(["run", ...args], { AGENT_PLATFORM_AGENT_URL: url, AGENT_PLATFORM_API_KEY: "canary-key", ...env });
const AGENT = ["--assistant", "agent"] as const;

test("a deployment whose first revision has failed has no address: the error names the log, which says why", async () => {
  const emulator = ofTest(await startEmulator({ buildSeconds: 0 }));
  await askPlatform(emulator, "POST", "/v2/deployments", deploymentOf("desk", "registry.example/emulator-fail-build"));
  const own = { AGENT_PLATFORM_BASE_URL: emulator.url, AGENT_PLATFORM_API_KEY: emulator.apiKey };
  const elsewhere = ["--cwd", newFolder()];
  const { code, err } = await run(["desk", ...AGENT, ...elsewhere], own);
  const [, advised = ""] =
    /with the first revision that is DEPLOYED.*`npx pulumi-agent-platform (logs .*)`/.exec(err) ?? [];
  const logs = await commandLine(advised.split(" "), own);
  expect([code, logs.code, logs.out]).toEqual([1, 0, expect.stringMatching(/error/i)]);
  expect(advised).toContain(` --cwd ${elsewhere[1]}`);
});

describe("a run, shown to people", () => {
  test("tokens are the output; run, attempt and summary are beside it", async () => {
    replay("10-stateless-messages-tuple");
    const { code, out, err } = await run([...AGENT, "--input", '{"topic":"cats"}']);
    expect([code, out]).toEqual([0, "[chat]\nHi cats\n"]);
    expect(err).toMatch(/^run [0-9a-f-]{36}, attempt 1\n7 events in \d+\.\d\ds, the first after \d+\.\d\ds\n$/);
    const body = { assistant_id: "agent", input: { topic: "cats" }, stream_mode: ["messages-tuple"] };
    expect(asked).toEqual([{ path: "POST /runs/stream", key: "canary-key", body }]);
  });

  test("modes and subgraphs", async () => {
    replay("20-list-all");
    const args = ["--mode", "updates,messages-tuple", "--mode", "custom", "--subgraphs"];
    const { code, out, err } = await run([...AGENT, ...args]);
    expect(code).toBe(0);
    expect(out).toMatch(/^\d\.\d\ds {2}updates {2}\{"side":\{"log":\["side"\]\}\}$/m);
    expect(out).toContain("[chat]");
    expect(err).toMatch(/\d+ events in/);
    expect(asked[0]?.body).toEqual({
      assistant_id: "agent",
      stream_mode: ["updates", "messages-tuple", "custom"],
      stream_subgraphs: true,
    });
  });

  test("no key, no header; and no colours in a pipe", async () => {
    replay("10-stateless-updates");
    const { out, err } = await run([...AGENT, "--mode", "updates"], { AGENT_PLATFORM_API_KEY: undefined });
    expect(asked[0]?.key).toBeUndefined();
    expect(out + err).not.toContain("\x1b");
  });
});

describe("threads", () => {
  test("a new one is made and named; the run is on it", async () => {
    answer = (response, { url: path }) =>
      path === "/threads" ? response.end('{"thread_id":"t-1"}') : stream(response).end(METADATA + custom(1));
    const { code, err } = await run([...AGENT, "--thread", "new", "--mode", "custom"]);
    expect(code).toBe(0);
    expect(err).toMatch(/^thread t-1\nrun r-1, attempt 1\n1 event in/);
    // Last, whether the run is over: the stream ended without saying so.
    const paths = ["POST /threads", "POST /threads/t-1/runs/stream", "GET /threads/t-1/runs/r-1"];
    expect(asked.map(({ path }) => path)).toEqual(paths);
  });

  test("a join asks for the run alone, and --mode picks from what comes", async () => {
    answer = (response) => stream(response).end(`event: values\ndata: {}\n\n${custom(1)}`);
    const { code, out, err } = await run(["--thread", "t", "--join", "r", "--mode", "custom", "--format", "json"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^\{"time":[\d.]+,"mode":"custom","namespace":\[\],"data":1\}\n$/);
    expect(err).toMatch(/^2 events \(1 shown\)/);
    const [join, ...others] = asked.map(({ path, body }) => [path, body]);
    expect(join).toEqual(["GET /threads/t/runs/r/stream", undefined]);
    expect(others).toEqual([["GET /threads/t/runs/r", undefined]]);
  });

  test("a join of a run that has ended says why nothing came", async () => {
    replay("31-join-finished");
    const { code, out, err } = await run(["--thread", "t", "--join", "r"]);
    expect([code, out, err]).toEqual([0, "", "no events; a run that has ended streams nothing\n"]);
  });
});

describe("a failure is reported, with what to do about it", () => {
  test.each<[reason: string, answer: string | Answer, args: string[], out: string, err: RegExp]>([
    [
      "the run failed, after some events",
      "44-err-graph-throws-late",
      ["--mode", "custom", "--format", "json"],
      "",
      /\d+ events.*\nerror: run [0-9a-f-]{36} failed: \w+: told to fail: why\n$/,
    ],
    ["no input", "43-err-no-input", [], "", /error: run .* failed: EmptyInputError.*\nGive the graph.*--input\.\n$/],
    ["an unknown assistant", "40-err-unknown-assistant-name", [], "", /^error: POST .*422: .*nosuch[^]*--assistant/],
    ["no thread", "41-err-unknown-thread", ["--thread", "t"], "", /^error: .*404: Thread.*\nCorrect.*--thread/],
    [
      "cut off in the middle of a line, which is ended",
      (response) => {
        stream(response).write(METADATA + token("Hi"), () => setImmediate(() => response.destroy()));
      },
      ["--thread", "t"],
      "[chat]\nHi\n",
      /1 event in.*\nerror: .* was cut off: .*; the run may still be going\nSee the rest of the run with --thread t --join r-1\.\n$/,
    ],
    [
      "an empty stream, which belongs to no run",
      (response) => stream(response).end(": heartbeat\n\n"),
      [],
      "",
      /^error: the stream was empty: it named no run and showed nothing/,
    ],
    [
      "the server repeats the key",
      (response) => response.writeHead(403).end("no: canary-key"),
      [],
      "",
      /^error: .*403: no: \[secret\]\nThe key in AGENT_PLATFORM_API_KEY is not accepted/,
    ],
  ])("%s", async (_reason, how, args, out, err) => {
    if (typeof how === "string") replay(how);
    else answer = how;
    const result = await run([...AGENT, ...args]);
    expect(result.code).toBe(1);
    expect(result.err).toMatch(err);
    if (!args.includes("--format")) expect(result.out).toBe(out);
    expect(result.out + result.err).not.toContain("canary-key");
  });

  test.each<[reason: string, args: string[], env: NodeJS.ProcessEnv, flag: string]>([
    ["no URL at all", [...AGENT, "--url", "agent"], {}, "--url"],
    ["an unknown mode", [...AGENT, "--mode", "values,tokens"], {}, "--mode"],
    ["a time that is not a number", [...AGENT, "--idle-timeout", "soon"], {}, "--idle-timeout"],
    ["a key on the command line, which others could see", [...AGENT, "--api-key", "canary-key"], {}, "--api-key"],
    ["an argument too many", [...AGENT, "desk", "more"], {}, "argument"],
    ["a deployment beside an address", [...AGENT, "--url", "http://127.0.0.1:1", "desk"], {}, "--url"],
  ])("wrong usage is exit code 2, names the flag and sends nothing: %s", async (_reason, args, env, flag) => {
    const { code, out, err } = await run(args, env);
    expect([code, out, asked]).toEqual([2, "", []]);
    expect(err).toContain(flag);
    expect(err).toMatch(/^error: /);
    expect(err).not.toMatch(/canary|\n +at /);
  });
});

describe("in a process of its own", () => {
  let processes: CliProcesses;
  beforeAll(() => (processes = new CliProcesses()));
  afterEach(() => processes.killAll());
  afterAll(() => processes.remove());

  const start = (args: readonly string[]): ChildProcessWithoutNullStreams =>
    processes.start(["run", ...args], { AGENT_PLATFORM_AGENT_URL: url, AGENT_PLATFORM_API_KEY: "canary-key" });

  test("tokens are printed as they come: the next one waits until this one was seen", async () => {
    let next: () => void = () => undefined;
    answer = (response) => {
      stream(response).write(METADATA + token("one"));
      next = () => response.end(token("two"));
    };
    const child = start(AGENT);
    const end = ended(child);
    let seen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen === "[chat]\none") next();
    });
    expect(await end).toMatchObject({ code: 0, out: "[chat]\nonetwo\n" });
  });

  test("the input of standard input", async () => {
    replay("10-stateless-updates");
    const child = start([...AGENT, "--mode", "updates", "--input", "-"]);
    child.stdin.end('{"topic": "ca\u0301ts"}');
    expect((await ended(child)).code).toBe(0);
    expect(asked[0]?.body).toMatchObject({ input: { topic: "ca\u0301ts" } });
  });

  /** Resolves when the server has sent an event, and when it sees the connection go. */
  function held(more: string): { readonly sent: Promise<void>; readonly gone: Promise<void> } {
    let [sent, gone] = [(): void => undefined, (): void => undefined];
    const both = { sent: new Promise<void>((done) => (sent = done)), gone: new Promise<void>((done) => (gone = done)) };
    answer = (response) => {
      response.on("close", gone);
      stream(response).write(METADATA + more, () => sent());
    };
    return both;
  }

  test.each<[when: string, events: string, args: string[], out: RegExp, err: RegExp]>([
    [
      "closes the connection, says that the run may go on, and where to see it",
      custom("first"),
      ["--thread", "t", "--mode", "custom"],
      /"first"/,
      /\nstopped; the run may still be going; see it with --thread t --join r-1\n$/,
    ],
    ["in the middle of a line ends the line", token("Hi"), [], /^\[chat\]\nHi\n$/, /\nstopped; /],
    ["before the first event", "", [], /^$/, /^stopped; the run may still be going\n$/],
  ])("Ctrl-C %s", async (_when, events, args, out, err) => {
    const { sent, gone } = held(events);
    const child = start([...AGENT, ...args]);
    const end = ended(child);
    await (events === "" ? sent : once(child.stdout, "data"));
    child.kill("SIGINT");
    await gone;
    const seen = await end;
    expect([seen.code, seen.out, seen.err]).toEqual([130, expect.stringMatching(out), expect.stringMatching(err)]);
  });

  test("SIGTERM, as a job that is cancelled gets it, says the same", async () => {
    const { gone } = held(custom("first"));
    const child = start([...AGENT, "--thread", "t", "--mode", "custom"]);
    const end = ended(child);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    await gone;
    const { code, err } = await end;
    expect(code).toBe(143);
    expect(err).toMatch(/\nstopped; .*--join r-1\n$/);
  });

  test("Ctrl-C while the output is blocked: it has no reader, and the server waits", async () => {
    const { gone } = held(custom("x".repeat(50_000)).repeat(200));
    const child = start([...AGENT, "--mode", "custom", "--format", "json"]);
    await once(child.stderr, "data");
    // A pipe holds less than what was sent: it is full by the time that its first bytes can be read.
    await once(child.stdout, "readable");
    child.kill("SIGINT");
    await gone;
    await once(child, "exit");
    expect(child.exitCode).toBe(130);
  });

  test("Ctrl-C while it waits for standard input: there is no run", async () => {
    const child = start([...AGENT, "--input", "-"]);
    const end = ended(child);
    // The handler is there once standard input is read: this much fits into no pipe.
    await new Promise((done) => child.stdin.write(" ".repeat(1_000_000), done));
    child.kill("SIGINT");
    expect(await end).toEqual({ code: 130, out: "", err: "stopped; no run was started\n" });
    expect(asked).toEqual([]);
  });

  test("a reader that has enough (`| head`) ends the run, without a message", async () => {
    answer = (response) => {
      stream(response).write(METADATA);
      const timer = setInterval(() => response.write(custom("x".repeat(1000))), 5);
      response.on("close", () => clearInterval(timer));
    };
    const child = start([...AGENT, "--mode", "custom"]);
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    await once(child.stdout, "data");
    child.stdout.destroy();
    await once(child, "exit");
    expect([child.exitCode, err]).toEqual([0, "run r-1, attempt 1\n"]);
  });

  const full = existsSync("/dev/full") ? test : test.skip;
  full("a full disk is an error, and no stack", async () => {
    replay("10-stateless-updates");
    const disk = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [processes.program, "run", ...AGENT, "--mode", "updates"], {
      env: { PATH: process.env["PATH"], AGENT_PLATFORM_AGENT_URL: url },
      stdio: ["ignore", disk, "pipe"],
    });
    closeSync(disk);
    let err = "";
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    await once(child, "close");
    expect(child.exitCode).toBe(1);
    expect(err).toMatch(/error: standard output cannot be written: ENOSPC/);
    expect(err).not.toContain("    at ");
  });
});
