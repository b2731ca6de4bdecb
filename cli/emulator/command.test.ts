import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import os from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as turn } from "node:timers/promises";
import { Command } from "commander";
import { z } from "zod";
import { CliProcesses, ended } from "../../tests/support/cli-processes";
import { commandLine } from "../../tests/support/command-line";
import { defineCommand } from "./command";
import { ask, deploymentOf } from "../../tests/support/ask";
import { newFolder } from "../../tests/support/new-folder";

let folder: string;
let data: string;
beforeEach(() => {
  folder = newFolder();
  data = join(folder, "data.json");
  // For commands in this process: Node's own modules do not see the environment that a test sets.
  jest.spyOn(os, "tmpdir").mockReturnValue(folder);
});
afterEach(async () => {
  await stopAll();
  jest.restoreAllMocks();
});

const announced = z.object({ url: z.string(), apiKeyFile: z.string().optional(), consoleUrl: z.string().optional() });
const TEMPLATE = { method: "POST", body: JSON.stringify({ name: "a", image: "i", resources: {} }) };
const PORT = ["--port", "0", "--format", "json"] as const;

/** What an emulator said of itself, and how it answers. */
function at(line: string) {
  const { url, apiKeyFile = "", consoleUrl } = announced.parse(JSON.parse(line));
  const status = async (key: string, init: RequestInit = {}): Promise<number> =>
    (
      await fetch(`${url}/v2/sandboxes/templates`, {
        ...init,
        headers: { "x-api-key": key, "content-type": "application/json" },
      })
    ).status;
  return { url, apiKeyFile, consoleUrl, status };
}

/** A file with this text, where it says or beside the data. */
function keyFile(text: string, file = `${data}.key`): string {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

describe("in a process of its own", () => {
  let processes: CliProcesses;
  beforeAll(() => (processes = new CliProcesses()));
  afterEach(() => processes.killAll());
  afterAll(() => processes.remove());

  async function started(args: readonly string[]) {
    const child = processes.start(["emulator", ...PORT, ...args], { TMPDIR: folder });
    const [line] = z.array(z.instanceof(Buffer)).parse(await once(child.stdout, "data"));
    return { child, ...at(String(line)) };
  }

  test("a random key lies in a file of mode 0600, beside the data, and the next run has it again", async () => {
    const first = await started(["--data", data]);
    const key = readFileSync(first.apiKeyFile, "utf8").trim();
    expect(statSync(first.apiKeyFile).mode & 0o777).toBe(0o600);
    // Pasted as a word of a command, it must not look like an option.
    expect(key).toMatch(/^[a-z]/);
    expect(await first.status(key)).toBe(200);
    expect(await first.status("emulator-key")).toBe(401);
    const end = ended(first.child);
    first.child.kill("SIGTERM");
    // The line that it began with is all that it printed.
    expect(await end).toEqual({ code: 0, out: "", err: "" });
    const { status } = await served(["--data", data]);
    expect(await status(key)).toBe(200);
  });

  test("a second one on the same data is refused, until the first has ended, also by a kill", async () => {
    const first = await started(["--data", data]);
    const link = join(folder, "link.json");
    expect(await first.status(readFileSync(first.apiKeyFile, "utf8").trim(), TEMPLATE)).toBe(201);
    symlinkSync(data, link);
    for (const file of [data, link])
      expect(await commandLine(["emulator", "--data", file])).toEqual({
        ...{ code: 1, out: "" },
        err: `error: The data file ${file} is open in another emulator: end that one, or choose another file\n`,
      });
    first.child.kill("SIGKILL");
    await once(first.child, "close");
    const { status } = await served(["--data", data]);
    expect(await status(readFileSync(first.apiKeyFile, "utf8").trim())).toBe(200);
  });

  test("a folder for the data is made, for its user alone", async () => {
    const { status } = await served(["--data", join(folder, "new", "data.json"), "--api-key", "k"]);
    expect(await status("k")).toBe(200);
    expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700);
  });

  test("without data the key file is gone after a clean exit, and the line for people does not show the key", async () => {
    const child = processes.start(["emulator", "--port", "0"]);
    const line = String(z.array(z.instanceof(Buffer)).parse(await once(child.stdout, "data"))[0]);
    const file = /API key in (\S+)/.exec(line)?.[1] ?? "";
    expect(line).toMatch(/at http:\/\/127\.0\.0\.1:\d+/);
    expect(line).not.toContain(readFileSync(file, "utf8").trim());
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(0);
    expect(existsSync(dirname(file))).toBe(false);
  });

  describe("the command of an own agent ends with it", () => {
    /** An emulator, and where its agent serves, once it does. */
    async function withAgent(text: string) {
      const program = join(folder, "agent.js");
      const serve = `listen(Number(process.env.PORT), "127.0.0.1")`;
      writeFileSync(
        program,
        `${text}require("node:http").createServer((_, answer) => answer.end(process.env.PORT)).${serve};`,
      );
      const agent = ["--agent", `a='${process.execPath}' '${program}'`];
      const emulator = await started(["--api-key", "k", ...agent]);
      const { id } = z.object({ id: z.string() }).parse(await deploy(emulator.url));
      const probe = () => fetch(`${emulator.url}/agents/${id}/ok`, { headers: { "x-api-key": "k" } });
      let answer = await probe();
      while (answer.status !== 200) answer = await probe();
      const url = `http://127.0.0.1:${await answer.text()}`;
      return { child: emulator.child, answers: () => fetch(url).then(Boolean, () => false) };
    }

    test("when its terminal is closed", async () => {
      const { child, answers } = await withAgent("");
      const end = ended(child);
      child.kill("SIGHUP");
      expect((await end).code).toBe(0);
      expect(await answers()).toBe(false);
    });

    test("also if it takes its time, and the emulator is told twice, as below npx", async () => {
      const asked = join(folder, "asked");
      const onTerm = `require("node:fs").writeFileSync(${JSON.stringify(asked)}, "")`;
      const { child, answers } = await withAgent(`process.on("SIGTERM", () => ${onTerm});`);
      const end = ended(child);
      child.kill("SIGINT");
      while (!existsSync(asked)) await turn(20);
      child.kill("SIGINT");
      expect((await end).code).toBe(0);
      expect(await answers()).toBe(false);
    });
  });
});

