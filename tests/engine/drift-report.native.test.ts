import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  deployments,
  oauthProviders,
  revisions,
  sandboxTemplates,
  startEmulator,
  type DeploymentRecord,
} from "../../emulator";
import { cliCommand } from "../support/cli-command";
import type { Result } from "../support/run-process";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, onEmulator, stacksOfTests } from "./on-emulator";
import { ask } from "../support/ask";
import { newFolder } from "../support/new-folder";

const stacks = stacksOfTests();
const platform = onEmulator({ buildSeconds: 0.2, secrets: "values" });
/** A folder without a project. */
let elsewhere: string;

beforeAll(() => {
  elsewhere = newFolder();
});

interface Where {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const drift = (where: Where, ...args: string[]): Promise<Result> => cliCommand(where, "drift", ...args);

const Report = z.object({
  stack: z.string(),
  clean: z.number(),
  unread: z.array(z.strictObject({ urn: z.string(), type: z.string(), name: z.string(), id: z.string() })),
  drifted: z.array(
    z.strictObject({
      urn: z.string(),
      type: z.string(),
      name: z.string(),
      id: z.string(),
      operation: z.string(),
      fields: z.array(z.strictObject({ path: z.string(), declared: z.unknown(), live: z.unknown() }).partial()),
      next: z.string(),
    }),
  ),
});

/** The drift, in short: "Kind name" with the operation, or with each field and its two sides. */
function drifted(text: string): Record<string, unknown> {
  const report = Report.parse(JSON.parse(text));
  return Object.fromEntries(
    report.drifted.map(({ type, name, operation, fields }) => [
      `${type.split(":").at(-1) ?? ""} ${name}`,
      operation === "delete" ? operation : fields.map(({ path, declared, live }) => [path, declared, live]),
    ]),
  );
}

const FORMATS = ["text", "markdown", "json"] as const;
const program = `
  for (const name of ["code", "gone", "kept"])
    new platform.SandboxTemplate(name, { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "canary-client-secret",
    authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
  });
  new platform.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
    environmentVariables: { LEVEL: "info" },
    secrets: { TOKEN: "canary-declared-token" },
  });
`;
function agent(): DeploymentRecord {
  const [found] = platform.emulator.outOfBand(deployments).list();
  if (!found) throw new Error("no deployment is on the platform");
  return found;
}

/** As another user with a key of the platform would do it, without the stack. */
async function redeploy(deploymentId: string, imageUri: string): Promise<void> {
  const body = { source_revision_config: { image_uri: imageUri } };
  await ask(platform.emulator, "PATCH", `/v2/deployments/${deploymentId}`, body);
}

describeWithEngine("pulumi-agent-platform drift, on the real engine", () => {
  test("no drift right after up: exit code 0 in every format, the state untouched, the platform only read", async () => {
    const stack = await platform.upOf(program);
    const state = stack.stateText();
    const texts = [];
    // As a job of CI may set it: the engine takes it for --yes, which it refuses here.
    const environment = { ...stack.environment, PULUMI_SKIP_CONFIRMATIONS: "true" };
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await drift({ folder: stack.folder, environment }, "--format", format);
      expect([code, stderr]).toEqual([0, ""]);
      texts.push(stdout);
    }
    expect(texts.slice(0, 2)).toEqual([
      "No drift: all 5 objects of stack test are as declared.\n",
      "No drift: all 5 objects of stack `test` are as declared.\n",
    ]);
    expect(JSON.parse(texts[2] ?? "")).toEqual({ stack: "test", drifted: [], unread: [], clean: 5, servers: [] });
    expect(stack.stateText()).toBe(state);
    expect(platform.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);

    // Without --stack it is the selected one, with it that one; from another folder with --cwd.
    await stack.succeed("stack", "init", "other");
    expect((await drift(stack)).stdout).toBe("No drift: stack other has no objects.\n");
    const outside = { folder: elsewhere, environment: stack.environment };
    expect((await drift(outside, "--cwd", stack.folder, "--stack", "test")).stdout).toBe(texts[0]);
  });

  test("every kind of drift is shown with both sides, and exit code 7; after `up` the drift is gone", async () => {
    const stack = await platform.upOf(program);
    const template = (name: string) =>
      platform.emulator
        .outOfBand(sandboxTemplates)
        .list()
        .find((row) => row.name === name)?.id;
    platform.emulator.outOfBand(sandboxTemplates).change(template("code") ?? "", { image: "python|3.13" });
    platform.emulator.outOfBand(sandboxTemplates).remove(template("gone") ?? "");
    platform.emulator.outOfBand(oauthProviders).change("github", { token_url: "https://b.example/token" });
    await redeploy(agent().id, "registry.example/agent:2");
    const [ours, theirs] = platform.emulator.outOfBand(revisions).list();

    const json = await drift(stack, "--format", "json");
    expect([json.code, json.stderr]).toEqual([7, ""]);
    expect(drifted(json.stdout)).toEqual({
      "SandboxTemplate code": [["image", "python:3.12", "python|3.13"]],
      "SandboxTemplate gone": "delete",
      "OAuthProvider github": [["tokenUrl", "https://a.example/token", "https://b.example/token"]],
      "Deployment agent": [
        ["sourceRevisionConfig.imageUri", "registry.example/agent:1", "registry.example/agent:2"],
        ["rollout.revisionId", ours?.id, theirs?.id],
      ],
    });
    expect(Report.parse(JSON.parse(json.stdout))).toMatchObject({ stack: "test", clean: 1 });

    const table = await drift(stack);
    expect(table.code).toBe(7);
    expect(table.stdout).toMatch(/^Stack test: 4 of 5 objects drifted\.$/m);
    expect(table.stdout).toMatch(/^ {2}image +"python:3\.12" +"python\|3\.13"$/m);
    expect(table.stdout).toMatch(/^SandboxTemplate gone .*\n {2}gone: `pulumi up --refresh` creates it again$/m);
    expect(table.stdout).toMatch(/^ {2}next: `pulumi up --refresh` restores /m);
    expect(table.stdout).toMatch(/^ {2}rollout\.revisionId /m);

    const markdown = await drift(stack, "--format", "markdown");
    expect(markdown.code).toBe(7);
    expect(markdown.stdout).toMatch(/^### Stack `test`: 4 of 5 objects drifted\n/);
    expect(markdown.stdout).toContain(
      '| `image` | `"python:3.12"` | `"python\\|3.13"` | `pulumi up --refresh` restores',
    );

    for (const { output } of [json, table, markdown]) expect(output).not.toContain("canary");
    await stack.succeed("refresh", "--yes", "--skip-preview");
    await stack.succeed("up", "--yes", "--skip-preview", "--parallel", "64");
    expect((await drift(stack)).stdout).toBe("No drift: all 5 objects of stack test are as declared.\n");
  });

  test("a secret that was changed on the platform is named, and its values are nowhere", async () => {
    const stack = await platform.upOf(program);
    const { id, secrets } = agent();
    const value = "canary-live-token";
    platform.emulator
      .outOfBand(deployments)
      .change(id, { secrets: secrets.map((secret) => (secret.name === "TOKEN" ? { ...secret, value } : secret)) });
    const results = [];
    for (const format of FORMATS) results.push(await drift(stack, "--format", format, "--html", `${format}.html`));
    expect(results.map(({ code }) => code)).toEqual([7, 7, 7]);
    // The provider says which of the secrets it is.
    for (const { stderr } of results) expect(stderr).toMatch(/^warning: .*secrets\.TOKEN differs on the platform.*\n$/);
    const [table, markdown, json] = results.map(({ stdout }) => stdout);
    expect(table).toMatch(/^ {2}secrets +\[secret\] +\[secret\] changed$/m);
    expect(markdown).toContain("| `secrets` | `[secret]` | `[secret] changed` |");
    expect(drifted(json ?? "")).toEqual({ "Deployment agent": [["secrets", "[secret]", "[secret]"]] });
    const page = readFileSync(join(stack.folder, "json.html"), "utf8");
    expect(page).toContain("<td><code>[secret]</code></td><td><code>[secret] changed</code></td>");
    for (const output of [page, ...results.map((result) => result.output)]) {
      expect(output).not.toContain("canary");
      expect(output).not.toContain(Buffer.from(value).toString("base64"));
    }
  });

  test("what the platform does not answer about is unread: exit code 1, in every format and for many stacks", async () => {
    const stack = await platform.upOf(`
      const gone = new platform.SandboxTemplate("gone", { image: "a", resources: { cpu: "1" } });
      platform.SandboxTemplate.get("got", gone.id);
    `);
    const [gone] = platform.emulator.outOfBand(sandboxTemplates).list();
    platform.emulator.outOfBand(sandboxTemplates).remove(gone?.id ?? "");
    const answered = await drift(stack);
    expect(answered.stdout).toMatch(/^SandboxTemplate gone .*\n {2}gone: `pulumi up --refresh` creates it again$/m);
    expect(answered.stdout).toMatch(
      /^SandboxTemplate got .*\n {2}gone: the program only reads it, and `pulumi up` fails/m,
    );
    platform.emulator.faults.add({ kind: "status", status: 501, method: "GET", path: "/**" });
    const state = stack.stateText();
    const json = await drift(stack, "--format", "json", "--html", "page.html");
    expect(json.code).toBe(1);
    const { unread, ...report } = Report.parse(JSON.parse(json.stdout));
    expect(report).toEqual({ stack: "test", clean: 0, drifted: [] });
    expect(unread.map(({ name }) => name)).toEqual(["gone", "got"]);
    expect(json.stderr).toMatch(/^error: some objects could not be read, .*; the report names them$/m);
    expect(readFileSync(join(stack.folder, "page.html"), "utf8")).toContain("2 of 2 objects could not be read");
    const many = await drift(stack, "--stacks", "*");
    expect(many.code).toBe(1);
    expect(many.stdout).toMatch(/^ {2}test +2 of 2 objects could not be read$/m);
    // For the engine itself nothing has changed.
    ok(await stack.drift());
    expect(stack.stateText()).toBe(state);
    platform.emulator.faults.clear();
  });

  test("where the comparison fails: exit code 1, no report, and the reason with what to do", async () => {
    const stack = await platform.upOf(`new platform.SandboxTemplate("code", { image: "a", resources: { cpu: "1" } });`);
    const json = ["--format", "json"];
    const { environment, folder } = stack;
    const withoutPulumi = { ...environment, PATH: dirWithoutPulumi() };
    // 2: wrong usage.
    const failures: [what: string, where: Where, args: string[], reason: RegExp, code?: 2][] = [
      [
        "no such stack",
        stack,
        [...json, "--stack", "nobody"],
        /stack "nobody" could not be .*no stack named 'nobody'/s,
      ],
      ["no stack at all", { folder: elsewhere, environment }, json, /which stack is selected\..*Pulumi\.yaml/s],
      ["no such folder", stack, [...json, "--cwd", "nowhere"], /the folder .*nowhere does not exist: set --cwd/, 2],
      ["no engine", { folder, environment: withoutPulumi }, json, /`pulumi` is not on PATH: install the Pulumi CLI/],
      [
        "another passphrase",
        { folder, environment: { ...environment, PULUMI_CONFIG_PASSPHRASE: "canary-passphrase" } },
        json,
        /incorrect passphrase/,
      ],
      ["no such format", stack, ["--format", "xml"], /--format.*text, markdown, html, json/, 2],
      ["no name for the page", stack, ["--html", ""], /--html.*the path of a file/, 2],
    ];
    for (const [what, where, args, reason, wanted = 1] of failures) {
      const { code, stdout, stderr } = await drift(where, ...args);
      expect([what, code, stdout]).toEqual([what, wanted, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/canary|\n {4}at /);
    }
  });

  test("where the platform is down: exit code 1, no report, and which objects could not be read", async () => {
    const mortal = await startEmulator();
    const stack = await stacks.make(`
      for (const name of ["code", "data"]) new platform.SandboxTemplate(name, { image: "a", resources: { cpu: "1" } });
    `);
    await stack.configure(...connectionTo(mortal));
    await stack.succeed("up", "--yes", "--skip-preview");
    await mortal.close();
    const { code, stdout, stderr } = await drift(stack, "--format", "json");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^error: stack "test" could not be compared with the platform, so nothing is known about drift/,
    );
    expect(stderr).toMatch(/^ {2}SandboxTemplate code: .*got no answer: connect ECONNREFUSED/m);
    expect(stderr).toMatch(/Fix that and run this command again/);
    expect(stderr).not.toContain(mortal.apiKey);
  });
});

function dirWithoutPulumi(): string {
  const folder = join(elsewhere, "empty");
  mkdirSync(folder, { recursive: true });
  return folder;
}
