import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { z } from "zod";
import { version } from "../provider/base/version";
import { compiledSources } from "../tests/support/compiled-sources";

let folder: string;
let program: string;

// Signals need a process of their own.
beforeAll(() => {
  folder = compiledSources();
  program = join(folder, "cli/main.js");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let data: string;
let running: ChildProcessWithoutNullStreams[] = [];
beforeEach(() => (data = join(mkdtempSync(join(folder, "data-")), "data.json")));
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running = [];
});

function run(args: readonly string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== "AGENT_PLATFORM_EMULATOR_API_KEY"),
  );
  const child = spawn(process.execPath, [program, ...args], { env: { ...clean, ...env } });
  running.push(child);
  return child;
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<{ code: unknown; out: string; err: string }> {
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  await once(child, "close");
  return { code: child.exitCode, out, err };
}

const announced = z.object({ url: z.string(), apiKeyFile: z.string().optional(), consoleUrl: z.string().optional() });

async function started(args: readonly string[], env: Record<string, string> = {}) {
  const child = run(["emulator", "--port", "0", "--json", ...args], env);
  const line = z.array(z.instanceof(Buffer)).parse(await once(child.stdout, "data"));
  const { url, apiKeyFile, consoleUrl } = announced.parse(JSON.parse(String(line[0])));
  const status = async (key: string, init: RequestInit = {}): Promise<number> =>
    (
      await fetch(`${url}/v2/sandboxes/templates`, {
        ...init,
        headers: { "x-api-key": key, "content-type": "application/json" },
      })
    ).status;
  return { child, url, consoleUrl, apiKeyFile: apiKeyFile ?? "", status };
}

const template = { method: "POST", body: JSON.stringify({ name: "a", image: "i", resources: {} }) };

test("a random key lies in a file of mode 0600, beside the data, and the next run has it again", async () => {
  const first = await started(["--data", data]);
  const key = readFileSync(first.apiKeyFile, "utf8").trim();
  expect(statSync(first.apiKeyFile).mode & 0o777).toBe(0o600);
  // Pasted as a word of a command, it must not look like an option.
  expect(key).toMatch(/^[a-z]/);
  expect(await first.status(key)).toBe(200);
  expect(await first.status("emulator-key")).toBe(401);
  first.child.kill("SIGTERM");
  expect((await ended(first.child)).code).toBe(0);
  const second = await started(["--data", data]);
  expect(await second.status(key)).toBe(200);
});

test("with a base path it is part of the address, and the control plane answers below it", async () => {
  const { url, status } = await started(["--base-path", "/api-host", "--api-key", "k"]);
  expect(new URL(url).pathname).toBe("/api-host");
  expect(await status("k")).toBe(200);
});

test("without data the key file is gone after a clean exit, and the line for people does not show the key", async () => {
  const child = run(["emulator", "--port", "0"]);
  const line = String(z.array(z.instanceof(Buffer)).parse(await once(child.stdout, "data"))[0]);
  const file = /API key in (\S+)/.exec(line)?.[1] ?? "";
  expect(line).toMatch(/at http:\/\/127\.0\.0\.1:\d+/);
  expect(line).not.toContain(readFileSync(file, "utf8").trim());
  child.kill("SIGINT");
  expect((await ended(child)).code).toBe(0);
  expect(existsSync(dirname(file))).toBe(false);
});

test("an object that was answered survives SIGKILL", async () => {
  const first = await started(["--data", data, "--api-key", "k"]);
  expect(await first.status("k", template)).toBe(201);
  first.child.kill("SIGKILL");
  await ended(first.child);
  const second = await started(["--data", data, "--api-key", "k"]);
  expect(await second.status("k", template)).toBe(409);
});

test.each<[string, string[], Record<string, string>]>([
  ["an option", ["--api-key", "given"], {}],
  ["a variable of the user's choice", ["--api-key-env", "MY_KEY"], { MY_KEY: "given" }],
  ["the usual variable", [], { AGENT_PLATFORM_EMULATOR_API_KEY: "given" }],
])("the key comes from %s", async (_source, args, env) => {
  expect(await (await started(args, env)).status("given")).toBe(200);
});

