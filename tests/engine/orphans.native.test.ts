import { deployments, sandboxTemplates } from "../../emulator";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, emulatorsOfTests, onEmulator, stacksOfTests } from "./on-emulator";
import { ask, providersOn, templatesOn } from "../support/ask";

// The engine diffs resources that it is about to delete (docs/internals/engine.md, trap 29): a comparison does not prove that the program still declares one.

const stacks = stacksOfTests();
const platform = onEmulator({ buildSeconds: 0.2, deleteSeconds: 0.2 });
const emulate = emulatorsOfTests();

const templates = (): string[] => templatesOn(platform.emulator);
const agents = (): string[] => platform.kept(deployments).map(({ name }) => name);
const providers = (): string[] => providersOn(platform.emulator);
const urnOf = (stack: CliStack, name: string): string =>
  stack.resources().find(({ urn }) => urn.endsWith(`::${name}`))?.urn ?? "";

const template = (over: string): string =>
  `const a = new platform.SandboxTemplate("a", { name: "code", resources: { cpu: "1" }, ${over} });`;
const agentOf = (over: string): string =>
  `new platform.Deployment("b", { name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "r:1" }, environmentVariables: { T: a.id }, ${over} });`;

describeWithEngine("nothing is left behind", () => {
  test.each([
    ["a deployment that uses the template's id", agentOf(""), agents],
    [
      "an OAuth provider that uses the template's id",
      `new platform.OAuthProvider("b", { providerId: "p", name: a.id, clientId: "c", authUrl: "https://a.example", tokenUrl: "https://a.example" });`,
      providers,
    ],
  ])("by destroy --target with --target-dependents: %s", async (_what, dependent, objects) => {
    const stack = await platform.upOf(template('image: "i:1"') + dependent);
    expect(objects()).toHaveLength(1);
    ok(await stack.destroy("--target", urnOf(stack, "a"), "--target-dependents"));
    expect(templates()).toEqual([]);
    expect(objects()).toEqual([]);
    expect(stack.resources()).toEqual([]);
  });

  test("by an up that replaces a template while the dependent that uses it has an update and a replacing change", async () => {
    const stack = await platform.upOf(template('image: "i:1"') + agentOf('displayName: "One"'));
    stack.write(template('image: "i:2"') + agentOf('displayName: "Two", sourceConfig: { templateId: "t" }'));
    ok(await stack.up());
    expect([templates(), agents()]).toEqual([["code"], ["agent"]]);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.up());
  });

  test("by destroy --refresh of a template that was deleted and made again by hand", async () => {
    const stack = await platform.upOf(template('image: "i:1"'));
    platform.emulator.outOfBand(sandboxTemplates).remove("code");
    const again = { name: "code", image: "i:1", resources: { cpu: "1", memory: "512Mi" } };
    await ask(platform.emulator, "POST", "/v2/sandboxes/templates", again);
    ok(await stack.destroy("--refresh"));
    expect(templates()).toEqual([]);
  });
});

describeWithEngine("never green while the declared revision does not serve", () => {
  const program = (image: string, over = "") =>
    `new platform.Deployment("b", { name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "${image}" }, ${over} });`;

  test("up after a destroy that was cut off: says that the deployment is being deleted, and --refresh makes it again", async () => {
    const slow = await emulate({ buildSeconds: 0.2, deleteSeconds: 6 });
    const stack = await stacks.make(program("r:1"));
    await stack.configure(...connectionTo(slow));
    ok(await stack.up());
    const id = slow.outOfBand(deployments).get("agent").id;
    await ask(slow, "DELETE", `/v2/deployments/${id}`);
    ok(await stack.up("--refresh"));
    expect(slow.outOfBand(deployments).get("agent").id).not.toBe(id);
    ok(await stack.preview("--refresh", "--expect-no-changes"));
  });
});
