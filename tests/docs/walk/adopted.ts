import assert from "node:assert/strict";
import { version } from "../../../provider/base/version";
import type { Walk } from "./walk";

const POLICIES = "docs/policies.md";
const OLDER = "docs/before-0.2.md";

/** docs/debugging.md and docs/adopting.md: a platform that was built by hand. */
export async function livePlatform(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.closeTerminals();
  const said = await reader.inAnotherTerminal("log-to-ndjson", /^Console: /m);
  const keyFile = /API key in (\S+)/.exec(said)?.[1] ?? "";
  const platform = walk.meet(keyFile);
  walk.log = reader.file("requests.ndjson");
  await platform.makeTemplate("scratchpad");
  await platform.makeProvider("github");
  await platform.makeDeployment("desk");
  await reader.run("platform-key", { fill: { "<the key file>": keyFile } });

  await walk.writesNothing(async () => {
    assert.match(await reader.run("generate"), /1 sandbox template, 1 OAuth provider and 1 deployment/);
    await reader.run("adopt-stack", { fill: { "https://platform.example.com": reader.url }, answers: [walk.key] });
    await reader.run("adopt-up");
  });
  assert.ok(!reader.state("adopted", "prod").includes("made-by-hand"));
  await reader.run("drift-prod");
}

/** docs/before-0.2.md: a program of dynamic resources moves to the plugin. */
export async function theNativePlugin(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.shell("cd ..");
  await walk.project(
    "older",
    `import { SandboxTemplate } from "pulumi-agent-platform";\nnew SandboxTemplate("older", { image: "python:3.12", resources: { cpu: "1" } });\n`,
  );
  const withPlugin = reader.read("Pulumi.yaml");
  const older = "name: older\nruntime: nodejs\n";
  assert.equal(withPlugin.slice(0, older.length), older);
  reader.write("Pulumi.yaml", older);
  await reader.shell(`pulumi stack init dev
pulumi config set agent-platform:baseUrl ${reader.url}
pulumi config set --secret agent-platform:apiKey <<< '${walk.key}'
pulumi up`);
  assert.match(reader.state("older", "dev"), /"type":\s*"pulumi-nodejs:dynamic\/agent-platform:SandboxTemplate"/);

  reader.write("Pulumi.yaml", older + reader.take("native-package").code.replace("./node_modules", "../node_modules"));
  await walk.writesNothing(async () => {
    await reader.run("native-plugin");
    await reader.type(OLDER, "pulumi up");
    await walk.nothingToDo();
  });
  assert.match(reader.state("older", "dev"), /"type":\s*"agent-platform:index:SandboxTemplate"/);
  await reader.shell("pulumi destroy && cd ../adopted");
}

/** docs/adopting.md: the plugin imports what somebody has made. */
export async function anImport(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  await platform.makeTemplate("notebook");
  await walk.writesNothing(async () => {
    await reader.run("import");
    const index = reader.read("index.ts");
    // The program imports what it uses already.
    const declaration = reader.take("imported-program").code.replace(/^import .*\n/gm, "");
    reader.write("index.ts", `${index}\n${declaration}`);
    await walk.nothingToDo();
  });
}

/** docs/policies.md and docs/review.md: what the team's rules say, and one preview in two forms. */
export async function aReview({ reader }: Walk): Promise<void> {
  // "It needs `@pulumi/policy`. A pack is a folder with ...".
  await reader.shell("npm install @pulumi/policy && mkdir policy");
  reader.write("policy/PulumiPolicy.yaml", "runtime: nodejs\n");
  reader.save("policy-package", "policy/package.json");
  reader.save("policy-pack", "policy/index.ts");
  assert.match(
    await reader.run("review-with-policies"),
    /pinned-deployment-image \(agent-environment, advisory\) is violated/,
  );
  reader.save("policy-config", "pack.json");
  await reader.type(POLICIES, "pulumi preview --policy-pack policy --policy-pack-config pack.json");

  await reader.run("review-forms");
  assert.match(reader.read("review.md"), /no changes/i);
  assert.match(reader.read("review.json"), /"result": "no changes"/);
}

/** docs/teams.md: another key, another version, another cut, and a state that is gone. */
export async function asATeam(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  reader.write("new-key.txt", walk.key);
  await reader.run("teams-key");
  await reader.run("teams-upgrade", { fill: { "<version>": version() } });
  assert.match(reader.read("preview-prod.txt"), /unchanged/);

  const project = { "organization/desk/": "organization/adopted/" };
  const urn = /urn:pulumi:prod::adopted::\S*SandboxTemplate::scratchpad/.exec(
    await reader.shell("pulumi stack --show-urns --stack prod"),
  )?.[0];
  await reader.run("teams-cut", { fill: { ...project, "<urn>": urn ?? "" } });
  assert.match(reader.state("adopted", "prod-sandboxes"), /SandboxTemplate::scratchpad/);
  // "The same command moves it back, with the other stack's name in the URN."
  await reader.shell(
    `pulumi state move --source organization/adopted/prod-sandboxes --dest organization/adopted/prod '${urn?.replace(":prod:", ":prod-sandboxes:") ?? ""}'`,
  );

  const made = await platform.deployments();
  await reader.shell("pulumi stack rm prod --force --preserve-config");
  reader.save("recover-program", "recover.ts");
  const index = reader.read("index.ts");
  reader.write("index.ts", `import "./recover";\n${index}`);
  await walk.writesNothing(() => reader.run("recover-up"));
  reader.write("index.ts", index);
  await reader.run("recover-preview");
  await walk.nothingToDo();
  assert.deepEqual(await platform.deployments(), made);
}

export async function theEnd({ reader, platform }: Walk): Promise<void> {
  await reader.shell("pulumi destroy --stack prod && pulumi stack rm prod && cd ..");
  assert.deepEqual(
    [await platform.deployments(), await platform.templates(), await platform.providers()],
    [[], [], []],
  );
}
