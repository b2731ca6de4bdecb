import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { CliStack, FRONT, notOk, type Front } from "../support/cli-stack";
import { ProgramHost } from "../support/kept-host";
import { describeWithEngine } from "../support/with-engine";
import { copyExample } from "./example";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");
const POLICY = join(EXAMPLE, "policy");

describeWithEngine("the policy pack on the real engine", () => {
  let emulator: Emulator;
  let current: CliStack | undefined;
  const host = new ProgramHost();
  beforeAll(async () => {
    emulator = await startEmulator({ buildSeconds: 0 });
  });
  afterEach(() => {
    current?.remove();
    current = undefined;
    emulator.reset();
    emulator.clearLog();
  });
  afterAll(() => {
    host.stop();
    return emulator.close();
  });

  async function stackOf(program: string, front: Front = FRONT): Promise<CliStack> {
    current = await CliStack.make(program, { front });
    current.host = host;
    await current.configure({ "agent-platform:baseUrl": emulator.url });
    // As in workflows/preview.yml: no platform key.
    current.environment["AGENT_PLATFORM_API_KEY"] = "unused-in-preview";
    return current;
  }

  test("the example passes preview without a key of the platform and without a request; then up, and nothing is left to do", async () => {
    const stack = await stackOf("");
    copyExample(EXAMPLE, stack.folder);
    await stack.succeed("stack", "init", "prod");
    await stack.configure(
      { "agent-platform:baseUrl": emulator.url },
      { modelApiKey: "model-canary", githubClientSecret: "client-canary" },
    );
    const preview = await stack.succeed("preview", "--diff", "--policy-pack", "policy");
    expect(preview.output).toMatch(/Policy Packs run:\s+Name\s+Version\s+agent-environment\S*\s+1\.0\.0/);
    expect(emulator.requests).toEqual([]);

    stack.environment["AGENT_PLATFORM_API_KEY"] = emulator.apiKey;
    const up = await stack.succeed("up", "--yes", "--policy-pack", "policy");
    expect(up.output).toMatch(/Policies:\s+✅ agent-environment/);
    const made = emulator.requests.filter(({ method, path }) => method === "POST" && path.startsWith("/v2/"));
    expect(made).toHaveLength(3);
    expect(preview.output + up.output).not.toMatch(/model-canary|client-canary/);
    await stack.succeed("preview", "--expect-no-changes", "--policy-pack", "policy");

    // What the policy demands keeps the deployment from being replaced.
    const file = join(stack.folder, "index.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("source: ", 'name: "another-name",\n  source: '));
    expect(notOk(await stack.preview("--policy-pack", "policy"))).toMatch(
      /unable to replace resource .*release-notes.*marked for protection/s,
    );
  });

  const template = (more: string) => `new platform.SandboxTemplate("t", { ${more} });`;
  const provider = (more: string) =>
    `new platform.OAuthProvider("p", { providerId: "p", name: "P", clientId: "c", authUrl: "https://a.example", tokenUrl: "https://a.example", ${more} });`;
  const deployment = (more: string, image = "r.example/a:1") =>
    `new platform.Deployment("d", { source: "external_docker", sourceRevisionConfig: { imageUri: "${image}" }, ${more} });`;

  /** At least one of each type that rules are for; all rules: sdk/policy/policies.test.ts. */
  const broken: [string, string, string][] = [
    ["encrypted-urls", "authUrl: is a", provider(`clientSecret: "canary", authUrl: "http://a.example"`)],
    [
      "no-wildcard-proxy-hosts",
      "proxyConfig.rules[0].matchHosts[0]: is a wildcard",
      template(`image: "a:1", resources: {}, proxyConfig: { rules: [{ name: "r", matchHosts: ["*"] }] }`),
    ],
    [
      "deployment-ceilings",
      "sourceConfig.resourceSpec.maxScale: 50 is more than",
      deployment("sourceConfig: { resourceSpec: { maxScale: 50 } }"),
    ],
    [
      "pinned-server-version",
      "sourceRevisionConfig.langgraphConfigPath: unless that file pins api_version",
      `new platform.Deployment("d", {
        source: "github", sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
        sourceConfig: { integrationId: "i", repoUrl: "https://git.example/a", deploymentType: "dev", buildOnPush: false },
      });`,
    ],
    ["protected-deployments", "protect: is not set", deployment("").replace('"d"', '"release-notes"')],
    [
      "listener-namespaces",
      "computeConfig.k8sNamespaces[0]: is not an allowed namespace",
      `new platform.Listener("l", { computeId: "c", computeConfig: { k8sNamespaces: ["kube-system"] } });`,
    ],
  ];

  test.each([
    ["dynamic resources", "dynamic"],
    ["the native plugin", "native"],
  ] as const)(
    "%s: a program that breaks policies of each type is refused, each by its message, and nothing is sent",
    async (_, front) => {
      // Names of resources are their own per program: one stack breaks all of them at once.
      const program = broken.map(([, , text], index) => text.replace(/\("[tpd]"/, `("r${index}"`)).join("\n");
      const stack = await stackOf(program, front);
      const preview = await stack.preview("--policy-pack", POLICY);
      expect(preview.code).not.toBe(0);
      for (const [rule, message] of broken) {
        expect(preview.output).toContain(`[${rule === "pinned-server-version" ? "advisory" : "mandatory"}]  ${rule}`);
        expect(preview.output).toContain(message);
      }
      // Past a skipped preview, `up` stops at the first violation.
      const up = notOk(await stack.up("--policy-pack", POLICY));
      expect(up).toContain("[mandatory]");
      expect(preview.output + up).not.toContain("canary");
      expect(emulator.requests).toEqual([]);
    },
  );

  test("an unknown value is not a violation, and a wrong value beside it is refused all the same", async () => {
    const unknown = `const t = new platform.SandboxTemplate("t", { image: "a:1", resources: {} });`;
    const stack = await stackOf(unknown + provider("authUrl: t.id, usesPkce: t.id.apply(() => true)"));
    expect((await stack.preview("--policy-pack", POLICY)).code).toBe(0);
    stack.write(unknown + provider(`authUrl: t.id, tokenUrl: "http://a.example", usesPkce: true`));
    expect(notOk(await stack.preview("--policy-pack", POLICY))).toContain('tokenUrl: is a "http:" address');
  });

  test("a value that only up knows is judged in up, before anything is sent for its resource", async () => {
    const late = `new platform.Deployment("d", { source: "external_docker", sourceRevisionConfig: { imageUri: t.id.apply(() => "a:latest") } });`;
    const stack = await stackOf(
      `const t = new platform.SandboxTemplate("t", { image: "a:1", resources: {} });\n${late}`,
    );
    stack.environment["AGENT_PLATFORM_API_KEY"] = emulator.apiKey;
    expect(notOk(await stack.preview("--policy-pack", POLICY))).toMatch(
      /\[mandatory\] {2}run-check-for-every-deployment .*Deployment: d\)/,
    );
    // The pack's configuration goes over what its program says.
    writeFileSync(join(stack.folder, "pack.json"), `{ "run-check-for-every-deployment": { "exempt": ["d"] } }`);
    const pack = ["--policy-pack", POLICY, "--policy-pack-config", "pack.json"];
    expect((await stack.preview(...pack)).code).toBe(0);
    expect(notOk(await stack.up(...pack))).toContain('sourceRevisionConfig.imageUri: has the tag "latest"');
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v2/sandboxes/templates"]);
  });
});
