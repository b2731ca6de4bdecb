import { delimiter, join } from "node:path";
import type { InlineProgramArgs } from "@pulumi/pulumi/automation";
import { LocalWorkspace, PulumiCommand } from "@pulumi/pulumi/automation";
import { deployments, oauthProviders } from "../../emulator";
import { Deployment, SandboxTemplate } from "../../sdk";
import { ensureEngine } from "../../tools/engine";
import { templatesOn } from "../support/ask";
import { WORKPLACES, notOk, ok } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, emulatorsOfTests, stacksOfTests } from "./on-emulator";

const stacks = stacksOfTests();
const emulate = emulatorsOfTests({ buildSeconds: 0.5 });

describeWithEngine("connections", () => {
  test("contract documented: create, no-op, refresh, a refused replacement, and a destroy that leaves what it cannot delete, with a warning", async () => {
    const emulator = await emulate({ contract: "documented" });
    const program = (image: string): string => `
      new platform.SandboxTemplate("code", { image: "${image}", resources: { cpu: "1" } });
      new platform.OAuthProvider("p", { providerId: "p", name: "P", clientId: "c", clientSecret: "s-1234", authUrl: "https://a.example", tokenUrl: "https://a.example" });
      new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
    `;
    const stack = await stacks.make(program("a"));
    await stack.configure(
      { "agent-platform:baseUrl": emulator.url, "agent-platform:contract": "documented" },
      { "agent-platform:apiKey": emulator.apiKey },
    );
    ok(await stack.up());
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.preview("--expect-no-changes"));

    stack.write(program("b"));
    expect(notOk(await stack.preview())).toMatch(
      /image: cannot change: it needs a replacement, and under contract "documented" a SandboxTemplate cannot be deleted/,
    );

    const output = ok(await stack.destroy());
    for (const left of [
      /SandboxTemplate "code" .*stays on the platform/,
      /OAuthProvider "p" .*stays on the platform/,
      /Deployment "agent" .*stays on the platform/,
    ]) {
      expect(output).toMatch(left);
    }
    expect(templatesOn(emulator)).toEqual(["code"]);
  });

  test("X.get reads an object that another program made, and does not manage it", async () => {
    const emulator = await emulate();
    const maker = await stacks.make(`
      new platform.SandboxTemplate("code", { image: "a", resources: { cpu: "1" } });
      new platform.OAuthProvider("p", { providerId: "p", name: "P", clientId: "c", clientSecret: "canary-secret", authUrl: "https://a.example", tokenUrl: "https://a.example" });
      new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, secrets: { TOKEN: "canary-secret" } });
    `);
    await maker.configure(...connectionTo(emulator));
    ok(await maker.up());
    const stack = await stacks.make(`
      const id = "${emulator.outOfBand(deployments).get("agent").id}";
      exports.image = platform.SandboxTemplate.get("code", "code").image;
      exports.clientId = platform.OAuthProvider.get("p", "p").clientId;
      const agent = platform.Deployment.get("agent", id);
      exports.source = agent.source;
      exports.waited = agent.deployed;
    `);
    await stack.configure(...connectionTo(emulator));
    ok(await stack.up());
    expect(await stack.outputs()).toEqual({ image: "a", clientId: "c", source: "external_docker", waited: false });
    expect(stack.stateText()).not.toContain("canary-secret");
    ok(await stack.up("--expect-no-changes"));
    ok(await stack.destroy());
    expect(templatesOn(emulator)).toEqual(["code"]);
    expect(emulator.outOfBand(oauthProviders).list()).toHaveLength(1);
    ok(await maker.destroy());
  });

  test("a deployment that is replaced takes its rollout along; without awaitRollout there is no rollout, and nothing waits", async () => {
    const emulator = await emulate();
    const program = (given: string): string =>
      `const agent = new platform.Deployment("agent", { ${given}, sourceRevisionConfig: { imageUri: "a:1" } }); exports.deployed = agent.deployed;`;
    const internal = 'source: "internal_docker", sourceConfig: { deploymentType: "dev" }';
    const stack = await stacks.make(program('source: "external_docker"'));
    await stack.configure(...connectionTo(emulator));
    ok(await stack.up());
    const first = emulator.outOfBand(deployments).get("agent").id;
    stack.write(program(internal));
    ok(await stack.up());
    const second = emulator.outOfBand(deployments).get("agent");
    expect(second).toMatchObject({ source: "internal_docker" });
    expect(second.id).not.toBe(first);
    expect(stack.resources().map(({ id }) => id?.split("/")[0])).toEqual([second.id, second.id]);
    ok(await stack.preview("--expect-no-changes"));

    stack.write(program(`${internal}, awaitRollout: false`));
    ok(await stack.up());
    expect(stack.resources()).toHaveLength(1);
    expect((await stack.outputs())["deployed"]).toBe(false);
    ok(await stack.destroy());
  });

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
