import { delimiter, join } from "node:path";
import type { InlineProgramArgs } from "@pulumi/pulumi/automation";
import { LocalWorkspace, PulumiCommand } from "@pulumi/pulumi/automation";
import { Deployment, SandboxTemplate } from "../../sdk";
import { ensureEngine } from "../../tools/engine";
import { templatesOn } from "../support/ask";
import { WORKPLACES } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { describeWithEngine } from "../support/with-engine";
import { emulatorsOfTests } from "./on-emulator";

const emulate = emulatorsOfTests({ buildSeconds: 0.5 });

describeWithEngine("connections", () => {
  test("a program that runs inside the Automation API: up, a no-op, refresh, destroy", async () => {
    const emulator = await emulate();
    const { bin } = await ensureEngine();
    process.env["PATH"] = [bin, process.env["PATH"]].join(delimiter);
    const folder = newFolder(WORKPLACES);
    const program: InlineProgramArgs = {
      stackName: "test",
      projectName: "inline",
      program: () => {
        const code = new SandboxTemplate("code", { image: "a", resources: { cpu: "1" } });
        const agent = new Deployment("agent", {
          source: "external_docker",
          sourceRevisionConfig: { imageUri: "a:1" },
          environmentVariables: { T: code.name },
        });
        return Promise.resolve({ deployed: agent.deployed, template: code.name });
      },
    };
    const automation = await LocalWorkspace.createOrSelectStack(program, {
      workDir: folder,
      pulumiHome: join(folder, "home"),
      pulumiCommand: await PulumiCommand.get(),
      projectSettings: { name: "inline", runtime: "nodejs", backend: { url: `file://${folder}` } },
      envVars: { PULUMI_CONFIG_PASSPHRASE: "p", PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    await automation.setAllConfig({
      "agent-platform:baseUrl": { value: emulator.url },
      "agent-platform:apiKey": { value: emulator.apiKey, secret: true },
    });
    const up = await automation.up();
    expect(up.outputs).toMatchObject({ deployed: { value: true }, template: { value: "code" } });
    await automation.up({ expectNoChanges: true });
    await automation.refresh({ expectNoChanges: true });
    await automation.destroy();
    expect(templatesOn(emulator)).toEqual([]);
  });
});
