import assert from "node:assert/strict";
import { freePort } from "../../../tools/base/loopback";
import type { Walk } from "./walk";

/** 68 objects of two regions: in each 16 agents, 16 templates and 2 OAuth providers. */
const PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import { Deployment, OAuthProvider, Platform, SandboxTemplate } from "pulumi-agent-platform";

const config = new pulumi.Config();
const release = config.get("release") ?? "1.0.0";
for (const region of ["us", "eu"]) {
  const provider = new Platform(region, { baseUrl: config.require(region + "Url"), apiKey: config.requireSecret(region + "Key") });
  for (const id of ["github", "linear"]) {
    new OAuthProvider(region + "-" + id, {
      providerId: id, name: id, clientId: "fleet", authUrl: "https://oauth.example/authorize", tokenUrl: "https://oauth.example/token",
    }, { provider });
  }
  for (let index = 0; index < 16; index += 1) {
    const code = new SandboxTemplate(region + "-code-" + index, { name: "code-" + index, image: "python:3.12-slim" }, { provider });
    new Deployment(region + "-agent-" + index, {
      name: "agent-" + index,
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:" + release },
      environmentVariables: { SANDBOX_TEMPLATE: code.name },
    }, { provider });
  }
}
`;

/** A fleet: every command knows the stack's platforms, without one variable of the environment. */
export async function aFleet(walk: Walk): Promise<void> {
  const { reader } = walk;
  const [us, key] = [reader.url, walk.key];
  const port = await freePort();
  await reader.shell('unset "${!AGENT_PLATFORM_@}"');
  const said = await reader.inAnotherTerminal("start-emulator", /^Console: /m, {
    fill: { [`--port ${new URL(us).port}`]: `--port ${port}`, "emulator.json": "eu.json" },
  });
  const keyOfEu = reader.read(/API key in (\S+)/.exec(said)?.[1] ?? "").trim();
  await walk.project("fleet", PROGRAM);
  await reader.shell(`pulumi stack init prod
pulumi config set usUrl ${us} && pulumi config set euUrl http://127.0.0.1:${port}
pulumi config set --secret usKey <<< '${key}' && pulumi config set --secret euKey <<< '${keyOfEu}'
pulumi up`);
  assert.doesNotMatch(await reader.shell("env"), /AGENT_PLATFORM_/);

  const of = (text: string): Promise<string> => reader.shell(`npx pulumi-agent-platform ${text}`);
  assert.match(await of("drift"), /^No drift: all 68 objects of stack prod are as declared\.$/m);
  assert.match(await of("inventory"), / with 32 sandbox templates, 4 OAuth providers, 32 deployments\.$/m);
  assert.match(await of("logs us-agent-3"), /DEPLOYED/);
  assert.match(await of("run eu-agent-7 --assistant agent --input '{}'"), /attempt 1/);
  assert.doesNotMatch(await of("doctor"), /^FIX/m);

  // Thirty-two agents that change alike are one paragraph, and the page fits a screen.
  await reader.shell("pulumi config set release 1.1.0");
  const review = await reader.shell("npx pulumi-agent-platform review", { code: 8 });
  assert.match(review, /32 Deployments/);
  assert.ok(review.split("\n").length < 50, review);
  await reader.shell("pulumi up");
  const earlier = /^ *([0-9a-f-]{36}) .*agent:1\.0\.0$/m.exec(await of("revisions eu-agent-3"))?.[1] ?? "";
  assert.match(await of(`redeploy eu-agent-3 --revision ${earlier} --yes`), /is DEPLOYED\.$/m);
  const drift = await reader.shell("npx pulumi-agent-platform drift", { code: 7 });
  assert.match(drift, /^Stack prod: 1 of 68 objects drifted\.$/m);
  assert.match(drift, /^ {2}rollout\.revisionId /m);
  await reader.shell("pulumi up --refresh");
  await walk.nothingToDo();
  await reader.shell("pulumi destroy && cd ..");
}