const running: (() => Promise<void>)[] = [];
const stopAll = () => Promise.all(running.splice(0).map((stop) => stop()));

/** An emulator of the command in this process, until stopAll; what it printed. */
async function printed(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const command = new Command();
  defineCommand(command, (stop) => running.push(stop));
  let out = "";
  const environment = jest.replaceProperty(process, "env", env);
  const write = jest.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  try {
    await command.parseAsync(args, { from: "user" });
  } finally {
    environment.restore();
    write.mockRestore();
  }
  return out;
}

const served = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  at(await printed([...PORT, ...args], env));

test("the key comes from the variable, without an option", async () => {
  const { status } = await served([], { AGENT_PLATFORM_EMULATOR_API_KEY: "given" });
  expect(await status("given")).toBe(200);
});

test("--api-key-file: the key is the text of the file without its line end, and the file stays", async () => {
  const file = keyFile("given\n");
  const { status, apiKeyFile } = await served(["--api-key-file", file]);
  expect([apiKeyFile, await status("given"), await status("given\\n")]).toEqual([file, 200, 401]);
  await stopAll();
  expect(readFileSync(file, "utf8")).toBe("given\n");
});

test("it serves the contract that it was told to, and answers an unknown path like the platform", async () => {
  const { url } = await served(["--contract", "documented", "--api-key", "k"]);
  const statuses = ["/v2/deployments", "/v2/nothing"].map(async (path) => (await fetch(url + path)).status);
  expect(await Promise.all(statuses)).toEqual([405, 404]);
});

