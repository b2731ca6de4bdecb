import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deployments, revisions } from "../../emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const PAGE = readFileSync(join(__dirname, "..", "..", "docs", "teams.md"), "utf8");

/** The program of the page that takes everything into state, without the import that a test program has already. */
function recovery(): string {
  const found = /```ts\nimport \* as pulumi from "@pulumi\/pulumi";\n([^`]*registerStackTransformation[^`]*)```/.exec(
    PAGE,
  );
  if (found?.[1] === undefined) throw new Error("docs/teams.md shows no recovery");
  return found[1];
}

const PROGRAM = `
  const config = new pulumi.Config();
  const notebook = new platform.SandboxTemplate("notebook", { image: "python:3.12", resources: { cpu: "1" } });
  new platform.SandboxVolume("papers", { sizeBytes: 1073741824 });
  const desk = new platform.PlatformAgent("desk", { name: "Desk", sourceType: "FLEET", productionOnly: true });
  new platform.WorkspaceSecret("model", { key: "MODEL_KEY", value: config.requireSecret("model") /* by hand */ });
  new platform.OAuthProvider("github", { providerId: "github", name: "GitHub", clientId: "c",
    clientSecret: config.requireSecret("client"), authUrl: "https://a.example", tokenUrl: "https://a.example" });
  new platform.Deployment("agent", { agent: { agentId: desk.agentId, environment: "production" }, source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" },
    environmentVariables: { SANDBOX_TEMPLATE: notebook.name }, secrets: { TOKEN: config.requireSecret("token") } });`;

describeWithEngine("a stack whose state is lost, as docs/teams.md brings it back", () => {
  const on = onEmulator({ buildSeconds: 0.2 });

  test("the page's program takes every object into state and writes only the value of a workspace secret; what is left to send are the others", async () => {
    const stack = await on.stackOf(PROGRAM, {
      client: "client-canary",
      token: "token-canary",
      model: "model-canary",
    });
    await stack.succeed("stack", "change-secrets-provider", "passphrase");
    ok(await stack.up());
    rmSync(join(stack.folder, "backend", ".pulumi"), { recursive: true });
    await stack.succeed("stack", "init", "test");
    on.emulator.clearLog();

    stack.write(recovery() + PROGRAM.replace("/* by hand */", ", adopt: true"));
    ok(await stack.up());
    expect(on.writes()).toEqual(["PUT /v1/workspaces/current/secrets/MODEL_KEY"]);
    on.emulator.clearLog();
    expect(
      stack
        .resources()
        .map(({ type }) => type.split(":").at(-1))
        .sort(),
    ).toEqual([
      "Deployment",
      "OAuthProvider",
      "PlatformAgent",
      "Rollout",
      "SandboxTemplate",
      "SandboxVolume",
      "WorkspaceSecret",
    ]);
    ok(await stack.drift());

    stack.write(PROGRAM);
    const left = ok(await stack.up());
    expect(left).toMatch(/~ 3 updated/);
    expect(on.writes().map((request) => request.replace(/[0-9a-f-]{36}/, "<id>"))).toEqual(
      expect.arrayContaining(["PATCH /v2/auth/providers/github", "PATCH /v2/deployments/<id>"]),
    );
    expect(on.writes()).toHaveLength(2);
    ok(await stack.preview("--expect-no-changes"));
    expect(on.kept(deployments)).toHaveLength(1);
    expect(on.kept(revisions)).toHaveLength(2);
  });
});
