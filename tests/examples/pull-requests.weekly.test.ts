import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, revisions, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { ok } from "../support/cli-stack";
import { runProcess } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { Example } from "./example";
import { holdTheRules, Workflows } from "../workflows/rules";

const MODEL_KEY = "model-key-canary";

describe("its workflows", () => {
  const workflows = new Workflows("examples/pull-requests/workflows");
  holdTheRules(workflows);

  test.each([
    ["environment.yml", { contents: "read", "pull-requests": "write" }],
    ["sweep.yml", { contents: "read", "pull-requests": "read" }],
  ] as const)("%s is never cancelled midway, and may do no more than %j", (name, may) => {
    const { concurrency, permissions } = workflows.of(name);
    expect(concurrency["cancel-in-progress"]).toBe(false);
    expect(permissions).toEqual(may);
  });

  test("a push brings the environment up, the end of the pull request destroys it", () => {
    const commands = (name: string) => workflows.stepsOf(name).map((step) => [step.if, step.run]);
    expect(commands("environment.yml")).toEqual(
      expect.arrayContaining([
        ["github.event.action != 'closed'", 'npm run -s environment -- up "pr-$NUMBER" --comment comment.md'],
        ["github.event.action == 'closed'", 'npm run -s environment -- down "pr-$NUMBER"'],
      ]),
    );
  });

  test("the sweep shows a dry run first; one that is started by hand destroys only if asked to", () => {
    const sweeps = workflows.stepsOf("sweep.yml").filter(({ run = "" }) => run.includes(" sweep "));
    expect(sweeps.map(({ name }) => name)).toEqual(["Dry run", "Destroy"]);
    expect(sweeps.map(({ run = "" }) => run.includes("--yes"))).toEqual([false, true]);
    expect(sweeps[1]?.if).toBe("github.event_name == 'schedule' || inputs.destroy");
  });
});