test("--api-key-file: the key is the text of the file without its line end, and the file stays", async () => {
  const file = `${data}.key`;
  writeFileSync(file, "given\n");
  const { child, status, apiKeyFile } = await started(["--api-key-file", file]);
  expect([apiKeyFile, await status("given"), await status("given\\n")]).toEqual([file, 200, 401]);
  child.kill("SIGTERM");
  expect((await ended(child)).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("given\n");
});

test.each<[string, string | undefined]>([
  ["missing", undefined],
  ["empty", "\n"],
  ["no header could hold", "a\nb"],
])("an --api-key-file that is %s is named, but its content is not", async (_kind, content) => {
  const file = `${data}.key`;
  if (content !== undefined) writeFileSync(file, content);
  const { code, out, err } = await ended(run(["emulator", "--json", "--api-key-file", file]));
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^error: .*\n$/);
  expect(err).toContain(file);
});

test("it serves the contract that it was told to, and answers an unknown path like the platform", async () => {
  const { url } = await started(["--contract", "documented", "--api-key", "k"]);
  const statuses = ["/v2/deployments", "/v2/nothing"].map(async (path) => (await fetch(url + path)).status);
  expect(await Promise.all(statuses)).toEqual([405, 404]);
});

test.each<[what: string, flags: string[], secrets: object[]]>([
  ["values and names", [], [{ name: "A", value: "b" }]],
  ["names alone, as older versions do", ["--secrets", "names"], [{ name: "A" }]],
])("below --base-path it answers the secrets of a deployment with %s", async (_what, flags, secrets) => {
  const { url } = await started(["--api-key", "k", "--base-path", "/control", ...flags]);
  expect(new URL(url).pathname).toBe("/control");
  const body = JSON.stringify({
    name: "a",
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "a:1" },
    secrets: [{ name: "A", value: "b" }],
  });
  const headers = { "x-api-key": "k", "content-type": "application/json" };
  const created = await fetch(`${url}/v2/deployments`, { method: "POST", headers, body });
  expect(await created.json()).toMatchObject({ secrets });
});

test.each([
  ["a base path that does not begin with a slash", ["--base-path", "control"], /base path begins with a slash/],
  ["secrets of another kind", ["--secrets", "none"], /values, names/],
])("%s is refused, with what is allowed", async (_what, flags, message) => {
  const { code, err } = await ended(run(["emulator", "--json", "--api-key", "k", ...flags]));
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test("--json prints that one line and nothing else, and --build-seconds is the time to DEPLOYED", async () => {
  const { child, url } = await started(["--api-key", "k", "--build-seconds", "0"]);
  const rest = ended(child);
  const body = JSON.stringify({
    name: "a",
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "a:1" },
    secrets: [],
  });
  const headers = { "x-api-key": "k", "content-type": "application/json" };
  const created = await fetch(`${url}/v2/deployments`, { method: "POST", headers, body });
  const { latest_revision_id: latest, active_revision_id: active } = z
    .object({ latest_revision_id: z.string(), active_revision_id: z.string() })
    .parse(await created.json());
  expect(active).toBe(latest);
  child.kill("SIGTERM");
  expect(await rest).toEqual({ code: 0, out: "", err: "" });
});

test("the console is there, and its address opens it, unless --no-console is set", async () => {
  const { url, consoleUrl } = await started(["--api-key", "k"]);
  expect(consoleUrl).toMatch(new RegExp(`^${url}/console\\?code=[\\w-]{32}$`));
  expect((await fetch(consoleUrl ?? "", { redirect: "manual" })).status).toBe(303);
  const plain = await started(["--api-key", "k", "--no-console"]);
  expect([plain.consoleUrl, (await fetch(`${plain.url}/console`)).status]).toEqual([undefined, 404]);
});

test("--log appends each request without its secrets", async () => {
  const log = `${data}.log`;
  const { child, status } = await started(["--log", log, "--api-key", "key-canary"]);
  await status("key-canary", { method: "POST", body: JSON.stringify({ client_secret: "client-canary" }) });
  child.kill("SIGTERM");
  await ended(child);
  expect(JSON.parse(readFileSync(log, "utf8"))).toMatchObject({ method: "POST", status: 422 });
  expect(readFileSync(log, "utf8")).not.toContain("canary");
});

describe("logs --follow", () => {
  /** Follows the log of a deployment that is being built, and has shown the first line. */
  async function following(): Promise<ChildProcessWithoutNullStreams> {
    const { url } = await started(["--api-key", "k", "--build-seconds", "20"]);
    const headers = { "x-api-key": "k", "content-type": "application/json" };
    const agent = { name: "a", source: "external_docker", source_config: { resource_spec: {} }, secrets: [] };
    const body = JSON.stringify({ ...agent, source_revision_config: { image_uri: "a:1" } });
    expect((await fetch(`${url}/v2/deployments`, { method: "POST", headers, body })).status).toBe(201);
    const child = run(["logs", "--follow", "--base-url", url], { AGENT_PLATFORM_API_KEY: "k" });
    await once(child.stdout, "data");
    return child;
  }

  test("Ctrl-C is its usual end", async () => {
    const child = await following();
    const end = ended(child);
    child.kill("SIGINT");
    const { code, err } = await end;
    expect(code).toBe(0);
    expect(err).not.toMatch(/error| {4}at /);
  });

  test("so is a reader of its output that has left", async () => {
    const child = await following();
    child.stdout.destroy();
    const { code, err } = await ended(child);
    expect(code).toBe(0);
    expect(err).not.toMatch(/error| {4}at /);
  });
});

test("a port that is taken is named, with the remedy, and no temporary key is left", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = z.object({ port: z.number() }).parse(other.address());
  const { code, out, err } = await ended(run(["emulator", "--port", String(port)], { TMPDIR: dirname(data) }));
  other.close();
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
  expect(readdirSync(dirname(data))).toEqual([]);
});

