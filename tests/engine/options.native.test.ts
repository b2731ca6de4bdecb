import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { deployments, listeners, oauthProviders, sandboxTemplates } from "../../emulator";
import { notOk, ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2 });

describeWithEngine("the option protect of a deployment", () => {
  test("keeps the agent, and leaves awaitRollout free: the wait is no object that could be lost", async () => {
    const program = (awaitRollout: boolean): string => `
      new platform.Deployment(
        "agent",
        { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, awaitRollout: ${awaitRollout} },
        { protect: true },
      );
    `;
    const stack = await platform.upOf(program(true));
    stack.write(program(false));
    ok(await stack.up());
    expect(stack.resources().map(({ urn }) => urn.split("::")[2])).toEqual([expect.stringMatching(/:Deployment$/)]);
    stack.write("");
    expect(notOk(await stack.up())).toMatch(/protect/);
    expect(platform.kept(deployments)).toHaveLength(1);
  });
});

describeWithEngine("options that the engine does not pass to dynamic resources", () => {
  test("import is refused at preview in one sentence that names the resource and the way out, before any request", async () => {
    const stack = await platform.stackOf("", {}, "dynamic");
    const rows: readonly (readonly [args: string, message: string])[] = [
      [
        'SandboxTemplate("it", { image: "a", resources: { cpu: "1" } }',
        'SandboxTemplate "it": the option import does not work with dynamic resources: to take over an existing object, set adopt',
      ],
      [
        'Rollout("it", { deploymentId: "d", revisionId: "r" }',
        'Rollout "it": the option import does not work with dynamic resources: a Rollout has no object on the platform',
      ],
    ];
    for (const [args, message] of rows) {
      stack.write(`new platform.${args}, { import: "some-id" });`);
      const output = notOk(await stack.preview());
      expect(output).toContain(message);
      expect(output).not.toMatch(/toJavaScript|TypeError|\bat \S+ \(/);
    }
    expect(platform.emulator.requests).toEqual([]);
  });

  test("replaceOnChanges and customTimeouts are warned of, since the engine updates in place and waits as long as before", async () => {
    const program = (image: string, options: string): string => `
      new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "${image}" } }, ${options});
      new platform.SandboxTemplate("code", { image: "a", resources: { cpu: "1" } }, ${options});
    `;
    const stack = await platform.stackOf(program("a:1", "{}"), {}, "dynamic");
    expect(ok(await stack.up())).not.toContain("warning");
    const before = platform.emulator.outOfBand(deployments).get("agent").id;

    const ignored = '{ replaceOnChanges: ["*"], customTimeouts: { create: "1m", delete: "1s" } }';
    stack.write(program("a:2", ignored));
    const output = ok(await stack.up());
    // The engine itself does not replace it.
    expect(platform.emulator.outOfBand(deployments).get("agent").id).toBe(before);
    expect(output).toMatch(/Deployment "agent": the option replaceOnChanges has no effect on dynamic resources/);
    expect(output).toMatch(/Deployment "agent": customTimeouts\.delete has no effect on dynamic resources/);
    expect(output).toMatch(/SandboxTemplate "code": customTimeouts\.create and customTimeouts\.delete have no effect/);
    // The class makes the rollout, which did not get these options.
    expect(output).not.toMatch(/Rollout "agent": /);
    ok(await stack.preview("--expect-no-changes"));
  });
});

describeWithEngine("what a transformation sets", () => {
  const program = `
    new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, secrets: { A: "b" } });
    new platform.OAuthProvider("github", { providerId: "github", name: "GitHub", clientId: "c", clientSecret: "d",
      authUrl: "https://a.example", tokenUrl: "https://a.example" });
  `;
  const set = `
    const of = (type, props) =>
      type.endsWith("Deployment") ? { ...props, secrets: { TOKEN: "canary-token" } }
        : type.endsWith("OAuthProvider") ? { ...props, clientSecret: "canary-client" }
        : type.endsWith("Rollout") ? { ...props, rolloutTimeout: "1h" } : props;
  `;
  const transformation = `
    pulumi.runtime.registerStackTransformation(({ type, props, opts }) => ({
      props: of(type, props),
      opts: pulumi.mergeOptions(opts, { customTimeouts: { create: "1h" } }),
    }));
  `;
  const transform = `
    pulumi.runtime.registerResourceTransform(({ type, props, opts }) => ({ props: of(type, props), opts }));
  `;
  test.each([
    ["registerStackTransformation", transformation],
    ["registerResourceTransform", transform],
  ])("by %s is encrypted in state, wherever it is secret", async (_by, registered) => {
    const stack = await platform.stackOf(set + registered + program);
    const output = ok(await stack.up());
    expect(platform.emulator.outOfBand(oauthProviders).get("github").client_secret).toBe("canary-client");
    expect(stack.stateText()).not.toContain("canary");
    expect(stack.stateText()).toContain('"rolloutTimeout":"1h"');
    expect(output).not.toContain("canary");
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    expect(stack.stateText()).not.toContain("canary");
  });

  test("as customTimeouts is warned of on dynamic resources; what lies as plain text in a state of an earlier version is encrypted by the next up", async () => {
    const stack = await platform.stackOf(set + transformation + program, {}, "dynamic");
    const output = ok(await stack.up());
    expect(output).toMatch(/OAuthProvider "github": customTimeouts\.create has no effect on dynamic resources/);
    expect(output).toMatch(/Rollout "agent": customTimeouts\.create has no effect on dynamic resources/);
    const sealed = /("inputs":\{[^{}]*"clientSecret":)\{[^{}]*\}/;
    expect(stack.stateText()).toMatch(sealed);
    stack.putState(stack.stateText().replace(sealed, '$1"canary-client"'));
    ok(await stack.up());
    expect(stack.stateText()).not.toContain("canary");
    expect(stack.stateText()).toMatch(sealed);
  });
});

describeWithEngine("--exclude of a deployment that is not made yet", () => {
  test("says what to add for its Rollout, which then works", async () => {
    const stack = await platform.stackOf(
      'new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });',
    );
    const excluded = ["--exclude", "**Deployment::agent"];
    expect(notOk(await stack.up(...excluded))).toMatch(
      /'agent' has a problem: .*deploymentId.* is required .* add `--exclude-dependents`/,
    );
    ok(await stack.up(...excluded, "--exclude-dependents"));
    expect(platform.emulator.requests).toEqual([]);
    ok(await stack.up());
  });
});

describeWithEngine("a saved plan of a stack that has no provider yet", () => {
  test("fails for the key that each command draws, and holds once the provider is there, as the page says", async () => {
    const program = 'new platform.SandboxTemplate("code", { image: "a:1" });';
    const planned = async (stack: CliStack) => {
      ok(await stack.preview("--save-plan", "plan.json"));
      return stack.up("--plan", "plan.json");
    };
    const refused = await planned(await platform.stackOf(program, {}, "native"));
    expect(refused.output).toMatch(/violates plan: properties changed: \+\+stackKey/);
    const stack = await platform.stackOf(program, {}, "native");
    ok(await stack.up("--target", "**pulumi:providers:agent-platform::default"));
    expect(platform.emulator.requests).toEqual([]);
    ok(await planned(stack));
  });
});

describeWithEngine("options of the engine that the pages name", () => {
  test("replacementTrigger: a check asks again when the value changes, and not before", async () => {
    const checking = (version: number): string => `
      const agent = new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
      new platform.RunCheck("answers", { deployment: agent, assistantId: "agent", input: { topic: "cats" } }, { replacementTrigger: ${version} });
    `;
    const runOf = (stack: CliStack) =>
      stack.resources().find(({ type }) => type.endsWith(":RunCheck"))?.outputs["runId"];
    const stack = await platform.stackOf(checking(1), {}, "native");
    ok(await stack.up());
    const before = runOf(stack);
    ok(await stack.preview("--expect-no-changes"));
    stack.write(checking(2));
    ok(await stack.up());
    expect([typeof before, runOf(stack) === before]).toEqual(["string", false]);
  });

  test("retainOnDelete: a replacement under one name fails, and works as its error says", async () => {
    const declared = (name: string, image: string): string =>
      `new platform.SandboxTemplate("it", { name: "${name}", image: "${image}", resources: {} }, { retainOnDelete: true });`;
    const names = (): string[] => platform.kept(sandboxTemplates).map(({ name, image }) => `${name} ${image}`);
    const stack = await platform.upOf(declared("one", "a"));
    stack.write(declared("one", "b"));
    for (let times = 0; times < 2; times++)
      expect(notOk(await stack.up())).toMatch(
        /`retainOnDelete: true` .* keeps it\. Declare another name for the new one/,
      );
    stack.write(declared("two", "b"));
    ok(await stack.up());
    expect(names()).toEqual(["one a", "two b"]);
    stack.write(declared("two", "c"));
    notOk(await stack.up());
    platform.emulator.outOfBand(sandboxTemplates).remove("two");
    ok(await stack.up());
    expect(names()).toEqual(["one a", "two c"]);
    ok(await stack.preview("--expect-no-changes"));
  });

  // YAML and Python have none of our classes, which set deleteBeforeReplace.
  test("replaceOnChanges, --target-replace and a taint replace what YAML declares; the last two need an option, which the error names", async () => {
    const declared = (namespace: string, options: string): string =>
      `new pulumi.CustomResource("agent-platform:index:Listener", "it", { computeId: "it", computeConfig: { k8sNamespaces: ["${namespace}"] } }, ${options});`;
    const urn = "urn:pulumi:test::test::agent-platform:index:Listener::it";
    const target = ["--target-replace", urn];
    const id = (): string => platform.emulator.outOfBand(listeners).get("it").id;
    const stack = await platform.stackOf(declared("a", '{ replaceOnChanges: ["computeConfig"] }'), {}, "native");
    ok(await stack.up());
    const first = id();
    stack.write(declared("b", '{ replaceOnChanges: ["computeConfig"] }'));
    ok(await stack.up());
    const second = id();
    expect(second).not.toBe(first);
    expect(notOk(await stack.up(...target))).toMatch(/already exists .* set the option `deleteBeforeReplace: true` on/);
    stack.write(declared("b", "{ deleteBeforeReplace: true }"));
    ok(await stack.up());
    expect(id()).toBe(second);
    ok(await stack.up(...target));
    const third = id();
    expect(third).not.toBe(second);
    await stack.succeed("state", "taint", urn, "--yes");
    ok(await stack.up());
    expect(id()).not.toBe(third);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("envVarMappings: each Platform takes its key from a variable of its own", async () => {
    const { url, apiKey } = platform.emulator;
    const stack = await platform.stackOf("", {}, "native");
    await stack.succeed("config", "rm-all", "agent-platform:apiKey", "agent-platform:baseUrl");
    stack.host = undefined;
    stack.write(`
      for (const team of ["sales", "support"]) {
        const provider = new platform.Platform(team, {}, { envVarMappings: { [team.toUpperCase() + "_KEY"]: "AGENT_PLATFORM_API_KEY" } });
        new platform.SandboxTemplate(team, { image: "a", resources: { cpu: "1" } }, { provider });
      }
    `);
    const environment = { AGENT_PLATFORM_BASE_URL: url, SALES_KEY: apiKey, SUPPORT_KEY: "of-nobody" };
    const up = await stack.run(["up", "--yes", "--skip-preview"], { environment });
    expect(notOk(up)).toMatch(/SandboxTemplate "support": create failed: .* answered 401/);
    expect(platform.kept(sandboxTemplates).map(({ name }) => name)).toEqual(["sales"]);
  });
});

describeWithEngine("--target of what another resource has used until now", () => {
  test("fails as a duplicate, with nothing sent, unless the other one is a target too (docs/internals/engine.md, trap 61)", async () => {
    const declared = (name: string, needs?: string): string =>
      `const ${name} = new platform.SandboxTemplate("${name}", { image: "a", resources: { cpu: "1" } }, { dependsOn: ${needs ?? "[]"} });`;
    const stack = await platform.upOf(`${declared("used")} ${declared("user", "used")}`);
    stack.write(`${declared("user")} ${declared("used", "user")}`.replace('image: "a"', 'image: "b"'));
    const sent = platform.emulator.requests.length;
    expect(notOk(await stack.up("--target", "**::used"))).toMatch(/Duplicate resource URN '.*::used'/);
    expect(platform.emulator.requests.slice(sent).filter(({ method }) => method !== "GET")).toEqual([]);
    ok(await stack.up("--target", "**::used", "--target", "**::user"));
  });
});

const Exported = z.looseObject({
  deployment: z.looseObject({ resources: z.array(z.looseObject({ urn: z.string() })) }),
});

describeWithEngine("destroy --run-program of a stack with a protected resource that has left the program", () => {
  test("leaves a state that no command reads, unless that resource's row is taken out (docs/internals/engine.md, trap 62)", async () => {
    const declared = (name: string): string =>
      `new platform.SandboxTemplate("${name}", { image: "a", resources: { cpu: "1" } }, { protect: ${name === "kept"} });`;
    const stack = await platform.upOf(`${declared("kept")} ${declared("other")}`);
    stack.write(declared("other"));
    notOk(await stack.destroy("--run-program"));
    expect(notOk(await stack.preview())).toContain("snapshot integrity error");
    await stack.succeed("stack", "export", "--file", "state.json");
    const file = join(stack.folder, "state.json");
    const exported = Exported.parse(JSON.parse(readFileSync(file, "utf8")));
    exported.deployment.resources = exported.deployment.resources.filter(({ urn }) => !urn.endsWith("::kept"));
    writeFileSync(file, JSON.stringify(exported));
    await stack.succeed("stack", "import", "--file", "state.json");
    expect(ok(await stack.preview())).toMatch(/\+ \S*agent-platform:(index:)?SandboxTemplate: \(create\)/);
    expect(platform.kept(sandboxTemplates).map(({ name }) => name)).toEqual(["kept"]);
  });
});
