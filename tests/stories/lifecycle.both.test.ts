import { deployments, oauthProviders, revisions, sandboxTemplates } from "../../emulator";
import { onEmulator, stacksOfTests } from "../engine/on-emulator";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

const stacks = stacksOfTests();
const platform = onEmulator({ buildSeconds: 1 });
const requests = (): string[] => platform.emulator.requests.map(({ method, path }) => `${method} ${path}`);
const changing = (): string[] => requests().filter((request) => !request.startsWith("GET"));

const environment = (over: { image?: string; agent?: string; token?: string } = {}): string => `
  new platform.SandboxTemplate("code", { image: "${over.image ?? "python:3.12"}", resources: { cpu: "1", memory: "1Gi" } });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "literal-client-secret",
    authUrl: "https://a.example/auth", tokenUrl: "${over.token ?? "https://a.example/token"}",
  });
  const agent = new platform.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/${over.agent ?? "agent:1"}" },
    environmentVariables: { LEVEL: "info" },
    secrets: { TOKEN: "literal-deployment-secret" },
  });
  exports.revision = agent.activeRevisionId;
  exports.deployed = agent.deployed;
  exports.url = agent.url;
`;

describeWithEngine("an environment, from its first up to its destroy", () => {
  test("each command does what its preview shows and no more, and no secret is in what it leaves", async () => {
    const left: string[] = [];
    const read = ({ output, ...result }: { code: number; output: string; stdout: string; stderr: string }): string => {
      left.push(output);
      return ok({ ...result, output });
    };
    const stack = await platform.stackOf(environment());

    // Created, and waited for: a log has no line for each status, but the engine's own of the end.
    // This command starts its program as users' do, so that the program's lines are known.
    const { host } = stack;
    stack.host = undefined;
    const created = read(await stack.up());
    expect(created).toMatch(/Rollout agent created \([\d.]+s\)/);
    expect(created).not.toMatch(/BUILDING|Ctrl-C/);
    stack.host = host;
    expect(platform.kept(sandboxTemplates)).toHaveLength(1);
    expect(platform.kept(oauthProviders)).toHaveLength(1);
    const [deployment] = platform.kept(deployments);
    const [revision] = platform.kept(revisions);
    expect(
      stack
        .resources()
        .map(({ type }) => type.split(":").at(-1))
        .sort(),
    ).toEqual(["Deployment", "OAuthProvider", "Rollout", "SandboxTemplate"]);
    expect(stack.resources().find(({ type }) => type.endsWith("Deployment"))?.id).toBe(deployment?.id);
    // The program's own line, which tools show; the rollout's is in the deployment's constructor.
    const declared = stack.resources().filter(({ type }) => !type.endsWith("Rollout"));
    for (const { sourcePosition } of declared) expect(sourcePosition).toMatch(/^project:\/\/\/index\.js#\d+,\d+$/);
    expect(await stack.outputs()).toEqual({
      revision: revision?.id,
      deployed: true,
      url: `${platform.emulator.url}/agents/${deployment?.id ?? ""}`,
    });

    // Nothing to do: not a single request. A refresh only reads.
    platform.emulator.clearLog();
    read(await stack.up("--expect-no-changes"));
    expect(requests()).toEqual([]);
    read(await stack.refresh("--expect-no-changes"));
    read(await stack.preview("--expect-no-changes"));
    expect(changing()).toEqual([]);

    // Changed in place: a PATCH each, the same ids, and one more revision.
    const identities = () =>
      stack
        .resources()
        .map(({ urn, id }) => `${urn} ${id ?? ""}`)
        .sort();
    const before = identities();
    platform.emulator.clearLog();
    stack.write(environment({ agent: "agent:2", token: "https://b.example/token" }));
    expect(read(await stack.preview())).toMatch(
      /imageUri\s*: "registry.example\/agent:1" => "registry.example\/agent:2"/,
    );
    expect(requests()).toEqual([]);
    read(await stack.up());
    expect(changing()).toHaveLength(2);
    expect(changing().every((request) => request.startsWith("PATCH"))).toBe(true);
    expect(identities()).toEqual(before);
    expect(platform.kept(revisions)).toHaveLength(2);

    // Replaced: the old object goes first, because it has the name.
    platform.emulator.clearLog();
    stack.write(environment({ agent: "agent:2", token: "https://b.example/token", image: "python:3.13" }));
    read(await stack.up());
    expect(changing()).toEqual(["DELETE /v2/sandboxes/templates/code", "POST /v2/sandboxes/templates"]);
    expect(platform.kept(sandboxTemplates)).toMatchObject([{ name: "code", image: "python:3.13" }]);
    read(await stack.preview("--expect-no-changes"));
    left.push(stack.stateText());

    read(await stack.destroy());
    expect(platform.kept(deployments)).toEqual([]);
    expect(platform.kept(oauthProviders)).toEqual([]);
    expect(platform.kept(sandboxTemplates)).toEqual([]);

    left.push(JSON.stringify(platform.emulator.requests));
    for (const secret of ["literal-client-secret", "literal-deployment-secret", platform.emulator.apiKey]) {
      for (const spelling of [secret, Buffer.from(secret).toString("base64")])
        expect(left.filter((text) => text.includes(spelling))).toEqual([]);
    }
  });

  test("wrong arguments fail at preview, all at once, before any request", async () => {
    const stack = await platform.stackOf(`
      new platform.OAuthProvider("p", { providerId: "p", name: "P", clientId: "c", clientSecret: { oops: "canary-secret" }, authUrl: "x",
        tokenUrl: "https://a.example" });
    `);
    const output = notOk(await stack.preview());
    expect(output).toMatch(/authUrl: must be an absolute URL/);
    expect(output).toMatch(/clientSecret: must be a string/);
    expect(output).not.toContain("canary-secret");
    expect(requests()).toEqual([]);
  });

  test("missing configuration fails at preview and names the ways to set it", async () => {
    const stack = await stacks.make(environment());
    const output = notOk(await stack.preview());
    expect(output).toMatch(/No platform URL configured\. Set it with `pulumi config set agent-platform:baseUrl <url>`/);
    expect(output).toMatch(/AGENT_PLATFORM_API_KEY/);
  });
});