describeWithEngine("the example pull-requests, with the branches of one machine", () => {
  let emulator: Emulator;
  let example: Example;
  beforeAll(async () => {
    emulator = await startEmulator({ buildSeconds: 0.2 });
    example = await Example.copy("pull-requests", ["prod"]);
    await git("init", "--quiet", "--initial-branch", "main");
    await commit();
  });
  afterAll(async () => {
    example.remove();
    await emulator.close();
  });

  const environment = (): NodeJS.ProcessEnv => ({
    ...example.stack("prod").environment,
    PULUMI_STACK: undefined,
    AGENT_PLATFORM_BASE_URL: emulator.url,
    AGENT_PLATFORM_API_KEY: emulator.apiKey,
    MODEL_API_KEY: MODEL_KEY,
  });
  const command = async (file: string, ...args: string[]) =>
    runProcess(file, args, example.folder, { environment: environment() });
  const npm = (script: string, ...args: string[]) => command("npm", "run", "-s", script, "--", ...args);
  const pulumi = async (...args: string[]) => ok(await command("pulumi", "--non-interactive", ...args));
  async function git(...args: string[]): Promise<void> {
    const who = ["-c", "user.name=A", "-c", "user.email=a@a.example", "-c", "commit.gpgsign=false"];
    ok(await command("git", ...who, ...args));
  }
  async function commit(): Promise<void> {
    await git("add", "index.ts", "Pulumi.yaml", "package.json", "tsconfig.json");
    await git("commit", "--quiet", "--message", "change");
  }
  /** A branch with this image, made from main. */
  async function branch(name: string, tag: string): Promise<void> {
    await git("checkout", "--quiet", "-b", name, "main");
    example.write("index.ts", example.text("index.ts").replace(/helper:[\d.]+/, `helper:${tag}`));
    await commit();
    await git("checkout", "--quiet", "main");
  }
  const agents = () =>
    emulator
      .outOfBand(deployments)
      .list()
      .map(({ name }) => name)
      .sort();
  const comment = (name: string) => readFileSync(join(example.folder, ".state", "comments", `${name}.md`), "utf8");

  test("a branch gets an environment of its own, with its address and the review in a comment; closing it leaves the others", async () => {
    await branch("feature/search", "1.5.0");
    await branch("fix", "1.4.1");
    for (const name of ["feature/search", "fix"]) ok(await npm("branch", "open", name));
    expect(agents()).toEqual(["pr-feature-search-agent", "pr-fix-agent"]);
    expect(emulator.outOfBand(sandboxTemplates).list()).toHaveLength(2);
    const images = emulator
      .outOfBand(revisions)
      .list()
      .map((each) => each.source_revision_config["image_uri"]);
    expect(images).toEqual(["1.5.0", "1.4.1"].map((tag) => `registry.example.com/agents/helper:${tag}`));
    expect(comment("pr-fix")).toMatch(
      /^\*\*Environment pr-fix\*\* runs, and has answered: http:\/\/127\.0\.0\.1:\d+\/\S+\n/,
    );
    // The review of a new environment.
    expect(comment("pr-fix")).toMatch(/pr-fix-agent/);
    expect(comment("pr-fix")).not.toContain(MODEL_KEY);

    const closed = ok(await npm("branch", "close", "feature/search"));
    expect(closed).not.toContain(MODEL_KEY);
    expect(agents()).toEqual(["pr-fix-agent"]);
    // Closing twice is no error: a workflow may run again.
    expect(ok(await npm("branch", "close", "feature/search"))).toContain("nothing to destroy");
  });

  test("the sweep destroys what a deleted branch left over, after a dry run; never an open, a kept or a foreign stack", async () => {
    await git("branch", "--quiet", "-D", "fix");
    await pulumi("state", "protect", "--all", "--yes", "--stack", "pr-fix");
    const refused = await npm("environment", "down", "pr-fix");
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/pr-fix is not destroyed: its resource \S+ is protected\./);
    await pulumi("state", "unprotect", "--all", "--yes", "--stack", "pr-fix");

    // An environment whose branch is still there, that was never brought up.
    await git("branch", "open-one");
    for (const name of ["pr-open-one", "pr-kept", "other"]) await pulumi("stack", "init", name);
    await pulumi("stack", "tag", "set", "keep", "true", "--stack", "pr-kept");

    const before = agents();
    const dry = ok(await npm("branch", "sweep"));
    expect(dry).toMatch(/^pr-fix +destroy$/m);
    expect(dry).toMatch(/^pr-kept +keep: it has the tag keep$/m);
    expect(dry).toMatch(/^pr-open-one +keep: its pull request is open$/m);
    for (const name of ["prod", "other"])
      expect(dry).toMatch(new RegExp(`^${name} +keep: it is not the environment of a pull request$`, "m"));
    expect(dry).toContain("A dry run: nothing was destroyed. With --yes: pr-fix.");
    expect(agents()).toEqual(before);

    expect(ok(await npm("branch", "sweep", "--yes"))).toContain("1 destroyed, 0 failed.");
    expect(agents()).toEqual([]);
    const left: unknown = JSON.parse(await pulumi("stack", "ls", "--json"));
    expect(left).toMatchObject(["other", "pr-kept", "pr-open-one", "prod"].map((name) => ({ name })));

    // The sweep of the workflow takes numbers alone.
    const nightly = ok(await npm("environment", "sweep", "--open", "", "--older-than", "0"));
    expect(nightly).toMatch(/^pr-open-one +keep: it is not the environment of a pull request$/m);
  });

  test.each([
    [
      "a name that is no environment's",
      ["environment", "up", "prod"],
      /"prod" is no environment of a pull request: write "pr-"/,
    ],
    ["a stack that is no environment", ["environment", "down", "prod"], /"prod" is no environment of a pull request/],
    ["a sweep that was not told what is open", ["environment", "sweep", "--yes"], /--open "pr-1 pr-2"/],
    ["an age that is no number", ["environment", "sweep", "--open", "", "--older-than", "a day"], /not "a day"/],
    ["a branch that is not there", ["branch", "open", "nowhere"], /`git worktree add .* nowhere` ended with/],
  ] as const)("%s is refused", async (_, [script, ...args], message) => {
    const { code, output } = await npm(script, ...args);
    expect(code).toBe(1);
    expect(output).toMatch(message);
  });
});
