import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { startEmulator } from "../../emulator";
import { CliProcesses, ended } from "../../tests/support/cli-processes";
import { commandLine } from "../../tests/support/command-line";
import { newFolder } from "../../tests/support/new-folder";
import { ofTest } from "../../tests/support/of-suite";
import { serving } from "../../tests/support/serving";
import { version } from "../../provider/base/version";

let folder: string;
beforeEach(() => (folder = newFolder()));

/** Outside of a project, without an engine and without a connection. */
const doctor = (...words: string[]) => commandLine(["doctor", "--cwd", folder, ...words], { PATH: folder });

/** Each finding on one line. */
const unfolded = (out: string): string => out.replace(/\n {2,}/g, " ");

test("a line for each finding, and exit code 1 where there is something to fix", async () => {
  const { code, out, err } = await doctor();
  expect([code, err]).toEqual([1, ""]);
  expect(unfolded(out)).toMatch(
    /^ok +package +.*\nFIX +engine +.*not on PATH.*\n- +project .*\n(FIX +connection .*\n)+$/,
  );
});

test("a long finding goes on below its beginning, in 80 columns", async () => {
  const lines = (await doctor()).out.split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.filter((line) => line.startsWith(" ".repeat("FIX  connection  ".length)))).not.toEqual([]);
});

test("--format json: the same findings for programs", async () => {
  const { code, out, err } = await doctor("--format", "json");
  expect([code, err]).toEqual([1, ""]);
  const text: unknown = expect.any(String);
  const findings: unknown = expect.arrayContaining([
    { state: "ok", what: "package", text },
    { state: "fix", what: "engine", text },
    { state: "skip", what: "project", text },
    { state: "fix", what: "connection", text },
  ]);
  expect(JSON.parse(out)).toEqual({ findings });
});

test.each<[what: string, status: number, body: string, found: RegExp]>([
  ["what answers {} to everything is no platform", 200, "{}", /^FIX +address .*\(resources: .*API\? Check AGENT/m],
  [
    "a key that is refused is set where it is taken from",
    401,
    '{ "detail": "old key" }',
    /^FIX +key .*\. Set the right key: the environment variable AGENT_PLATFORM_API_KEY$/m,
  ],
  [
    "a platform that is asked too often is at its address",
    429,
    '{ "detail": "slow down" }',
    /^ok +address .*\nFIX +key +.* answered 429: slow down\. .*: run this again later$/m,
  ],
])("outside of a project: %s", async (_what, status, body, found) => {
  const url = await serving((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: "k" };
  const { code, out } = await commandLine(["doctor", "--cwd", folder], own);
  expect(unfolded(out)).toMatch(found);
  expect(code).toBe(1);
});

test("outside of a project: an address at which nobody listens", async () => {
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: "http://127.0.0.1:9", AGENT_PLATFORM_API_KEY: "k" };
  const { out } = await commandLine(["doctor", "--cwd", folder], own);
  expect(unfolded(out)).toMatch(/^FIX +address .*ECONNREFUSED.*Check AGENT_PLATFORM_BASE_URL .*\n- +key /m);
});

test("a platform that serves less than the contract asks for is found out, and with that contract all is well", async () => {
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\necho v3.246.0\n", { mode: 0o755 });
  const { url, apiKey } = ofTest(await startEmulator({ contract: "documented" }));
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey };
  const extended = await commandLine(["doctor", "--cwd", folder], own);
  expect(extended.code).toBe(1);
  expect(unfolded(extended.out).match(/^FIX.*/gm)).toEqual([
    expect.stringMatching(/contract .*does not offer \/v2\/deployments.*: set AGENT_PLATFORM_CONTRACT to documented$/),
  ]);
  const fitting = await commandLine(["doctor", "--cwd", folder], { ...own, AGENT_PLATFORM_CONTRACT: "documented" });
  expect([fitting.code, fitting.out.match(/^ok/gm)?.length]).toEqual([0, 7]);
});

test("a key that may not read one of the lists is accepted, and the platform has the list", async () => {
  const { url, apiKey } = ofTest(
    await startEmulator({ faults: [{ kind: "status", status: 403, path: "/v2/listeners" }] }),
  );
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey };
  const { out } = await commandLine(["doctor", "--cwd", folder], own);
  expect(out).toMatch(/^ok +key /m);
  expect(out).toMatch(/^ok +contract +extended$/m);
});

