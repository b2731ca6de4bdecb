import { revisions } from "../../emulator";
import { emulatorsOfTests, stacksOfTests } from "../engine/on-emulator";
import { templatesOn } from "../support/ask";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

const stacks = stacksOfTests();
const emulate = emulatorsOfTests({ buildSeconds: 0.5 });

const template = (name: string, options = ""): string =>
  `new platform.SandboxTemplate("${name}", { image: "a", resources: { cpu: "1" } }${options});`;

describeWithEngine("several connections", () => {
  test("two regions in one program: each Platform has its own address and key; what it leaves out comes from the stack", async () => {
    const us = await emulate({ apiKey: "us-key-canary" });
    const eu = await emulate({ apiKey: "eu-key-canary" });
    const program = (rest = ""): string => `
      const config = new pulumi.Config();
      const eu = new platform.Platform("eu", { region: "eu", apiKey: config.requireSecret("euKey") });
      ${template("here")}
      ${template("there", ", { provider: eu }")}
      const agent = new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } }, { provider: eu });
      exports.deployed = agent.deployed;
      ${rest}
    `;
    const stack = await stacks.make(program());
    await stack.configure(
      { "agent-platform:region": "us", "agent-platform:baseUrlUs": us.url, "agent-platform:baseUrlEu": eu.url },
      { "agent-platform:apiKey": us.apiKey, "test:euKey": eu.apiKey },
    );
    ok(await stack.up());
    expect([templatesOn(us), templatesOn(eu)]).toEqual([["here"], ["there"]]);
    // The rollout is a child, so it went through the same Platform.
    expect(eu.outOfBand(revisions).list()).toHaveLength(1);
    expect((await stack.outputs())["deployed"]).toBe(true);
    ok(await stack.nothingToDo());
    expect(stack.stateText()).not.toMatch(/(us|eu)-key-canary/);

    // A Platform that is moved to another address: refused at preview, nothing dropped.
    await stack.configure({ "agent-platform:baseUrlEu": us.url }, { "test:euKey": us.apiKey });
    expect(notOk(await stack.up())).toMatch(/was created at another address or tenant/);
    expect([templatesOn(us), templatesOn(eu)]).toEqual([["here"], ["there"]]);

    await stack.configure({ "agent-platform:baseUrlEu": eu.url }, { "test:euKey": eu.apiKey });
    // The state keeps the Platform as the refused run left it; `up` puts it back, destroy then uses it.
    ok(await stack.up());
    ok(await stack.destroy());
    expect([templatesOn(us), templatesOn(eu)]).toEqual([[], []]);
  });
});
