import { z } from "zod";
import { deployments, oauthProviders, sandboxTemplates } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { CHANGES, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "../engine/on-emulator";

const platform = onEmulator({ buildSeconds: 0.2, secrets: "values" });
const template = () => platform.emulator.outOfBand(sandboxTemplates);
const provider = () => platform.emulator.outOfBand(oauthProviders);
const deployment = () => platform.emulator.outOfBand(deployments);
const paths = () => platform.emulator.requests.map(({ method, path }) => `${method} ${path}`);

const ENVIRONMENT = `
  for (const name of ["code", "gone"])
    new platform.SandboxTemplate(name, { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
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
const Report = z.object({
  clean: z.number(),
  drifted: z.array(
    z.object({ name: z.string(), operation: z.string(), fields: z.array(z.object({ path: z.string() })) }),
  ),
});

describeWithEngine("drift", () => {
  test("is reported field by field, and only what is declared and readable; up restores exactly that", async () => {
    const stack = await platform.upOf(ENVIRONMENT);
    const report = (...args: string[]) => cliCommand(stack, "drift", ...args);
    // These are not declared, cannot be read, or mean the same.
    provider().change("github", { client_secret: "rotated-by-hand" });
    deployment().change("agent", { display_name: "set by hand", resource_spec: { cpu: 1, max_scale: 9 } });
    template().change("code", { resources: { cpu: "1000m", memory: "1024Mi" } });
    const state = stack.stateText();
    const none = await report();
    expect([none.code, none.stdout]).toEqual([0, "No drift: all 4 objects of stack test are as declared.\n"]);
    expect(stack.stateText()).toBe(state);

    provider().change("github", { auth_url: "https://evil.example/auth" });
    template().remove("gone");
    deployment().change("agent", {
      resource_spec: { cpu: 4, max_scale: 9 },
      secrets: [
        { name: "LEVEL", value: "debug" },
        { name: "TOKEN", value: "changed-deployment-secret" },
      ],
    });
    const drift = await stack.drift();
    expect(drift.code).toBe(CHANGES);
    for (const line of [
      /~ authUrl\s*: "https:\/\/a.example\/auth" => "https:\/\/evil.example\/auth"/,
      /~ cpu: 1 => 4/,
      /~ LEVEL: "info" => "debug"/,
      /Deployment "agent" \(.*\): secrets\.TOKEN differs on the platform from what is declared/,
    ])
      expect(drift.output).toMatch(line);
    expect(drift.output).not.toMatch(/max_?scale|display_?name|~ clientSecret|~ memory/i);

    const json = await report("--format", "json");
    expect(json.code).toBe(CHANGES);
    const { clean, drifted } = Report.parse(JSON.parse(json.stdout));
    expect(clean).toBe(1);
    // The engine masks both sides of a secret alike; the provider names it.
    expect(json.stderr).toMatch(/secrets\.TOKEN differs on the platform/);
    expect(
      Object.fromEntries(drifted.map(({ name, fields }) => [name, fields.map(({ path }) => path).sort()])),
    ).toEqual({
      agent: ["environmentVariables.LEVEL", "sourceConfig.resourceSpec.cpu"],
      github: ["authUrl"],
      gone: [],
    });
    const table = await report();
    expect(table.stdout).toMatch(/^Stack test: 3 of 4 objects drifted\. /m);
    expect(table.stdout).toMatch(/^ {2}authUrl +"https:\/\/a\.example\/auth" +-> "https:\/\/evil\.example\/auth"$/m);
    for (const secret of ["declared-deployment-secret", "changed-deployment-secret", "rotated-by-hand"])
      expect(drift.output + json.output + table.output).not.toContain(secret);

    ok(await stack.refresh());
    expect(stack.resources().map(({ urn }) => urn.split("::").at(-1))).not.toContain("gone");
    platform.emulator.clearLog();
    ok(await stack.up());
    expect(provider().get("github")).toMatchObject({ auth_url: "https://a.example/auth", name: "GitHub" });
    // Undeclared fields stay as they were set by hand.
    expect(deployment().get("agent")).toMatchObject({
      display_name: "set by hand",
      resource_spec: { cpu: 1, max_scale: 9 },
    });
    expect(
      paths()
        .filter((path) => !path.startsWith("GET"))
        .map((path) => path.replace(/[\w-]{36}/, "<id>"))
        .sort(),
    ).toEqual(["PATCH /v2/auth/providers/github", "PATCH /v2/deployments/<id>", "POST /v2/sandboxes/templates"]);
    ok(await stack.drift());

    // A platform that does not answer says nothing about drift.
    platform.emulator.faults.add({ kind: "status", status: 501, method: "GET", path: "/v2/sandboxes/**" });
    const unsure = await report();
    expect([unsure.code, unsure.stdout]).toEqual([
      1,
      expect.stringMatching(/^Stack test: 2 of 4 objects could not be/),
    ]);
    platform.emulator.faults.clear();
  });
});
