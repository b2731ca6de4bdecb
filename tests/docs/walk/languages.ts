import assert from "node:assert/strict";
import type { Walk } from "./walk";

/** docs/yaml.md: from the npm package alone. */
export async function inYaml(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.run("yaml-project");
  reader.save("yaml-program", "Pulumi.yaml");
  await upWarnedAndDown(walk, "Pulumi.yaml", /^ {2}desk-rollout:\n(?: {4}.*\n)+/m, /url: \$\{desk-rollout\.url\}/);
}

/** docs/python.md: from the npm package alone. */
export async function inPython(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.run("python-project");
  reader.save("python-pulumi-yaml", "Pulumi.yaml");
  await reader.run("python-package");
  reader.save("python-program", "__main__.py");
  await upWarnedAndDown(walk, "__main__.py", /^rollout = [^]*?\n\)\n/m, /rollout\.url/);
}

/** docs/go.md: from the npm package alone. */
export async function inGo(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.run("go-project");
  reader.save("go-pulumi-yaml", "Pulumi.yaml");
  reader.save("go-program", "main.go");
  await reader.run("go-package");
  await up(walk);
  await away(walk);
}

/** "The rest is as in Start". */
async function up(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  await reader.shell(`pulumi stack init dev
pulumi config set agent-platform:baseUrl ${reader.url}
pulumi config set --secret agent-platform:apiKey <<< '${walk.key}'`);
  // Where the language host was built, the engine warns that it does not lie beside itself.
  assert.doesNotMatch(await reader.shell("pulumi up"), /warning: (?!using pulumi-language-)/);
  const agent = await platform.agent();
  assert.equal(await reader.shell("pulumi stack output url"), `${agent.source_config.custom_url ?? ""}\n`);
  await platform.asksOk(agent.source_config.custom_url);
  await walk.nothingToDo();
  const [template] = await platform.templates();
  assert.equal(agent.secrets.find(({ name }) => name === "SANDBOX_TEMPLATE")?.value, template?.name);
}

async function away({ reader, platform }: Walk): Promise<void> {
  await reader.shell("pulumi destroy && cd ..");
  assert.deepEqual([await platform.deployments(), await platform.templates()], [[], []]);
}

/** And what `up` says once the Rollout is taken out of the program. */
async function upWarnedAndDown(walk: Walk, file: string, rollout: RegExp, url: RegExp): Promise<void> {
  const { reader } = walk;
  await up(walk);
  const program = reader.read(file);
  reader.write(
    file,
    program
      .replace("desk:1.0.0", "desk:1.1.0")
      .replace(rollout, "")
      .replace(url, (used) => (file.endsWith(".py") ? '""' : used.replace(/\$.*/, "none"))),
  );
  assert.match(await reader.shell("pulumi up"), /warning: no Rollout of this run waits for Deployment "desk": /);
  reader.write(file, program);
  await reader.shell("pulumi up");
  await away(walk);
}
