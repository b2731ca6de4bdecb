import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, startEmulator, type Emulator, type LoggedRevision } from "../../emulator";
import { CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { newFolder } from "../support/new-folder";
import { CANARIES } from "./canary-values";
import { ownLines, withoutSdkDebug } from "./engine-logs";
import { canaryProgram, failingProgram, gets, type Literals } from "./canary-programs";
import { Gateway, Together } from "./gateway";
import { runSeen, type Seen } from "./pulumi-run";
import { Search, spellingsOf, type Canary } from "./search";

const ALL = Object.values(CANARIES);

const { configKey, configToken, literalKey, literalToken, drifted, undeclared, ...ofProgram } = CANARIES;

/** Logs of failed builds that print every secret of the program, before and after a rotation, in every spelling, also with a colour in the middle. */
const printing =
  (...credentials: readonly Canary[]) =>
  ({ sourceRevisionConfig: config }: LoggedRevision): readonly string[] | undefined => {
    if (config["image_uri"] !== "emulator-fail-build") return undefined;
    const lines = [...credentials, ...Object.values(ofProgram)].map(({ name, value }) => {
      const half = value.length / 2;
      const spellings = [...spellingsOf(value).values(), `${value.slice(0, half)}\x1b[1m${value.slice(half)}`];
      return `${name}: ${spellings.join(" ")}`;
    });
    return [...lines, "Build failed: it printed its secrets"];
  };

/** What a rotation sends to each platform: each once, since all are refused. */
const CHANGES = 10;

describeWithEngine("no secret is anywhere but on the platform and encrypted in state", () => {
  const search = new Search(ALL);
  const [gateway, openGateway] = [new Gateway(ALL), new Gateway(ALL)];
  const runs: Seen[] = [];
  let printed = "";
  let plain: Emulator;
  let open: Emulator;
  let stack: CliStack | undefined;
  const logs = newFolder();

  const literals = (): Literals => ({
    url: open.url,
    apiKey: literalKey.value,
    bearerToken: literalToken.value,
    clientSecrets: [CANARIES.literalClient1.value, CANARIES.literalClient2.value],
    deploymentSecrets: [CANARIES.literalSecret1.value, CANARIES.literalSecret2.value],
    passwords: [CANARIES.literalPassword1.value, CANARIES.literalPassword2.value],
  });
  const requestLog = (): string => join(logs, "requests.log");
  const made = (): CliStack => {
    if (stack === undefined) throw new Error("no stack yet");
    return stack;
  };
  const run = async (name: string, args: readonly string[], options?: { verbose?: boolean; events?: boolean }) => {
    runs.push(await runSeen(made(), name, args, options));
    // After every run, since the next one overwrites what this one has left.
    search.lookIn("state file, its backups and history", join(made().folder, "backend"));
  };
  const up = ["up", "--yes", "--skip-preview", "--parallel", "64"];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, "write").mockImplementation((text) => ((printed += String(text)), true));
    }
    const common = { buildSeconds: 0.2 };
    plain = await startEmulator({
      ...common,
      layers: [gateway],
      apiKey: configKey.value,
      secrets: "names",
      revisionLog: printing(configKey, configToken),
    });
    open = await startEmulator({
      ...common,
      layers: [openGateway],
      apiKey: literalKey.value,
      secrets: "values",
      revisionLog: printing(literalKey, literalToken),
    });
    stack = await CliStack.make(canaryProgram(literals()));
    await stack.configure(
      { "agent-platform:baseUrl": plain.url, "agent-platform:log": "requests", "agent-platform:logFile": requestLog() },
      {
        "agent-platform:apiKey": configKey.value,
        "agent-platform:bearerToken": configToken.value,
        clientSecret1: CANARIES.configClient1.value,
        clientSecret2: CANARIES.configClient2.value,
        deploymentSecret1: CANARIES.configSecret1.value,
        deploymentSecret2: CANARIES.configSecret2.value,
        password1: CANARIES.configPassword1.value,
        password2: CANARIES.configPassword2.value,
      },
    );
    await journey();
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    stack?.remove();
    await Promise.all([plain.close(), open.close()]);
  });

  // Otherwise the first failure keeps the other resources from being tried at all.
  const allOfThem = ["--continue-on-error"];

  async function journey(): Promise<void> {
    await run("up", up, { verbose: true });
    made().write(canaryProgram(literals(), { secrets: 2 }));
    await run("preview of a rotation", ["preview", "--diff"], { verbose: true });
    const faults = [plain, open].map(({ faults: each }) =>
      (["POST", "PUT", "PATCH"] as const).map((method) =>
        each.add({ kind: "status", status: 422, echo: true, method }),
      ),
    );
    await run("up that fails, bodies echoed", [...up, ...allOfThem], { verbose: true });
    for (const fault of faults.flat()) fault.remove();
    gateway.echoing = openGateway.echoing = "own";
    await run("up that fails, echoed in other encodings", [...up, ...allOfThem]);
    for (const each of [gateway, openGateway]) each.echoing = new Together(CHANGES);
    await run("up that fails, told every secret", [...up, ...allOfThem], { verbose: true });
    gateway.echoing = openGateway.echoing = undefined;
    made().write(canaryProgram(literals(), { secrets: 2, image: "emulator-fail-build" }));
    await run("up with a failed revision", [...up, ...allOfThem]);
    drift();
    await run("preview of a refresh", ["refresh", "--preview-only", "--diff"]);
    await run("refresh", ["refresh", "--yes", "--diff", "--skip-preview"], { verbose: true });
    const { id } = open.outOfBand(deployments).get("agent-other");
    made().write(canaryProgram(literals(), { secrets: 2, rest: gets(id) }));
    await run("up with X.get", up, { verbose: true });
    await run("outputs", ["stack", "output", "--json"], { events: false });
    await run("history", ["stack", "history", "--full-dates"], { events: false });
    await run("export", ["stack", "export"], { events: false });
    made().write(failingProgram("OAuthProvider", literals()));
    await run("preview with failing checks", ["preview", "--diff"]);
    made().write(failingProgram("Deployment", literals()));
    await run("up with failing checks", up, { verbose: true });
    made().write(canaryProgram(literals(), { secrets: 1, replaced: true }));
    await run("preview of a replacement", ["preview", "--diff"]);
    await run("up with a replacement", up);
    await run("destroy", ["destroy", "--yes", "--skip-preview", "--parallel", "64"], { verbose: true });
  }

  test("the errors of failed revisions show the log, without what it prints", () => {
    const { stdout } = runs.find(({ name }) => name === "up with a failed revision") ?? { stdout: "" };
    // Of both deployments: where the platform shows values, and where it shows names alone.
    expect(stdout.match(/The last lines of its build log/g)?.length).toBeGreaterThanOrEqual(2);
    expect(stdout.match(/literal deployment secret, rotated: \[secret\]/g)?.length).toBeGreaterThanOrEqual(2);
    expect(stdout.match(/Build failed: it printed its secrets/g)?.length).toBeGreaterThanOrEqual(2);
  });

  /** By hand: changes a declared secret, adds one and removes one. */
  function drift(): void {
    for (const [emulator, name] of [
      [plain, "agent-stack"],
      [open, "agent-other"],
    ] as const) {
      emulator.outOfBand(deployments).change(name, {
        secrets: [
          { name: "LITERAL", value: drifted.value },
          { name: "UNDECLARED", value: undeclared.value },
        ],
      });
    }
  }

  test("the runs went as their names say, and every secret reached the platform", () => {
    const failed = runs.filter(({ code }) => code !== 0).map(({ name }) => name);
    expect(failed).toEqual([
      "up that fails, bodies echoed",
      "up that fails, echoed in other encodings",
      "up that fails, told every secret",
      "up with a failed revision",
      "preview with failing checks",
      "up with failing checks",
    ]);
    const output = (name: string): string =>
      runs
        .filter((each) => each.name === name)
        .map(({ stdout, stderr }) => stdout + stderr)
        .join();
    expect(output("up that fails, bodies echoed")).toMatch(/answered 422: .*"client_secret":"\[secret\]"/);
    expect(output("up that fails, echoed in other encodings")).toMatch(/answered 422: you sent .*\[secret\]/);
    expect(gateway.echoed + openGateway.echoed).toBe(2 * 2 * CHANGES);
    expect(output("up with a failed revision")).toMatch(/ended as BUILD_FAILED/);
    expect(output("preview of a refresh")).toMatch(/secrets/);
    expect(output("preview with failing checks")).toMatch(/clientSecret: must be a string[^]*|authUrl: must be/);
    expect(output("up with failing checks")).toMatch(/secrets\.TWICE: is also in environmentVariables/);
    expect(output("outputs")).toMatch(/"token-stack": "\[secret\]"/);
    // Those that are set by hand come from the platform and are never sent to it.
    const sent = ALL.filter((canary) => canary !== drifted && canary !== undeclared);
    expect([...new Set([...gateway.seen, ...openGateway.seen])].sort()).toEqual(sent.map(({ name }) => name).sort());
    expect(runs[0]?.events.length).toBeGreaterThan(1000);
    const own = runs.filter(({ verbose }) => verbose).map(({ stderr }) => ownLines(stderr));
    expect(own.join("\n")).toMatch(/ answered 422[^]* has a problem: /);
    if (existsSync("/proc/self/cmdline"))
      expect([...(runs[0]?.commandLines ?? [])].join()).toMatch(/dynamic-provider|pulumi-resource-agent-platform/);
  });

  test("no canary is in anything that the runs left", async () => {
    for (const { verbose, stdout, stderr, events, commandLines } of runs) {
      search.look("standard output", stdout);
      search.look("event log: secrets of the configuration", events, ({ fromConfig }) => fromConfig);
      search.look("event log without debug lines of @pulumi/pulumi: all secrets", withoutSdkDebug(events));
      search.look("command lines", [...commandLines].join("\n"));
      if (!verbose) search.look("standard error", stderr);
      if (!verbose) continue;
      search.look("verbose log: secrets of the configuration", stderr, ({ fromConfig }) => fromConfig);
      search.look("verbose log, our own lines: all secrets", ownLines(stderr));
    }
    search.look("log of requests", readFileSync(requestLog(), "utf8"));
    search.look("stack settings file", readFileSync(join(made().folder, "Pulumi.test.yaml"), "utf8"));
    search.look("request log of the emulator", JSON.stringify([plain.requests, open.requests]));
    search.look("printed by the emulator", printed);
    await lookAtEmulatorCommand();
    expect(search.hits).toEqual([]);
  });

  /** The emulator as a command of its own: its output and its log, for good requests and for bad ones. */
  async function lookAtEmulatorCommand(): Promise<void> {
    const log = join(made().folder, "emulator.log");
    const child = spawn(process.execPath, [join(__dirname, "../../dist/cli/main.js"), "emulator", "--log", log], {
      env: { ...process.env, AGENT_PLATFORM_EMULATOR_API_KEY: configKey.value },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    try {
      while (!/http:\S+/.test(output)) await once(child.stdout, "data");
      const url = /http:[^\s;]+/.exec(output)?.[0] ?? "";
      const { value } = CANARIES.literalSecret1;
      for (const body of [{ name: "a", secrets: [{ name: "A", value }] }, { client_secret: value }, [value]]) {
        for (const key of [configKey.value, literalKey.value]) {
          const headers = { "x-api-key": key, "content-type": "application/json" };
          await fetch(`${url}/v2/deployments`, { method: "POST", headers, body: JSON.stringify(body) });
        }
      }
    } finally {
      child.kill("SIGTERM");
      await once(child, "close");
    }
    search.look("printed by the emulator", output);
    search.look("request log of the emulator", readFileSync(log, "utf8"));
  }
});
