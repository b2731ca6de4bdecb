import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { Stage } from "./stage";

const ROOT = join(__dirname, "..", "..");

/** The first program of the README, which all pages go on with. */
export function programOfReadme(): string {
  const program = /```ts\n([^]*?)```/.exec(readFileSync(join(ROOT, "README.md"), "utf8"))?.[1];
  if (program === undefined) throw new Error("the README has no program");
  return program;
}

/** Plays what the pages tell: one story, whose parts go on where the one before ended. */
export async function walk(stage: Stage): Promise<void> {
  await firstUp(stage);
  await change(stage);
  await backAgain(stage);
  await rotation(stage);
  await rename(stage);
  await drift(stage);
  await failure(stage);
  await otherStack(stage);
  stage.cd("support");
  await stage.record("destroy", "pulumi destroy --yes");
  await livePlatform(stage);
}

const UP = "pulumi up --yes --skip-preview";

async function project(stage: Stage, name: string, program: string): Promise<void> {
  stage.cd(name);
  stage.write("Pulumi.yaml", `name: ${name}\nruntime: nodejs\n`);
  stage.write("package.json", JSON.stringify({ name, main: "index.ts" }));
  stage.write("index.ts", program);
  await connect(stage);
}

async function connect(stage: Stage): Promise<void> {
  await stage.run("pulumi stack init dev");
  await stage.run(`pulumi config set agent-platform:baseUrl ${stage.emulator.url}`);
  await stage.run("pulumi config set --secret agent-platform:apiKey", stage.emulator.apiKey);
}

async function firstUp(stage: Stage): Promise<void> {
  await project(stage, "support", programOfReadme());
  await stage.run("pulumi config set --secret modelApiKey", "first-model-key");
  await stage.record("start-up", "pulumi up --yes");
}

async function change(stage: Stage): Promise<void> {
  stage.edit("index.ts", "support-agent:1.0.0", "support-agent:1.1.0");
  await stage.record("change-preview", "pulumi preview --diff");
  await stage.run(UP);
}

async function backAgain(stage: Stage): Promise<void> {
  const listed = await stage.record("revisions", "npx agent-platform revisions --deployment support-agent");
  const earlier = listed.split("\n").find((line) => line.includes(":1.0.0")) ?? "";
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(earlier)?.[0] ?? "";
  await stage.record("redeploy", `npx agent-platform redeploy --deployment support-agent --revision ${id}`);
  stage.edit("index.ts", "support-agent:1.1.0", "support-agent:1.0.0");
  await stage.record("rolled-back", "pulumi up --yes --refresh --skip-preview");
}

async function rotation(stage: Stage): Promise<void> {
  await stage.run("pulumi config set --secret modelApiKey", "second-model-key");
  await stage.record("rotate-preview", "pulumi preview");
  await stage.run(UP);
}

async function rename(stage: Stage): Promise<void> {
  stage.edit("index.ts", 'SandboxTemplate("notebook", {', 'SandboxTemplate("scratchpad", {\n  name: "notebook",');
  stage.edit("index.ts", 'memory: "512Mi" },\n}', 'memory: "512Mi" },\n}, { aliases: [{ name: "notebook" }] }');
  await stage.record("rename-preview", "pulumi preview");
  await stage.run(UP);
}

async function drift(stage: Stage): Promise<void> {
  const [agent] = await stage.platform("GET", "/v2/deployments");
  await stage.platform("PATCH", `/v2/deployments/${agent?.id ?? ""}`, {
    source_revision_config: { image_uri: "registry.example.com/support-agent:0.9.0" },
  });
  await stage.settled();
  await stage.record("drift", "npx agent-platform drift --stack dev", { code: 7 });
  await stage.run("pulumi up --yes --refresh --skip-preview");
}

/** The template stays on the platform from then on. */
async function failure(stage: Stage): Promise<void> {
  stage.edit("index.ts", "support-agent:1.0.0", "emulator-fail-build:1.2.0");
  await stage.record("failed-up", UP, { code: 1 });
  await stage.record("failed-logs", "npx agent-platform logs --deployment support-agent");
  stage.edit("index.ts", "emulator-fail-build:1.2.0", "support-agent:1.2.0");
  stage.edit("index.ts", "{ aliases:", "{ retainOnDelete: true, aliases:");
  await stage.run(UP);
}

async function otherStack(stage: Stage): Promise<void> {
  const [before = "", after = ""] = stage.read("index.ts").split(/const notebook = [^]*?\n\n(?=const agent)/);
  stage.write("index.ts", before + after.replace("notebook.name", '"notebook"'));
  await stage.record("move-out", UP);
  const resources = '{ cpu: "500m", memory: "512Mi" }';
  await project(
    stage,
    "shared",
    `import { SandboxTemplate } from "pulumi-agent-platform";

new SandboxTemplate("notebook", { image: "python:3.12-slim", resources: ${resources}, adopt: true });
`,
  );
  await stage.record("move-in", UP);
}

async function livePlatform(stage: Stage): Promise<void> {
  stage.cd(".");
  await stage.record("generate", "npx agent-platform generate --out adopted");
  stage.cd("adopted");
  await connect(stage);
  await stage.record("adopt-up", UP);
}
