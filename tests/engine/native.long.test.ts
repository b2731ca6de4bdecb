import { z } from "zod";
import { readPreview, runPreview } from "../../cli/review/preview";
import { reviewOf } from "../../cli/review/report";
import { deployments, revisions, sandboxTemplates } from "../../emulator";
import { nativeToken } from "../../provider/resources/resource-types";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

// What the native plugin alone can do.

const platform = onEmulator({ buildSeconds: 1 });
const nativeStack = (program: string) => platform.stackOf(program, {}, "native");

const template = (more = "") =>
  `new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } }${more});\n`;
const provider = (more = "") => `
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", ${more}
    authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
  });
`;
const agent = (image = "agent:1", more = "", options = "") => `
  const agent = new platform.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/${image}" },
    ${more}
  }${options});
`;
const SECRETS = `secrets: { TOKEN: "literal-deployment-secret", OTHER: "another-secret" },`;
const environment = template() + provider(`clientSecret: "literal-client-secret",`) + agent("agent:1", SECRETS);

describeWithEngine("what the engine does for a native plugin", () => {
  test("pulumi import: by id and by name, of each resource type; what it declares previews without changes", async () => {
    await platform.upOf(environment);
    const [deployment] = platform.kept(deployments);
    const stack = await nativeStack("");
    const take = (kind: string, name: string, id: string) =>
      stack.run([
        "import",
        `agent-platform:index:${kind}`,
        name,
        id,
        "--yes",
        "--generate-code=false",
        "--protect=false",
      ]);
    ok(await take("SandboxTemplate", "code", "code"));
    ok(await take("OAuthProvider", "github", "github"));
    expect(ok(await take("Deployment", "agent", deployment?.id ?? ""))).not.toMatch(/warning/);
    ok(await take("Deployment", "agent-by-name", "agent"));
    expect(platform.writes()).toEqual([]);
    const declared = stack.resources().filter(({ type }) => type.startsWith("agent-platform:index:"));
    expect(declared.filter(({ id }) => id === deployment?.id)).toHaveLength(2);
    stack.write(
      declared
        .map(({ urn, type, inputs }) => {
          const [kind, name] = [type.split(":").at(-1) ?? "", urn.split("::").at(-1) ?? ""];
          const more = kind === "Deployment" ? { awaitRollout: false } : {};
          return `new platform.${kind}(${JSON.stringify(name)}, ${JSON.stringify({ ...inputs, ...more })});`;
        })
        .join("\n"),
    );
    const preview = await stack.preview("--expect-no-changes");
    expect(ok(preview)).toMatch(/Deployment "agent" \(\S+\) belongs to two resources of this stack/);
    await stack.succeed(
      "state",
      "delete",
      declared.find(({ urn }) => urn.endsWith("agent-by-name"))?.urn ?? "",
      "--yes",
    );
  });

  test("a program without the classes that declares no Rollout is warned, at preview and at up, until it declares one", async () => {
    const warned = /warning: no Rollout of this run waits for Deployment "agent": /;
    const declared = (more = "") => `
      const agent = new pulumi.CustomResource("agent-platform:index:Deployment", "agent", {
        latestRevisionId: undefined,
        source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, ${more}
      });`;
    const rollout = `
      new pulumi.CustomResource("agent-platform:index:Rollout", "agent", {
        deploymentId: agent.id, revisionId: agent.latestRevisionId,
      });`;
    const stack = await nativeStack(declared());
    expect(ok(await stack.preview())).toMatch(warned);
    expect(ok(await stack.up())).toMatch(warned);
    expect(ok(await stack.refresh())).not.toMatch(warned);
    // More of what is warned of, and of what is not: provider/resources/rollout/unawaited.test.ts.
    stack.write(declared("displayName: 'Desk',") + rollout);
    expect(ok(await stack.up())).not.toMatch(warned);
    // As `pulumi import` writes the program: the Rollout of a revision that is not the next one.
    const latest = stack.resources().find(({ type }) => type.endsWith(":Deployment"))?.outputs["latestRevisionId"];
    const pinned = rollout.replace("agent.latestRevisionId", JSON.stringify(latest));
    stack.write(declared("displayName: 'Help',") + pinned);
    expect(ok(await stack.up())).not.toMatch(warned);
    stack.write(declared("displayName: 'Help',").replace("a:1", "a:2") + pinned);
    expect(ok(await stack.preview())).toMatch(warned);
    expect(ok(await stack.up())).toMatch(warned);
    const bare = rollout.replace(", revisionId: agent.latestRevisionId", "");
    const at = (image: string) => declared("displayName: 'Help',").replace("a:1", image) + bare;
    stack.write(at("a:3"));
    ok(await stack.up());
    stack.write(at("a:4"));
    expect(ok(await stack.preview())).toMatch(warned);
    expect(ok(await stack.up())).toMatch(warned);
    // A run that fails says why, and nothing else.
    stack.write(`${declared()} new platform.SandboxTemplate("Wrong_Name", { image: "a", resources: {} });`);
    expect(notOk(await stack.up())).not.toMatch(warned);
  });

  test("the option import takes an object over that equals its declaration, and refuses one that another resource has", async () => {
    await platform.upOf(template());
    const stack = await nativeStack(template(`, { import: "code" }`));
    ok(await stack.up());
    expect(platform.writes()).toEqual([]);
    stack.write(
      template() +
        template(`, { import: "code" }`).replace(`"code"`, `"again"`).replace("image:", `name: "code", image:`),
    );
    expect(notOk(await stack.up())).toMatch(/would belong to two resources of this program/);
  });

  const urnOf = (name: string) => `urn:pulumi:test::test::${nativeToken("SandboxTemplate")}::${name}`;
  const imported = (key: string) => template(`, { import: "${key}" }`);
  const onPlatform = () => platform.kept(sandboxTemplates);

  test("an import that is no target is carried out all the same: the row that is one is then not deleted", async () => {
    const stack = await nativeStack(template().replace(`"code"`, `"old"`).replace("image:", `name: "code", image:`));
    ok(await stack.up());
    stack.write(imported("code"));
    expect(notOk(await stack.up("--target", urnOf("old")))).toMatch(
      /is not deleted: this run has read it for another resource of the program as well/,
    );
    expect(onPlatform()).toHaveLength(1);
    // The error's own advice.
    ok(await stack.up());
    expect(onPlatform()).toHaveLength(1);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(onPlatform()).toEqual([]);
  });

  test("an import of another object than the row's deletes the row's, and creates nothing: as the review says", async () => {
    const stack = await nativeStack(template().replace(`"code"`, `"other"`) + template());
    ok(await stack.up());
    // Not by their order: the engine creates both at once.
    const [other, code] = ["other", "code"].map((name) => onPlatform().find((one) => one.name === name)?.id);
    ok(await stack.run(["state", "delete", urnOf("other"), "--yes"]));
    stack.write(template(`, { import: "${other}" }`).replace("image:", `name: "other", image:`));
    const saved = await runPreview("test", { folder: stack.folder, environment: stack.environment }, []);
    const { objects } = reviewOf(readPreview(saved), undefined);
    expect(
      objects.map(({ operation, id, risk, requests }) => [operation, id, risk, requests.map(({ method }) => method)]),
    ).toEqual([
      ["delete", code, "deletion", ["DELETE"]],
      ["import", other, "none", []],
    ]);
    platform.emulator.clearLog();
    ok(await stack.up());
    expect(platform.writes()).toEqual(["DELETE /v2/sandboxes/templates/code"]);
    expect(onPlatform()).toMatchObject([{ id: other }]);
  });

  test("an import by name is repeated by each up that has secrets to send: the review says what is sent, and a line of up how to end it", async () => {
    const stack = await nativeStack(agent("agent:1", SECRETS));
    ok(await stack.up());
    ok(
      await stack.run([
        "state",
        "delete",
        `urn:pulumi:test::test::${nativeToken("Deployment")}::agent`,
        "--target-dependents",
        "--yes",
      ]),
    );
    const [made] = platform.kept(deployments);
    const { id, name } = z.object({ id: z.string(), name: z.string() }).parse(made);
    stack.write(agent("agent:1", SECRETS, `, { import: "${name}" }`));
    ok(await stack.up());
    const saved = await runPreview("test", { folder: stack.folder, environment: stack.environment }, []);
    const { objects } = reviewOf(readPreview(saved), undefined);
    const requests = [{ method: "PATCH", certain: true, fields: ["secrets"] }];
    expect(objects).toMatchObject([{ name: "agent", operation: "import", id, requests }, { kind: "Rollout" }]);
    platform.emulator.clearLog();
    expect(ok(await stack.up())).toMatch(/was imported again: its option import gives a name[^]*Take the option out/);
    expect(platform.writes()).toEqual([`PATCH /v2/deployments/${id}`]);
    stack.write(agent("agent:1", SECRETS));
    ok(await stack.preview("--expect-no-changes"));
  });

  test("with --continue-on-error, an agent whose rollout fails does not keep the others from getting their parts", async () => {
    const declared = (name: string, image: string) =>
      `new platform.Agent("${name}", { source: "external_docker", sourceRevisionConfig: { imageUri: "${image}:1" }, ` +
      `assistants: { polite: { graphId: "agent" } } });\n`;
    const stack = await nativeStack(declared("bad", "emulator-fail-create") + declared("good", "agent"));
    notOk(await stack.up("--continue-on-error"));
    const made = (type: string) => stack.resources().flatMap(({ urn }) => urn.split(`:${type}::`)[1] ?? []);
    expect([made("Rollout"), made("Assistant")]).toEqual([["good"], ["good-polite"]]);
  });

  test("Ctrl-C ends a wait at once; the deployment is in state, and the next up resumes the wait", async () => {
    const stack = await nativeStack(agent("emulator-stuck"));
    let pid = 0;
    const up = stack.run(["up", "--yes", "--skip-preview"], { started: (started) => (pid = started) });
    await until(() => platform.emulator.requests.some(({ path }) => path.includes("/revisions/")));
    process.kill(pid, "SIGINT");
    const cancelled = performance.now();
    const ended = await up;
    // Ten times what it takes; the wait itself would last for half an hour.
    expect(performance.now() - cancelled).toBeLessThan(10_000);
    expect(ended.output).toMatch(/the run was cancelled/);
    const [deployment] = platform.kept(deployments);
    expect(stack.resources().find(({ type }) => type.endsWith("Deployment"))?.id).toBe(deployment?.id);
    for (const { id } of platform.kept(revisions)) {
      platform.emulator.outOfBand(revisions).change(id, { status_override: "DEPLOYED" });
    }
    platform.emulator.clearLog();
    ok(await stack.up());
    expect(platform.writes()).toEqual([]);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