/** The answer to the POST of a deployment. */
const deploy = (url: string, secrets: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  ask({ url, apiKey: "k" }, "POST", "/v2/deployments", deploymentOf("a", "a:1", secrets));

test.each<[what: string, flags: string[], secrets: object[]]>([
  ["values and names", [], [{ name: "A", value: "b" }]],
  ["names alone, as older versions do", ["--secrets", "names"], [{ name: "A" }]],
])("below --base-path it answers the secrets of a deployment with %s", async (_what, flags, secrets) => {
  const { url } = await served(["--api-key", "k", "--base-path", "/control", ...flags]);
  expect(new URL(url).pathname).toBe("/control");
  expect(await deploy(url, { A: "b" })).toMatchObject({ secrets });
});

test("--build-seconds is the time to DEPLOYED", async () => {
  const { url } = await served(["--api-key", "k", "--build-seconds", "0"]);
  const { latest_revision_id: latest, active_revision_id: active } = z
    .object({ latest_revision_id: z.string(), active_revision_id: z.string() })
    .parse(await deploy(url));
  expect(active).toBe(latest);
});

test("the commands on the console's pages read the key from the file where the command keeps it", async () => {
  const { consoleUrl, apiKeyFile } = await served([]);
  const cookie = (await fetch(consoleUrl ?? "", { redirect: "manual" })).headers.get("set-cookie") ?? "";
  const page = await (await fetch(new URL("/console", consoleUrl), { headers: { cookie } })).text();
  expect(page).toContain(`agent-platform:apiKey &lt; ${apiKeyFile}`);
  expect(page).not.toContain(readFileSync(apiKeyFile, "utf8").trim());
});

test("the console is there, and its address opens it, unless --no-console is set", async () => {
  const { url, consoleUrl } = await served(["--api-key", "k"]);
  expect(consoleUrl).toMatch(new RegExp(`^${url}/console\\?code=[\\w-]{32}$`));
  expect((await fetch(consoleUrl ?? "", { redirect: "manual" })).status).toBe(303);
  const plain = await served(["--api-key", "k", "--no-console"]);
  expect([plain.consoleUrl, (await fetch(`${plain.url}/console`)).status]).toEqual([undefined, 404]);
});

test("--log appends each request without its secrets", async () => {
  const log = `${data}.log`;
  const { status } = await served(["--log", log, "--api-key", "key-canary"]);
  await status("key-canary", { method: "POST", body: JSON.stringify({ client_secret: "client-canary" }) });
  await stopAll();
  expect(JSON.parse(readFileSync(log, "utf8"))).toMatchObject({ method: "POST", status: 422 });
  expect(readFileSync(log, "utf8")).not.toContain("canary");
});

test("a --log on a full disk is told once, and costs no answer", async () => {
  const { status } = await served(["--log", "/dev/full", "--api-key", "k"]);
  let err = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
  expect([await status("k"), await status("k")]).toEqual([200, 200]);
  expect(err).toMatch(/^warning: --log: \/dev\/full cannot be written: .*ENOSPC.*\n$/);
});

describe("nothing is served, and a message says why:", () => {
  test.each<[string, string | undefined]>([
    ["missing", undefined],
    ["empty", "\n"],
    ["no header could hold", "a\nb"],
  ])("an --api-key-file that is %s is named, but its content is not", async (_kind, content) => {
    const file = content === undefined ? `${data}.key` : keyFile(content);
    const { code, out, err } = await commandLine(["emulator", "--format", "json", "--api-key-file", file]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^error: .*\n$/);
    expect(err).toContain(file);
  });

  test("a port that is taken is named, with the remedy, and no temporary key is left", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = z.object({ port: z.number() }).parse(other.address());
    const { code, out, err } = await commandLine(["emulator", "--port", String(port)]);
    other.close();
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a log that cannot be written is named, and no temporary key is left", async () => {
    const { code, err } = await commandLine(["emulator", "--port", "0", "--log", join(folder, "no", "requests.log")]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: --log: \S+requests\.log cannot be written: .*ENOENT/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each<[what: string, place: () => string, says: RegExp, left: string[], ...key: string[]]>([
    ["a data file that is not ours is named and left", () => data, /data\.json/, ["data.json"], ...["--api-key", "k"]],
    [
      "a folder for the data that is not there is named, and neither it nor a key is made",
      () => join(folder, "no", "such", "data.json"),
      /the folder \S+\/no\/such does not exist\. Create the folder/,
      [],
    ],
  ])("%s", async (_what, place, says, left, ...key) => {
    if (left.length > 0) writeFileSync(place(), "precious");
    const { code, err } = await commandLine(["emulator", "--port", "0", "--data", place(), ...key]);
    expect(code).toBe(1);
    expect(err).toMatch(says);
    expect(err).not.toContain("    at ");
    expect(readdirSync(folder)).toEqual(left);
    for (const file of left) expect(readFileSync(join(folder, file), "utf8")).toBe("precious");
  });

  test.each<[string, string[], RegExp]>([
    ["port", ["--port", "70000"], /port/],
    ["build seconds", ["--build-seconds", "-1"], /build-seconds/],
    ["contract", ["--contract", "other"], /contract/],
    ["two sources of a key", ["--api-key", "a", "--api-key-file", "b"], /cannot be used with/],
    ["a base path that does not begin with a slash", ["--base-path", "control"], /base path begins with a slash/],
    ["secrets of another kind", ["--secrets", "none"], /values, names/],
  ])("a wrong option ends with a message about it: %s", async (_kind, args, said) => {
    const { code, out, err } = await commandLine(["emulator", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(said);
  });
});
