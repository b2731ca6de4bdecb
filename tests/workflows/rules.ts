import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = join(__dirname, "..", "..");

const Step = z.looseObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Permissions = z.record(z.string(), z.enum(["read", "write"]));
const Workflow = z.strictObject({
  name: z.string(),
  on: z.union([z.string(), z.record(z.string(), z.unknown())]),
  permissions: Permissions,
  concurrency: z.strictObject({ group: z.string().min(1), "cancel-in-progress": z.union([z.boolean(), z.string()]) }),
  defaults: z.unknown().optional(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      if: z.string().optional(),
      environment: z.string().optional(),
      permissions: Permissions.optional(),
      "timeout-minutes": z.int(),
      steps: z.array(Step),
    }),
  ),
});

/** The workflows of an example, or of this repository: those of a folder. */
export class Workflows {
  constructor(readonly folder: string) {}

  get names(): string[] {
    return readdirSync(join(ROOT, this.folder));
  }

  text(name: string): string {
    return readFileSync(join(ROOT, this.folder, name), "utf8");
  }

  of(name: string): z.output<typeof Workflow> {
    return Workflow.parse(parse(this.text(name)));
  }

  stepsOf(name: string): z.output<typeof Step>[] {
    return Object.values(this.of(name).jobs).flatMap(({ steps }) => steps);
  }
}

const OF_THIS_REPOSITORY = "github.event.pull_request.head.repo.full_name == github.repository";

/** Tests of what every workflow must hold to. To be called where a test file registers tests. */
export function holdTheRules(workflows: Workflows): void {
  const { names } = workflows;

  test("no two are in one group: a waiting run would push another out", () => {
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names.map((name) => workflows.of(name).concurrency.group)).size).toBe(names.length);
  });

  test.each(names)("%s: keys are in env of single steps, from an environment, and never in argv", (name) => {
    const { on, jobs } = workflows.of(name);
    expect(JSON.stringify(on)).not.toContain("pull_request_target");
    for (const { environment, steps, ...job } of Object.values(jobs)) {
      // Whoever may push a branch may write a workflow: an environment says which of them get the key, or the identity.
      const hasKey = JSON.stringify(steps).includes("secrets.") || job.permissions?.["id-token"] === "write";
      if (hasKey) expect(environment).toMatch(/./);
      expect(JSON.stringify(job)).not.toMatch(/secrets\./);
      for (const { env: _env, ...step } of steps) expect(JSON.stringify(step)).not.toMatch(/secrets\.|github\.token/);
      // An expression in a script is text of the script: of a pull request's title, code.
      for (const { run = "" } of steps) expect(run).not.toContain("${{");
    }
  });

  test("code of a fork runs in no job that has a key, or a token that may write", () => {
    const ofPullRequests = names.filter((name) => JSON.stringify(workflows.of(name).on).includes("pull_request"));
    expect(ofPullRequests.length).toBeGreaterThan(0);
    for (const name of ofPullRequests) {
      const { jobs, permissions } = workflows.of(name);
      for (const job of Object.values(jobs)) {
        const mayWrite = Object.values(job.permissions ?? permissions).includes("write");
        if (mayWrite || JSON.stringify(job.steps).includes("secrets.")) expect(job.if).toContain(OF_THIS_REPOSITORY);
      }
    }
  });

  test.each(names)("%s: checks out without leaving its token behind, and names a version of every action", (name) => {
    for (const { uses, ...step } of workflows.stepsOf(name)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@(?:v\d+|[0-9a-f]{40})$/);
      if (uses?.startsWith("actions/checkout")) expect(step).toMatchObject({ with: { "persist-credentials": false } });
    }
  });
}
