import { deployments, oauthProviders, sandboxTemplates } from "../../emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2, secrets: "values" });
const template = () => platform.emulator.outOfBand(sandboxTemplates);
const provider = () => platform.emulator.outOfBand(oauthProviders);
const deployment = () => platform.emulator.outOfBand(deployments);
const paths = () => platform.emulator.requests.map(({ method, path }) => `${method} ${path}`);

const ENVIRONMENT = `
  new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "declared-client-secret",
    authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
  });
  new platform.Deployment("agent", {
    source: "external_docker",
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
    environmentVariables: { LEVEL: "info" },
    secrets: { TOKEN: "declared-deployment-secret" },
  });
`;

describeWithEngine("drift", () => {
  test("is seen field by field, and only what is declared and readable; up restores exactly that", async () => {
    const stack = await platform.upOf(ENVIRONMENT);
    // These are not declared, cannot be read, or mean the same.
    provider().change("github", { client_secret: "rotated-by-hand" });
    deployment().change("agent", { display_name: "set by hand", resource_spec: { cpu: 1, max_scale: 9 } });
    template().change("code", { resources: { cpu: "1000m", memory: "1024Mi" } });
    ok(await stack.drift());
    const preview = await stack.preview("--refresh", "--expect-no-changes");
    expect(preview.code).toBe(0);

    provider().change("github", { auth_url: "https://evil.example/auth" });
    deployment().change("agent", {
      resource_spec: { cpu: 4, max_scale: 9 },
      secrets: [
        { name: "LEVEL", value: "debug" },
        { name: "TOKEN", value: "changed-deployment-secret" },
      ],
    });
    const drift = await stack.drift();
    expect(drift.code).toBe(7);
    expect((await stack.preview("--refresh", "--expect-no-changes")).code).toBe(7);
    for (const line of [
      /~ authUrl\s*: "https:\/\/a.example\/auth" => "https:\/\/evil.example\/auth"/,
      /~ cpu: 1 => 4/,
      /~ LEVEL: "info" => "debug"/,
      /Deployment "agent" \(.*\): secrets\.TOKEN differs on the platform from what is declared/,
    ])
      expect(drift.output).toMatch(line);
    expect(drift.output).not.toMatch(/max_?scale|display_?name|~ clientSecret|~ memory/i);
    for (const secret of ["declared-deployment-secret", "changed-deployment-secret", "rotated-by-hand"])
      expect(drift.output).not.toContain(secret);

    ok(await stack.refresh());
    platform.emulator.clearLog();
    ok(await stack.up());
    expect(provider().get("github")).toMatchObject({ auth_url: "https://a.example/auth", name: "GitHub" });
    // Undeclared fields stay as they were set by hand.
    expect(deployment().get("agent")).toMatchObject({
      display_name: "set by hand",
      resource_spec: { cpu: 1, max_scale: 9 },
    });
    expect(paths().filter((path) => path.startsWith("PATCH"))).toHaveLength(2);
    ok(await stack.drift());
  });

  test("an object deleted by hand is dropped, and made again by the next up", async () => {
    const stack = await platform.upOf(ENVIRONMENT);
    template().remove("code");
    provider().remove("github");
    deployment().remove("agent");
    expect((await stack.drift()).code).toBe(7);
    ok(await stack.refresh());
    expect(stack.resources()).toEqual([]);
    ok(await stack.up());
    expect([template().list(), provider().list(), deployment().list()].map(({ length }) => length)).toEqual([1, 1, 1]);
    ok(await stack.drift());
  });

  test("a refresh of 500 templates is one request", async () => {
    const stack = await platform.upOf(
      `for (let n = 0; n < 500; n++) new platform.SandboxTemplate("n" + n, { image: "a", resources: { cpu: "1" } });`,
    );
    const began = performance.now();
    ok(await stack.refresh("--expect-no-changes"));
    console.log(`a refresh of 500 templates took ${((performance.now() - began) / 1000).toFixed(1)} s`);
    expect(paths()).toEqual(["GET /v2/sandboxes/templates"]);
    platform.emulator.clearLog();
    ok(await stack.drift());
    expect(paths()).toEqual(["GET /v2/sandboxes/templates"]);
  });
});