test("a data file that is not ours is named and left as it is", async () => {
  writeFileSync(data, "precious");
  const { code, err } = await ended(run(["emulator", "--port", "0", "--api-key", "k", "--data", data]));
  expect(code).toBe(1);
  expect(err).toContain(data);
  expect(err).not.toContain("    at ");
  expect(readFileSync(data, "utf8")).toBe("precious");
});

test.each<[string, string[], string]>([
  ["port", ["--port", "70000"], "port"],
  ["build seconds", ["--build-seconds", "-1"], "build-seconds"],
  ["contract", ["--contract", "other"], "contract"],
  ["two sources of a key", ["--api-key", "a", "--api-key-env", "B"], "exclude each other"],
  ["an empty variable", ["--api-key-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE"],
])("a wrong option ends with a message about it: %s", async (_kind, args, word) => {
  const { code, err } = await ended(run(["emulator", ...args]));
  expect(code).toBe(2);
  expect(err).toContain(word);
});

test.each<[reason: string, args: string[], said: RegExp]>([
  ["a mistyped command, with the nearest one", ["drfit"], /unknown command 'drfit'\n\(Did you mean drift\?\)/],
  ["a mistyped option, with the nearest one", ["drift", "--stac", "x"], /'--stac'\n\(Did you mean --stack\?\)/],
  ["no command at all", [], /^Usage: agent-platform/],
  ["a required option that is missing", ["generate"], /'--out <folder>' not specified/],
  [
    "a value that is empty, as that of an unset variable",
    ["logs", "--revision", ""],
    /--revision.*It must be an id, and must not be empty/,
  ],
  ["a value of no choice", ["drift", "--format", "xml"], /table, markdown, html, json/],
  ["one argument too many", ["logs", "extra"], /too many arguments/],
  ["options that do not go together", ["drift", "--parallel", "2"], /--parallel only works with --stacks/],
  ["an option of a connection", ["logs", "--base-url", "x"], /baseUrl must be an absolute URL/],
  ["a folder that is not there", ["drift", "--cwd", "/no/such"], /folder \/no\/such does not exist/],
  ["a command that cannot know what to ask", ["run"], /--url: give the agent's address/],
])("%s: exit code 2, and one message", async (_reason, args, said) => {
  const { code, out, err } = await ended(run(args, { AGENT_PLATFORM_API_KEY: "k" }));
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(said);
  expect(err).not.toContain("    at ");
});

test("--version is that of the package", async () => {
  expect(await ended(run(["--version"]))).toEqual({ code: 0, out: `${version()}\n`, err: "" });
});

test.each([["help"], ["help", "drift"], ["drift", "--help"]])("%s %s is no error", async (...args) => {
  const { code, out, err } = await ended(run(args));
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Usage: agent-platform/);
});

test("a folder for the data that is not there is named, and neither it nor a key is made", async () => {
  const missing = join(dirname(data), "no", "such");
  const { code, err } = await ended(run(["emulator", "--port", "0", "--data", join(missing, "data.json")]));
  expect([code, err]).toEqual([1, expect.stringContaining(`the folder ${missing} does not exist. Create the folder`)]);
  expect(readdirSync(dirname(data))).toEqual([]);
});
