import { once } from "node:events";
import { IncomingMessage, request as httpRequest, type ClientRequest } from "node:http";
import { createServer as createSocketServer, type Server as SocketServer } from "node:net";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { realClock } from "../base/clock";
import { startEmulator, type Emulator, type EmulatorOptions } from "../start";
import type { OwnAgent } from "./options";
import { AgentProcesses } from "./processes";
import { agentUnderTest, deployed, RawRequest, until, type AgentUnderTest } from "../../tests/support/agent-under-test";
import { newFolder } from "../../tests/support/new-folder";
import { serving } from "../../tests/support/serving";

const sockets: SocketServer[] = [];
const emulators: Emulator[] = [];
afterEach(async () => {
  for (const server of sockets.splice(0)) server.close();
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
});

/** A server that writes this text to whoever sends something, and goes on. */
async function writing(text: string): Promise<string> {
  const server = createSocketServer((socket) =>
    socket.on("error", () => undefined).once("data", () => socket.write(text)),
  );
  sockets.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
}

const before = (url: string, options: EmulatorOptions = {}): Promise<AgentUnderTest> =>
  agentUnderTest({ agents: { agent: url }, ...options });

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
};

const answered = async (sent: ClientRequest): Promise<IncomingMessage> =>
  z.tuple([z.instanceof(IncomingMessage)]).parse(await once(sent, "response"))[0];