test("a machine whose clock is set back while it asks: no question is late", async () => {
  const { url, apiKey } = ofTest(await startEmulator());
  const hourAgo = Date.now() - 3_600_000;
  jest.spyOn(Date, "now").mockImplementation(() => hourAgo);
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey };
  const { out } = await commandLine(["doctor", "--cwd", folder], own);
  jest.restoreAllMocks();
  expect(out).toMatch(/^ok +address /m);
});

test("an engine that is too old is named with the version to install", async () => {
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\necho v3.100.0\n", { mode: 0o755 });
  expect(unfolded((await doctor()).out)).toMatch(
    /^FIX +engine +pulumi 3\.100\.0 is too old: install 3\.216\.0 or newer/m,
  );
});

test.each<[where: string, config: string, remedy: string]>([
  ["the environment", "{}", "the environment variable AGENT_PLATFORM_API_KEY"],
  [
    "the stack's configuration",
    '{ "agent-platform:tenantId": { "value": "t" } }',
    "`pulumi config set --secret agent-platform:apiKey --stack prod --cwd FOLDER`",
  ],
])("in a project whose connection is in %s, a key is to be set there", async (_where, config, remedy) => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nruntime: yaml\n");
  const engine = `#!/bin/sh\ncase $1 in version) echo v3.246.0;; config) echo '${config}';; plugin) echo '[]';; *) echo '{}';; esac\n`;
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  const url = await serving((_, response) => {
    response.writeHead(401, { "content-type": "application/json" }).end('{ "detail": "old key" }');
  });
  const own = { PATH: folder, AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: "k" };
  const { out } = await commandLine(["doctor", "--stack", "prod", "--cwd", folder], own);
  expect(out).toMatch(/^FIX +key /m);
  expect(unfolded(out)).toContain(`Set the right key: ${remedy.replace("FOLDER", folder)}\n`);
});

test("what the engine advises is said as it says it", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nruntime: yaml\n");
  const advice = "run `pulumi up --refresh` where it was made";
  const engine = `#!/bin/sh\ncase $1 in version) echo v3.246.0;; *) echo 'error: ${advice}' >&2; exit 1;; esac\n`;
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  expect(unfolded((await doctor("--stack", "prod")).out)).toContain(`${advice}\n`);
});

test("outside of a project, nothing is to be set in a stack", async () =>
  expect((await doctor()).out).not.toContain("pulumi config set"));

test("a configuration that cannot be read is not said to lack something", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nruntime: nodejs\n");
  const engine =
    '#!/bin/sh\ncase $1 in version) echo v3.246.0;; *) echo "error: incorrect passphrase" >&2; exit 1;; esac\n';
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  const installed = join(folder, "node_modules", "pulumi-agent-platform");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), JSON.stringify({ version: version() }));
  const { out } = await doctor();
  expect(unfolded(out)).toMatch(
    /^ok +plugin +pulumi-agent-platform \S+ \(the stack's configuration, which chooses the plugin, was not read\)\nFIX +stack .*incorrect passphrase\n- +connection +not asked: the stack's configuration was not read\n$/m,
  );
});

test("nothing of a project is run: neither what its nodeargs name, nor its packages", async () => {
  const ran = join(folder, "ran");
  const code = `require("node:fs").appendFileSync(${JSON.stringify(ran)}, __filename + "\\n");`;
  writeFileSync(join(folder, "nodeargs.js"), code);
  for (const name of ["@pulumi/pulumi", "typescript", "pulumi-agent-platform"]) {
    const place = join(folder, "node_modules", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), JSON.stringify({ name, version: "99.0.0" }));
    for (const file of ["index.js", "start.js"]) writeFileSync(join(place, file), code);
  }
  const nodeargs = "--require=./nodeargs.js --require=pulumi-agent-platform/start";
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "Pulumi.yaml"), `name: x\nruntime: {name: nodejs, options: { nodeargs: ${nodeargs} } }\n`);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pulumi"), "#!/bin/sh\necho v3.246.0\n", { mode: 0o755 });
  const cli = new CliProcesses();
  try {
    const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const { out } = await ended(cli.start(["doctor", "--cwd", folder], { PATH: path }));
    expect(out).toMatch(/^ok +SDK +@pulumi\/pulumi 99\.0\.0$/m);
  } finally {
    cli.remove();
  }
  expect(existsSync(ran)).toBe(false);
});
