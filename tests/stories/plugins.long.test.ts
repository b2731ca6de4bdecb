import { deployments, oauthProviders, sandboxTemplates } from "../../emulator";
import { onEmulator } from "../engine/on-emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

const platform = onEmulator({ buildSeconds: 0.2 });

const ENVIRONMENT = `
  new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "literal-client-secret",
    authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
  });
  new platform.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
    secrets: { TOKEN: "literal-deployment-secret", OTHER: "another-secret" },
  });
`;

describeWithEngine("a stack that changes its plugin", () => {
  test("moves there and back and there again: no object is touched, nor after a refresh", async () => {
    const stack = await platform.stackOf(ENVIRONMENT, {}, "dynamic");
    ok(await stack.up());
    platform.emulator.clearLog();
    for (const front of ["native", "dynamic", "native"] as const) {
      stack.choose(front);
      ok(await stack.up());
      ok(await stack.preview("--expect-no-changes"));
      ok(await stack.refresh("--expect-no-changes"));
      ok(await stack.preview("--expect-no-changes"));
      const types = stack.resources();
      const pattern = front === "native" ? /^agent-platform:index:/ : /^pulumi-nodejs:dynamic\/agent-platform:/;
      expect(types).toHaveLength(4);
      for (const { type } of types) expect(type).toMatch(pattern);
    }
    expect(platform.writes()).toEqual([]);
    expect(stack.stateText()).not.toMatch(/literal-|another-secret/);
    ok(await stack.destroy());
    expect(platform.kept(deployments)).toEqual([]);
    expect(platform.kept(oauthProviders)).toEqual([]);
    expect(platform.kept(sandboxTemplates)).toEqual([]);
  });
});
