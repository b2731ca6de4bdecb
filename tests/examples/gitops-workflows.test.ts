import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");

const Step = z.looseObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.union([z.string(), z.record(z.string(), z.unknown())]),
  permissions: z.record(z.string(), z.enum(["read", "write"])),
  concurrency: z.strictObject({ group: z.string().min(1), "cancel-in-progress": z.boolean() }),
  defaults: z.unknown().optional(),
  jobs: z.record(
    z.string(),
    z.looseObject({ if: z.string().optional(), environment: z.string().optional(), steps: z.array(Step) }),
  ),
});
const file = (...path: string[]): string => readFileSync(join(EXAMPLE, ...path), "utf8");
const workflow = (name: string) => Workflow.parse(parse(file("workflows", name)));
const stepsOf = (name: string) => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);

describe("workflows", () => {
  const names = readdirSync(join(EXAMPLE, "workflows"));

  test.each([
    ["preview.yml", true, { contents: "read", "pull-requests": "write" }],
    ["apply.yml", false, { contents: "read" }],
    ["drift.yml", false, { contents: "read", issues: "write" }],
  ] as const)(
    "%s has a concurrency group, cancels in progress: %s, and may do no more than %j",
    (name, cancels, may) => {
      const { concurrency, permissions } = workflow(name);
      expect(concurrency["cancel-in-progress"]).toBe(cancels);
      expect(permissions).toEqual(may);
    },
  );

  test("no two are in one group: a waiting run would push another out", () => {
    expect(names).toHaveLength(3);
    expect(new Set(names.map((name) => workflow(name).concurrency.group)).size).toBe(3);
  });

  test.each(names)("%s: keys are in env of single steps, from an environment, and never in argv", (name) => {
    const { on, jobs } = workflow(name);
    expect(JSON.stringify(on)).not.toContain("pull_request_target");
    for (const { environment, steps, ...job } of Object.values(jobs)) {
      expect(environment).toMatch(/./);
      expect(JSON.stringify(job)).not.toMatch(/secrets\./);
      for (const { env: _env, ...step } of steps) expect(JSON.stringify(step)).not.toMatch(/secrets\.|github\.token/);
      // An expression in a script is text of the script: of a pull request's title, code.
      for (const { run = "" } of steps) expect(run).not.toContain("${{");
    }
  });

  test("code of a fork runs in no job that has a key", () => {
    const ofPullRequests = names.filter((name) => JSON.stringify(workflow(name).on).includes("pull_request"));
    expect(ofPullRequests).toEqual(["preview.yml"]);
    for (const job of Object.values(workflow("preview.yml").jobs))
      expect(job.if).toBe("github.event.pull_request.head.repo.full_name == github.repository");
  });

  test.each(names)("%s: checks out without leaving its token behind, and names a version of every action", (name) => {
    for (const { uses, ...step } of stepsOf(name)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      if (uses?.startsWith("actions/checkout")) expect(step).toMatchObject({ with: { "persist-credentials": false } });
    }
  });

  test("preview and apply hold the policies; apply runs on main alone and never in preview's environment", () => {
    const commands = (name: string) => stepsOf(name).map(({ run }) => run ?? "");
    expect(commands("preview.yml").join("\n")).toMatch(/agent-platform review --stack prod .*--policy-pack policy/);
    expect(commands("apply.yml").join("\n")).toMatch(/pulumi up --yes .*--policy-pack policy/);
    expect(workflow("apply.yml").on).toEqual({ push: { branches: ["main"] } });
    expect(workflow("apply.yml").jobs["apply"]?.environment).toBe("production");
    expect(workflow("preview.yml").jobs["preview"]?.environment).toBe("preview");
  });
});

test("the operator's Stack takes its keys from a Kubernetes Secret, stops at drift, and never destroys", () => {
  const key = z.strictObject({
    type: z.literal("Secret"),
    secret: z.strictObject({ name: z.string(), key: z.string() }),
  });
  const manifest = z
    .strictObject({
      apiVersion: z.literal("pulumi.com/v1"),
      kind: z.literal("Stack"),
      metadata: z.strictObject({ name: z.string(), namespace: z.string() }),
      spec: z.strictObject({
        serviceAccountName: z.string(),
        stack: z.string().regex(/^[^/]+\/gitops\/prod$/),
        projectRepo: z.string().startsWith("https://"),
        branch: z.literal("refs/heads/main"),
        envRefs: z.strictObject({ PULUMI_ACCESS_TOKEN: key, AGENT_PLATFORM_API_KEY: key }),
        refresh: z.literal(true),
        expectNoRefreshChanges: z.literal(true),
        continueResyncOnCommitMatch: z.literal(true),
        resyncFrequencySeconds: z.int().min(60),
        destroyOnFinalize: z.literal(false),
      }),
    })
    .safeParse(parse(file("operator", "stack.yaml")));
  expect(manifest.error?.issues).toBeUndefined();
});
