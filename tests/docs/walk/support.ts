import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { blockOf } from "../blocks";
import type { Walk } from "./walk";

const START = "docs/start.md";
const FIRST_KEY = "first-model-key";
const SECOND_KEY = "second-model-key";
const IMAGE = "registry.example.com/support-agent";
/** The revision ids in an output. */
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** Steps 1 to 4 of docs/start.md: from an empty folder to an agent that runs. */
export async function firstMinutes(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.run("start-project");
  reader.save("start-pulumi-yaml", "Pulumi.yaml");
  reader.save("start-program", "index.ts");
  const said = await reader.inAnotherTerminal("start-emulator", /^Console: /m);
  const keyFile = reader.file(/API key in (\S+)/.exec(said)?.[1] ?? "");
  const platform = walk.meet(keyFile);
  await reader.run("start-stack", { answers: ["a passphrase"] });
  await reader.run("start-config", { answers: [FIRST_KEY] });

  const url = /url: "(http.*)"/.exec(await reader.run("start-up"))?.[1];
  const agent = await platform.agent();
  assert.equal(url, agent.source_config.custom_url);
  await platform.asksOk(agent.source_config.custom_url);
  assert.equal(agent.source_revision_config.image_uri, `${IMAGE}:1.0.0`);
  const environment = Object.fromEntries(agent.secrets.map(({ name, value }) => [name, value]));
  assert.deepEqual(environment, { SANDBOX_TEMPLATE: "notebook", MODEL_API_KEY: FIRST_KEY });
  assert.deepEqual(await names(platform.templates()), ["notebook"]);
  const state = reader.state("support", "dev");
  for (const secret of [FIRST_KEY, reader.read(keyFile).trim()]) assert.ok(!state.includes(secret));
  await walk.nothingToDo();
  await reader.hurry();
}

/** Step 5 of docs/start.md: "Raise the image's version in `index.ts` to `1.1.0`". */
export async function anotherImage(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  const before = await platform.agent();
  reader.edit("index.ts", `${IMAGE}:1.0.0`, `${IMAGE}:1.1.0`);
  await reader.run("change-preview");
  assert.deepEqual(await platform.agent(), before, "a preview changes nothing");
  await reader.type(START, "pulumi up");
  const agent = await platform.agent();
  assert.equal(agent.id, before.id);
  assert.equal(agent.source_revision_config.image_uri, `${IMAGE}:1.1.0`);
  assert.notEqual(agent.active_revision_id, before.active_revision_id);
  assert.equal((await platform.revisions(agent.id)).length, 2);
}

/** docs/how-to/roll-back.md. */
export async function backAgain({ reader, platform }: Walk): Promise<void> {
  const listed = await reader.run("revisions");
  const lines = listed.split("\n");
  // Its image is below its id.
  const id = UUID.exec(lines[lines.findIndex((line) => line.includes(`${IMAGE}:1.0.0`)) - 1] ?? "")?.[0] ?? "";
  const [shown = ""] = UUID.exec(/--revision .*/.exec(blockOf("redeploy").code)?.[0] ?? "") ?? [];
  await reader.run("redeploy", { fill: { [shown]: id } });
  assert.equal((await platform.agent()).source_revision_config.image_uri, `${IMAGE}:1.0.0`);

  // "If it declares the same as the revision that you brought back, nothing is sent".
  const before = await platform.agent();
  reader.edit("index.ts", `${IMAGE}:1.1.0`, `${IMAGE}:1.0.0`);
  await reader.run("rolled-back");
  assert.deepEqual(await platform.agent(), before);
}

/** docs/how-to/rotate-a-secret.md. */
export async function rotatedSecret(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  await reader.run("rotate-secret", { answers: [SECOND_KEY] });
  const preview = await reader.run("rotate-preview");
  assert.match(preview, /changed secrets: MODEL_API_KEY/);
  assert.ok(!preview.includes(SECOND_KEY));
  await reader.type("docs/how-to/rotate-a-secret.md", "pulumi up");
  const { secrets } = await platform.agent();
  assert.equal(secrets.find(({ name }) => name === "MODEL_API_KEY")?.value, SECOND_KEY);
  assert.ok(!reader.state("support", "dev").includes(SECOND_KEY));
}

/** docs/how-to/rename-a-resource.md: the program's declaration becomes the page's. */
export async function renamedResource(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  const before = await platform.templates();
  walk.declare("rename-program", "notebook");
  assert.match(await reader.run("rename-preview"), /4 unchanged/);
  await reader.type("docs/how-to/rename-a-resource.md", "pulumi up");
  assert.deepEqual(await platform.templates(), before);
  assert.match(reader.state("support", "dev"), /SandboxTemplate::scratchpad/);
  // "After that you can take the alias out again."
  reader.edit("index.ts", '{ aliases: [{ name: "notebook" }] },', "");
  await walk.nothingToDo();
}

/** docs/concepts/drift.md. */
export async function drifted(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  const { id } = await platform.agent();
  await platform.deploy(id, `${IMAGE}:0.9.0`);
  const report = await reader.run("drift", { code: 7 });
  assert.match(report, /imageUri\s+"\S+:1\.0\.0"\s+-> "\S+:0\.9\.0"/);
  await reader.type("docs/concepts/drift.md", "pulumi up --refresh");
  assert.equal((await platform.agent()).source_revision_config.image_uri, `${IMAGE}:1.0.0`);
}

/** docs/waiting.md, A revision that fails. */
export async function failingRevision(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  const { active_revision_id: serving } = await platform.agent();
  reader.edit("index.ts", `${IMAGE}:1.0.0`, "registry.example.com/emulator-fail-build:1.2.0");
  assert.match(await reader.run("failed-up", { code: 1 }), /BUILD_FAILED/);
  assert.equal((await platform.agent()).active_revision_id, serving, "the old revision serves on");
  await reader.run("failed-logs");
  reader.edit("index.ts", "registry.example.com/emulator-fail-build:1.2.0", `${IMAGE}:1.2.0`);
  await reader.run("front-up");
  assert.equal((await platform.agent()).source_revision_config.image_uri, `${IMAGE}:1.2.0`);
}

/** Step 6 of docs/start.md. The template has the name of that page again. */
export async function awayWithIt(walk: Walk): Promise<void> {
  const { reader } = walk;
  reader.edit("index.ts", '"scratchpad",', '"notebook",');
  const end = 'memory: "512Mi" },\n  },';
  reader.edit("index.ts", end, `${end}\n  { aliases: [{ name: "scratchpad" }] },`);
  await reader.shell("pulumi up");
  await emptied(walk);
}

/** The end of docs/start.md. */
export async function emptied({ reader, platform }: Walk): Promise<void> {
  await reader.run("destroy");
  assert.deepEqual([await platform.deployments(), await platform.templates()], [[], []]);
  rmSync(reader.file("index.ts"));
}

const names = async (items: Promise<readonly { readonly name: string }[]>): Promise<string[]> =>
  (await items).map(({ name }) => name);