describe("an agent of the user's own", () => {
  test("gets method, path, query, headers and body as they came, without the emulator's key; its answer comes back as it is", async () => {
    let seen: { method?: string; url?: string; headers: IncomingMessage["headers"]; body: Buffer } | undefined;
    const url = await serving((request, response) => {
      void read(request).then((body) => {
        const { method = "", url: path = "", headers } = request;
        seen = { method, url: path, headers, body };
        response.writeHead(418, {
          "x-own": "yes",
          "set-cookie": ["a=1", "b=2"],
          "content-type": "application/octet-stream",
        });
        response.end(Buffer.from([0, 255, 128]));
      });
    });
    const agent = await before(url);
    const sent = Buffer.from([255, 0, 10, 128]);
    const answer = await fetch(`${agent.url}/threads/a%20b?x=1&x=2`, {
      method: "PUT",
      headers: { "x-api-key": agent.emulator.apiKey, authorization: "Bearer user-token", "x-mine": "1" },
      body: sent,
    });
    expect(answer.status).toBe(418);
    expect([answer.headers.get("x-own"), answer.headers.getSetCookie()]).toEqual(["yes", ["a=1", "b=2"]]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from([0, 255, 128]));
    expect(seen).toMatchObject({ method: "PUT", url: "/threads/a%20b?x=1&x=2", body: sent });
    expect(seen?.headers).toMatchObject({ authorization: "Bearer user-token", "x-mine": "1", host: new URL(url).host });
    expect(JSON.stringify(seen?.headers)).not.toContain(agent.emulator.apiKey);
  });

  test.each<[spelling: string, headers: (key: string) => Record<string, string>]>([
    ["a bearer token", (key) => ({ authorization: `Bearer ${key}` })],
    ["one in other letters, with more spaces", (key) => ({ AUTHORIZATION: `bEARER   ${key}` })],
    ["another header beside it", (key) => ({ "x-api-key": key, "api-key": `"${key}"`, cookie: `a=b; key=${key}` })],
  ])("a key that came as %s is not passed on", async (_spelling, headersOf) => {
    let seen: IncomingMessage["headers"] = {};
    const url = await serving((request, response) => {
      seen = request.headers;
      response.end("{}");
    });
    const agent = await before(url);
    const key = agent.emulator.apiKey;
    expect((await fetch(`${agent.url}/ok`, { headers: { ...headersOf(key), "x-mine": `${key}s` } })).status).toBe(200);
    expect(Object.keys(seen).sort()).toEqual([
      "accept",
      "accept-encoding",
      "accept-language",
      "connection",
      "host",
      "sec-fetch-mode",
      "user-agent",
      "x-mine",
    ]);
  });

  test("nor is one in the query, and the rest of the query stays as it is", async () => {
    const seen: unknown[] = [];
    const url = await serving((request, response) => {
      seen.push(request.url);
      response.end("{}");
    });
    const agent = await before(url, { apiKey: "key/1" });
    for (const query of ["a=%20b&api_key=key/1&c=%&token=Bearer+key%2F1&d&key%2f1=e", "api_key=key/1"])
      await agent.get(`/ok?${query}`);
    expect(seen).toEqual(["/ok?a=%20b&c=%&d", "/ok"]);
  });

  test.each(["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PATCH", "PUT"])(
    "the body of a %s arrives whole, and as a body: it is no request of its own",
    async (method) => {
      const seen: string[] = [];
      const url = await serving((request, response) => {
        void read(request).then((body) => {
          seen.push(`${request.method ?? ""} ${request.url ?? ""} ${body.toString()}`);
          response.end();
        });
      });
      const agent = await before(url);
      const smuggled = "DELETE /store/items HTTP/1.1\r\nHost: x\r\n\r\n";
      for (const framing of [{ "content-length": smuggled.length }, { "transfer-encoding": "chunked" }]) {
        const sent = httpRequest(`${agent.url}/store/items`, { method, headers: { ...agent.headers(), ...framing } });
        await read(await answered(sent.end(smuggled)));
      }
      expect(seen).toEqual(Array(2).fill(`${method} /store/items ${smuggled}`));
    },
  );

  test.each([
    "101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket",
    "101 Early",
    "099 Low",
    "600 High",
    "999 Highest",
  ])("an answer of status %j is a 502 that says so", async (head) => {
    const agent = await before(await writing(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`));
    const answer = await agent.get("/ok");
    const detail = `The agent of deployment "agent" answered with status ${Number(head.slice(0, 3))}: only 200 to 599 can be passed on.`;
    expect([answer.status, await answer.json()]).toEqual([502, { detail }]);
  });

  test("an answer that is none is a 502 that says so, too", async () => {
    const agent = await before(await writing("HTTP/1.1 1000 Many\r\n\r\n"));
    const answer = await agent.get("/ok");
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("(HPE_INVALID_STATUS)")]);
  });

  test.each([204, 205, 304])("an answer of status %d has no body, whatever its length says", async (status) => {
    const agent = await before(await writing(`HTTP/1.1 ${status} None\r\nContent-Length: 3\r\n\r\n`));
    const answer = await answered(httpRequest(`${agent.url}/ok`, { headers: agent.headers() }).end());
    expect([answer.statusCode, await read(answer)]).toEqual([status, Buffer.alloc(0)]);
  });

  test("an encoded body stays encoded", async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" });
      response.end(gzipSync('{"plain":true}'));
    });
    const agent = await before(url);
    expect(await (await agent.get("/info")).json()).toEqual({ plain: true });
  });

  test("a stream comes chunk by chunk, and a client that leaves ends it there", async () => {
    let send: ((text: string) => void) | undefined;
    let hasLeft = false;
    const url = await serving((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      send = (text) => void response.write(text);
      response.once("close", () => (hasLeft = true));
      send("event: metadata\r\ndata: {}\r\n\r\n");
    });
    const raw = new RawRequest(await before(url), "/runs/stream", { assistant_id: "agent" });
    await until(() => raw.text.includes("event: metadata\r\ndata: {}\r\n\r\n"));
    expect(raw.text).not.toContain("second");
    send?.(": second\r\n\r\n");
    await until(() => raw.text.includes(": second\r\n\r\n"));
    expect(hasLeft).toBe(false);
    raw.socket.destroy();
    await until(() => hasLeft);
  });

  test("a stream that is cut there is cut here: it must not look complete", async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: metadata\n\n", () => response.destroy());
    });
    const agent = await before(url);
    await expect(agent.post("/runs/stream", {}).then((answer) => answer.text())).rejects.toThrow();
  });

  test("the key is checked before anything is passed on", async () => {
    let asked = 0;
    const url = await serving((_request, response) => {
      asked += 1;
      response.end("{}");
    });
    const agent = await before(url);
    expect((await fetch(`${agent.url}/ok`)).status).toBe(401);
    expect((await fetch(`${agent.url}/ok`, { headers: { "x-api-key": "wrong" } })).status).toBe(401);
    expect(asked).toBe(0);
    expect((await agent.get("/ok")).status).toBe(200);
  });

  test("that is not running: 502, which says where it should be", async () => {
    const agent = await before("http://127.0.0.1:9");
    const answer = await agent.get("/ok");
    expect([answer.status, await answer.json()]).toEqual([
      502,
      {
        detail:
          'The agent of deployment "agent" does not answer at http://127.0.0.1:9 (ECONNREFUSED): is it running there?',
      },
    ]);
  });

  test("is reached only once a revision is DEPLOYED, and faults strike it as they strike any agent", async () => {
    const url = await serving((_request, response) => response.end("{}"));
    const early = await before(url, { buildSeconds: 1000 });
    expect((await early.get("/ok")).status).toBe(503);
    const spoiled = await before(url, { faults: [{ kind: "status", status: 500, path: "/agents/**", count: 1 }] });
    expect((await spoiled.get("/ok")).status).toBe(500);
    expect((await spoiled.get("/ok")).status).toBe(200);
  });

  test("deployments of other names keep the emulator's agent", async () => {
    const agent = await before("http://127.0.0.1:9", { agents: { other: "http://127.0.0.1:9" } });
    expect((await agent.get("/ok")).status).toBe(200);
  });

  test.each(["127.0.0.1:2024", "ftp://127.0.0.1", "http://user:secret@127.0.0.1", ""])(
    "%j is no address: an error with the remedy",
    async (url) => {
      await expect(startEmulator({ agents: { desk: url } })).rejects.toThrow(
        'The agent "desk" needs a whole address without a name or password in it, such as http://127.0.0.1:2024.',
      );
    },
  );
});

describe("a command that starts the agent", () => {
  let folder: string;
  beforeAll(() => (folder = newFolder()));

  /** A command that runs this program of Node. */
  function program(text: string): { readonly command: string } {
    const file = join(folder, `${randomUUID()}.js`);
    writeFileSync(file, text);
    return { command: `'${process.execPath}' '${file}' {port}` };
  }
  const server = (said: string): string => `
    console.log("hello from ${said}");
    require("node:http").createServer((request, response) => {
      if (request.url === "/end") process.exit(3);
      response.end(JSON.stringify({ said: "${said}", args: process.argv.slice(2), port: process.env.PORT, key: process.env.MODEL_KEY ?? null,
        own: process.env.AGENT_PLATFORM_EMULATOR_API_KEY ?? process.env.KEY_OF_MINE ?? null, pid: process.pid }));
    }).listen(Number(process.env.PORT), "127.0.0.1");`;

  async function started(agents: EmulatorOptions["agents"], options: EmulatorOptions = {}): Promise<Emulator> {
    const emulator = await startEmulator({ agents, ...options });
    emulators.push(emulator);
    return emulator;
  }
  const revisionRow = z.object({ id: z.string(), status: z.string() });
  const ownAnswer = z.object({
    said: z.string(),
    args: z.array(z.string()),
    port: z.string(),
    key: z.string().nullable(),
    own: z.null(),
    pid: z.number(),
  });
  async function ask(emulator: Emulator, method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
    return fetch(emulator.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
  /** What the process of a deployment says of itself. */
  const saidBy = async (emulator: Emulator, id: string) =>
    ownAnswer.parse(await (await ask(emulator, "GET", `/agents/${id}/ok`)).json());
  async function statusOf(emulator: Emulator, id: string): Promise<string[]> {
    const answer = await ask(emulator, "GET", `/v2/deployments/${id}/revisions`);
    return z
      .object({ resources: z.array(revisionRow) })
      .parse(await answer.json())
      .resources.map(({ status }) => status);
  }
  /** Waits for the machine: a process starts when it starts. */
  async function reaches(emulator: Emulator, id: string, wanted: readonly string[]): Promise<void> {
    for (;;) {
      const found = await statusOf(emulator, id);
      if (JSON.stringify(found) === JSON.stringify(wanted)) return;
      if (found.some((each) => each.endsWith("_FAILED")) && !wanted.some((each) => each.endsWith("_FAILED"))) {
        throw new Error(`${found.join()}: ${JSON.stringify(await linesOf(emulator, id))}`);
      }
      await turn(20);
    }
  }
  /** An emulator whose deployment this agent is, once its revision has come so far. */
  async function playing(own: OwnAgent, options: EmulatorOptions = {}, wanted: readonly string[] = ["DEPLOYED"]) {
    const emulator = await started({ desk: own }, options);
    const id = await deployed(emulator, "image:1", "desk");
    await reaches(emulator, id, wanted);
    return { emulator, id };
  }
  async function linesOf(emulator: Emulator, id: string, log = "deploy_logs"): Promise<string[]> {
    const answer = await ask(emulator, "POST", `/v1/projects/${id}/${log}`, { order: "asc" });
    return z
      .object({ logs: z.array(z.object({ message: z.string() })) })
      .parse(await answer.json())
      .logs.map(({ message }) => message);
  }
  /** Whether somebody answers at the port; an ended process may still have its id for a while. */
  const answers = ({ port }: { readonly port: string }): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/ok`).then(
      () => true,
      () => false,
    );

  test("is DEPLOYED once the process answers, has the deployment's environment and a port, and its log is the revision's", async () => {
    const apiKey = "canary";
    for (const name of ["AGENT_PLATFORM_EMULATOR_API_KEY", "KEY_OF_MINE"]) process.env[name] = apiKey;
    try {
      // The clock of the emulator's builds does not decide.
      const { emulator, id } = await playing(program(server("one")), { apiKey, buildSeconds: 10_000 });
      const said = await saidBy(emulator, id);
      expect(said).toMatchObject({ said: "one", args: [said.port], own: null });
      // Not one that the system gives to another process while the command starts.
      expect(Number(said.port)).toBeLessThan(32_768);
      expect(await linesOf(emulator, id)).toEqual([expect.stringMatching(/^\$ .* \d+$/), "hello from one"]);
      await emulator.close();
      expect(await answers(said)).toBe(false);
    } finally {
      for (const name of ["AGENT_PLATFORM_EMULATOR_API_KEY", "KEY_OF_MINE"]) Reflect.deleteProperty(process.env, name);
    }
  });

  test("a new revision gets a process of its own, and the one before serves until it answers; a deleted deployment stops it", async () => {
    const { emulator, id } = await playing(program(server("same")), { deleteSeconds: 0 });
    const first = await saidBy(emulator, id);
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: "image:2" },
      secrets: [{ name: "MODEL_KEY", value: "mine" }],
    });
    expect((await ask(emulator, "GET", `/agents/${id}/ok`)).status).toBe(200);
    await reaches(emulator, id, ["DEPLOYED", "DEPLOYED"]);
    const second = await saidBy(emulator, id);
    expect([first.key, second.key]).toEqual([null, "mine"]);
    expect(second.pid).not.toBe(first.pid);
    while (await answers(first)) await turn(20);
    const looks = jest.spyOn(AgentProcesses.prototype, "linesOf");
    expect((await linesOf(emulator, id)).length).toBeGreaterThan(0);
    const processes = z.instanceof(AgentProcesses).parse(looks.mock.contexts[0]);
    const revisionId = looks.mock.calls[0]?.[0] ?? "";
    looks.mockRestore();
    await ask(emulator, "DELETE", `/v2/deployments/${id}`);
    while (await answers(second)) await turn(20);
    // Its log goes with its revision.
    for (let looked = 0; looked < 500 && processes.linesOf(revisionId) !== undefined; looked++) await turn(20);
    expect(processes.linesOf(revisionId)).toBeUndefined();
  });

  test.each<[why: string, command: () => string, last: RegExp]>([
    ["does not exist", () => "no-such-command-here", /^The command ended with exit code 127$/],
    [
      "ends before it answers",
      () => program(`console.error("KeyError: 'SEARCH_KEY'"); process.exit(1);`).command,
      /^The command ended with exit code 1$/,
    ],
  ])("a command that %s is a revision that failed, with its last lines", async (_why, command, last) => {
    const { emulator, id } = await playing({ command: command() }, {}, ["DEPLOY_FAILED"]);
    const lines = await linesOf(emulator, id);
    expect(lines.at(-1)).toMatch(last);
    expect(lines.length).toBeGreaterThan(2);
    expect((await ask(emulator, "GET", `/agents/${id}/ok`)).status).toBe(503);
  });

  test("of a process that dies after it took over, the revision before serves again", async () => {
    const { emulator, id } = await playing(program(server("mortal")));
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: "image:2" } });
    await reaches(emulator, id, ["DEPLOYED", "DEPLOYED"]);
    await ask(emulator, "GET", `/agents/${id}/end`).catch(() => undefined);
    await reaches(emulator, id, ["DEPLOY_FAILED", "DEPLOYED"]);
    while (!(await ask(emulator, "GET", `/agents/${id}/ok`)).ok) await turn(20);
  });

  test("a command that still starts when the emulator ends has not failed: the next emulator starts it", async () => {
    const dataFile = join(newFolder(), "data.json");
    const slow = program(`setTimeout(() => { ${server("slow")} }, 500);`);
    const { emulator, id } = await playing(slow, { dataFile }, ["DEPLOYING"]);
    await emulator.close();
    await reaches(await started({ desk: slow }, { dataFile }), id, ["DEPLOYED"]);
  });

  test("a log without line ends is bounded, and an emulator that starts again starts what served", async () => {
    const dataFile = join(folder, "data.json");
    const long = program(`process.stdout.write("x".repeat(100000));${server("long")}`);
    const { emulator, id } = await playing(long, { dataFile });
    expect(Math.max(...(await linesOf(emulator, id)).map((line) => line.length))).toBeLessThan(5000);
    await emulator.close();
    const again = await started({ desk: long }, { dataFile });
    let answer = await ask(again, "GET", `/agents/${id}/ok`);
    while (answer.status === 502) {
      await turn(20);
      answer = await ask(again, "GET", `/agents/${id}/ok`);
    }
    expect(answer.status).toBe(200);
  });

  test.each<[how: string, command: () => { readonly command: string }, status: string]>([
    ["served", () => program(server("old")), "DEPLOYED"],
    ["failed", () => program("process.exit(3);"), "DEPLOY_FAILED"],
  ])("no log is made up of a revision that %s, also after a restart without the command", async (_how, own, status) => {
    const dataFile = join(newFolder(), "data.json");
    const { emulator, id } = await playing(own(), { dataFile, buildSeconds: 0 }, [status]);
    const { revisions } = z
      .object({ revisions: z.tuple([z.object({ id: z.string() })]) })
      .parse(emulator.store.snapshot());
    const build = `revisions/${revisions[0].id}/build_logs`;
    const nothing = ["Nothing is built: the emulator starts a command of your own."];
    expect(await linesOf(emulator, id, build)).toEqual(nothing);
    await emulator.close();
    const again = await started({}, { dataFile });
    expect(await linesOf(again, id, build)).toEqual(nothing);
    expect(await linesOf(again, id)).toEqual(["What its command wrote was lost when the emulator ended."]);
  });

  describe("ends with all that it has started", () => {
    // The machine's clock at ten times its speed: it only says how long a process may take to end.
    const after = realClock.after.bind(realClock);
    beforeEach(() => jest.spyOn(realClock, "after").mockImplementation((ms, then) => after(ms / 10, then)));
    afterEach(() => jest.restoreAllMocks());
    const deaf = `process.on("SIGTERM", () => undefined);`;
    /** A program that starts itself as another process, and then does `first`; the other one does `then`. */
    const forking = (options: string, first: string, then: string): string => `
      if (process.argv[3] === "forked") { ${then} } else {
        require("node:child_process").spawn(process.execPath, [__filename, process.argv[2], "forked"], ${options});
        ${first} }`;
    const stays = "setInterval(() => undefined, 1000);";

    test.each<[why: string, text: string]>([
      ["it does not heed SIGTERM", deaf + server("deaf")],
      [
        "a process that it has forked does not, and writes elsewhere",
        forking('{ stdio: "ignore" }', stays, deaf + server("forked")),
      ],
    ])("although %s", async (_why, text) => {
      const { emulator, id } = await playing(program(text));
      const said = await saidBy(emulator, id);
      await emulator.close();
      // What was killed is gone a moment later.
      while (await answers(said)) await turn(20);
    });

    test("also where it ends by itself, and has forked", async () => {
      const endsThen = `setInterval(() => fetch("http://127.0.0.1:" + process.env.PORT).then(() => process.exit(0), () => undefined), 20);`;
      const text = forking('{ stdio: "ignore" }', endsThen, deaf + server("forked"));
      const { emulator, id } = await playing(program(text), {}, ["DEPLOY_FAILED"]);
      const port = / (\d+)$/.exec((await linesOf(emulator, id))[0] ?? "")?.[1] ?? "";
      while (await answers({ port })) await turn(20);
    });

    test("and the emulator does not wait for one that has left its group", async () => {
      const text = forking('{ detached: true, stdio: "inherit" }', stays, server("away"));
      const { emulator, id } = await playing(program(text));
      const said = await saidBy(emulator, id);
      await emulator.close();
      process.kill(said.pid);
      while (await answers(said)) await turn(20);
    });
  });

  test("has a random key, unless one is given: whoever knows it says what the command does", async () => {
    const keyOf = async (own: OwnAgent, options: EmulatorOptions = {}): Promise<string> =>
      (await started({ desk: own }, options)).apiKey;
    const [one, other] = [await keyOf({ command: "npm start" }), await keyOf({ command: "npm start" })];
    expect(one).toMatch(/^\w{40,}$/);
    expect(other).not.toBe(one);
    expect(await keyOf({ command: "npm start" }, { apiKey: "given" })).toBe("given");
    expect(await keyOf("http://127.0.0.1:2024")).toBe("emulator-key");
  });

  test("variables of a deployment that decide which code runs are not passed on, and the log names them", async () => {
    const emulator = await started({ desk: program(server("calm")) });
    const canary = join(folder, "canary.js");
    writeFileSync(canary, "process.exit(7);");
    const variables = {
      NODE_OPTIONS: `--require=${canary}`,
      "NODE_OPTIONS=-r ": canary,
      PATH: folder,
      MODEL_KEY: "mine",
    };
    const id = await deployed(emulator, "image:1", "desk", variables);
    await reaches(emulator, id, ["DEPLOYED"]);
    expect((await saidBy(emulator, id)).key).toBe("mine");
    expect((await linesOf(emulator, id))[0]).toBe(
      "Not passed on to the command, because they decide which code runs: NODE_OPTIONS, NODE_OPTIONS=-r , PATH",
    );
  });

  test("an empty command is refused", async () => {
    await expect(startEmulator({ agents: { desk: { command: " " } } })).rejects.toThrow(
      'The command of agent "desk" is empty.',
    );
  });
});
