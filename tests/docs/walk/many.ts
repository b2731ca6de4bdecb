import assert from "node:assert/strict";
import type { Walk } from "./walk";

const PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import { OAuthProvider, SandboxTemplate } from "pulumi-agent-platform";

const stack = pulumi.getStack();
new SandboxTemplate("code", { name: \`code-\${stack}\`, image: "python:3.12-slim", resources: { cpu: "500m", memory: "512Mi" } });
new OAuthProvider("github", {
  providerId: \`github-\${stack}\`,
  name: "GitHub",
  clientId: "shop",
  authUrl: "https://github.com/login/oauth/authorize",
  tokenUrl: "https://github.com/login/oauth/access_token",
});
`;

/** docs/many-stacks.md: two stacks of one program, an empty one whose passphrase nobody here has, and an object of no stack. */
export async function manyStacks(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  await walk.project("shop", PROGRAM);
  for (const stack of ["prod-us", "prod-eu"]) {
    await reader.shell(`pulumi stack init ${stack}
pulumi config set agent-platform:baseUrl ${reader.url}
pulumi config set --secret agent-platform:apiKey < ../emulator.json.api-key
pulumi up`);
  }
  await reader.shell("STACK_KEYS= PULUMI_CONFIG_PASSPHRASE=unknown pulumi stack init prod-ap");
  await platform.rename("github-prod-eu", "Renamed");
  await platform.makeTemplate("tried-out");

  await reader.run("key-of-many", { answers: [walk.key] });
  assert.match(await reader.run("drift-of-many", { code: 7 }), /prod-eu +1 of 2 objects drifted/);
  await reader.shell("unset AGENT_PLATFORM_API_KEY");
  assert.match(await reader.run("inventory", { code: 7 }), /SandboxTemplate +tried-out/);
  await reader.shell("for stack in prod-us prod-eu; do pulumi destroy --stack $stack; done; cd ..");
  await platform.deleteTemplate("tried-out");
}
