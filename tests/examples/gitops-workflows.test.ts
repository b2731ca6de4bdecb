import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { holdTheRules, Workflows } from "../workflows/rules";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");
const file = (...path: string[]): string => readFileSync(join(EXAMPLE, ...path), "utf8");
const workflows = new Workflows("examples/gitops/workflows");

describe("workflows", () => {
  holdTheRules(workflows);

  test.each([
    ["preview.yml", true, { contents: "read", "pull-requests": "write" }],
    ["apply.yml", false, { contents: "read" }],
    ["drift.yml", false, { contents: "read", issues: "write" }],
  ] as const)("%s has a concurrency group, cancels in progress: %s, and may do just %j", (name, cancels, may) => {
    const { concurrency, permissions } = workflows.of(name);
    expect(concurrency["cancel-in-progress"]).toBe(cancels);
    expect(permissions).toEqual(may);
  });

  test("preview checks the types; preview and apply hold the policies; apply runs on main alone and never in preview's environment", () => {
    const commands = (name: string) => workflows.stepsOf(name).map(({ run }) => run ?? "");
    expect(commands("preview.yml")).toContain("npm run typecheck");
    expect(commands("preview.yml").join("\n")).toMatch(/agent-platform review --stack prod .*--policy-pack policy/);
    expect(commands("apply.yml").join("\n")).toMatch(/pulumi up --yes .*--policy-pack policy/);
    expect(workflows.of("apply.yml").on).toEqual({ push: { branches: ["main"] } });
    expect(workflows.of("apply.yml").jobs["apply"]?.environment).toBe("production");
    expect(workflows.of("preview.yml").jobs["preview"]?.environment).toBe("preview");
  });

  test("drift is compared once: the issue and the report that the job keeps say the same", () => {
    const steps = workflows.stepsOf("drift.yml");
    const commands = steps.map(({ run }) => run ?? "").join("\n");
    expect(commands.match(/agent-platform drift .*/g)).toEqual([expect.stringMatching(/ > drift\.md/)]);
    const pageIsKept: unknown = expect.objectContaining({ path: "drift.md" });
    expect(steps.map((step) => step.with)).toContainEqual(pageIsKept);
  });
});

test.each([
  ["stack.yaml", "PULUMI_ACCESS_TOKEN"],
  ["stack-postgres.yaml", "PGPASSWORD", "PULUMI_CONFIG_PASSPHRASE"],
])("the operator's %s takes its keys from a Kubernetes Secret, stops at drift, and never destroys", (name, ...keys) => {
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
        // A user, and no password beside it.
        backend: z
          .string()
          .regex(/^postgres:\/\/\w+@[\w.]+:\d+\//)
          .optional(),
        envRefs: z.strictObject(Object.fromEntries(["AGENT_PLATFORM_API_KEY", ...keys].map((each) => [each, key]))),
        refresh: z.literal(true),
        expectNoRefreshChanges: z.literal(true),
        continueResyncOnCommitMatch: z.literal(true),
        resyncFrequencySeconds: z.int().min(60),
        destroyOnFinalize: z.literal(false),
      }),
    })
    .safeParse(parse(file("operator", name)));
  expect(manifest.error?.issues).toBeUndefined();
});
