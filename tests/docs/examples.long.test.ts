import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployments, listeners, oauthProviders, sandboxSnapshots, sandboxTemplates } from "../../emulator";
import { agentAssistants, agentCrons } from "../../emulator/platform/agent-records";
import { platformAgents } from "../../emulator/platform/resource-records";
import { sandboxVolumes } from "../../emulator/routes/sandbox-volumes";
import { workspaceSecrets } from "../../emulator/routes/workspace-secrets";
import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import { onEmulator } from "../engine/on-emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { inJavaScript } from "./blocks";

const EXAMPLES = join(__dirname, "..", "..", "docs", "examples");
const names = readdirSync(EXAMPLES).flatMap((file) => (file.endsWith(".ts") ? file.slice(0, -3) : []));

const platform = onEmulator({ buildSeconds: 0.2 });

describeWithEngine("docs/examples", () => {
  test("all run, in one stack, and a second up has nothing to do", async () => {
    const secrets = {
      "test:modelApiKey": "canary-model-key",
      "test:githubClientSecret": "canary-client-secret",
      "test:registryPassword": "canary-password",
      "test:openaiApiKey": "canary-shared-key",
    };
    const stack = await platform.stackOf("", secrets);
    // A kept process would not load the examples' modules again.
    stack.host = undefined;
    for (const name of names) {
      const program = inJavaScript(readFileSync(join(EXAMPLES, `${name}.ts`), "utf8"));
      writeFileSync(join(stack.folder, `${name}.js`), program);
    }
    stack.write(names.map((name) => `require("./${name}");`).join("\n"));
    ok(await stack.up());
    ok(await stack.preview("--expect-no-changes"));
    const { emulator } = platform;
    const made = [
      emulator.outOfBand(deployments).list(),
      emulator.outOfBand(listeners).list(),
      emulator.outOfBand(oauthProviders).list(),
      emulator.outOfBand(sandboxTemplates).list(),
      emulator.outOfBand(sandboxRegistries).list(),
      emulator.outOfBand(sandboxSnapshots).list(),
      emulator.outOfBand(sandboxVolumes).list(),
      emulator.outOfBand(workspaceSecrets).list(),
      emulator.outOfBand(platformAgents).list(),
      emulator.outOfBand(agentAssistants).list(),
      emulator.outOfBand(agentCrons).list(),
    ];
    expect(made.map(({ length }) => length)).toEqual([11, 2, 1, 2, 1, 1, 2, 1, 1, 3, 2]);
    expect(stack.stateText()).not.toContain("canary");
  });
});
