import { deployments, oauthProviders, revisions, sandboxTemplates } from "../../emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator, stacksOfTests } from "./on-emulator";

jest.setTimeout(180_000);

const stacks = stacksOfTests();
/** The last lines of a failed build: one prints a secret, and one would be a colour to the engine (docs/engine.md, trap 39). */
const FAILED_BUILD = [
  "TOKEN=literal-deployment-secret",
  "<{%fg none%}> is in a template",
  "Build failed: pip exited with 1",
];
const platform = onEmulator({
  buildSeconds: 1,
  revisionLog: ({ sourceRevisionConfig: config }) =>
    String(config["image_uri"]).endsWith("emulator-fail-build") ? FAILED_BUILD : undefined,
});

const requests = (): string[] => platform.emulator.requests.map(({ method, path }) => `${method} ${path}`);
/** A log is asked for with a POST. */
const changing = (): string[] => requests().filter((request) => !/^GET|_logs$/.test(request));

const environment = (over: { image?: string; agent?: string; redirect?: string } = {}): string => `
  new platform.SandboxTemplate("code", { image: "${over.image ?? "python:3.12"}", resources: { cpu: "1", memory: "1Gi" } });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "literal-client-secret",
    authUrl: "https://a.example/auth", tokenUrl: "${over.redirect ?? "https://a.example/token"}",
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

describeWithEngine("on the real engine, through its CLI", () => {
  test("up creates everything and waits; then preview, refresh and another up find nothing to do, the last without a request", async () => {
    const stack = await platform.stackOf(environment());
    // Each command starts its program as users' do, so that the program's lines are known.
    stack.host = undefined;
    // The progress of a wait stands on the rollout's own row, a line per status.
    expect(ok(await stack.up())).toMatch(/Rollout agent creating.* agent: revision \S+ is BUILDING \(\d+s\)/);
    expect(platform.emulator.outOfBand(sandboxTemplates).list()).toHaveLength(1);
    expect(platform.emulator.outOfBand(oauthProviders).list()).toHaveLength(1);
    const [deployment] = platform.emulator.outOfBand(deployments).list();
    const [revision] = platform.emulator.outOfBand(revisions).list();
    expect(stack.resources().map(({ type }) => type.split(":").at(-1))).toEqual(
      expect.arrayContaining(["SandboxTemplate", "OAuthProvider", "Deployment", "Rollout"]),
    );
    expect(stack.resources().find(({ type }) => type.endsWith("Deployment"))?.id).toBe(deployment?.id);
    // The program's own line, which tools show; the rollout's is in the deployment's constructor.
    const declared = stack.resources().filter(({ type }) => !type.endsWith("Rollout"));
    for (const { sourcePosition } of declared) expect(sourcePosition).toMatch(/^project:\/\/\/index\.js#\d+,\d+$/);
    expect(await stack.outputs()).toEqual({
      revision: revision?.id,
      deployed: true,
      url: `${platform.emulator.url}/agents/${deployment?.id ?? ""}`,
    });

    platform.emulator.clearLog();
    ok(await stack.up("--expect-no-changes"));
    ok(await stack.preview("--expect-no-changes"));
    expect(requests()).toEqual([]);

    ok(await stack.drift());
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.preview("--expect-no-changes"));
    expect(changing()).toEqual([]);

    ok(await stack.destroy());
    expect(platform.emulator.outOfBand(deployments).list()).toEqual([]);
    expect(platform.emulator.outOfBand(oauthProviders).list()).toEqual([]);
    expect(platform.emulator.outOfBand(sandboxTemplates).list()).toEqual([]);
  });

  test("a change that can be made in place is one PATCH each, with the same ids and one more revision", async () => {
    const stack = await platform.stackOf(environment());
    ok(await stack.up());
    const identities = () =>
      stack
        .resources()
        .map(({ urn, id }) => `${urn} ${id ?? ""}`)
        .sort();
    const before = identities();
    platform.emulator.clearLog();
    const next = environment({ agent: "agent:2", redirect: "https://b.example/token" });
    stack.write(next);
    const preview = await stack.preview();
    expect(preview.output).toMatch(/imageUri\s*: "registry.example\/agent:1" => "registry.example\/agent:2"/);
    expect(requests()).toEqual([]);
    ok(await stack.up());
    expect(changing()).toHaveLength(2);
    expect(changing().every((request) => request.startsWith("PATCH"))).toBe(true);
    expect(identities()).toEqual(before);
    expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(2);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("a change that cannot be made in place deletes first, because the name is taken", async () => {
    const stack = await platform.stackOf(environment());
    ok(await stack.up());
    platform.emulator.clearLog();
    stack.write(environment({ image: "python:3.13" }));
    ok(await stack.up());
    expect(changing()).toEqual(["DELETE /v2/sandboxes/templates/code", "POST /v2/sandboxes/templates"]);
    expect(platform.emulator.outOfBand(sandboxTemplates).list()).toMatchObject([
      { name: "code", image: "python:3.13" },
    ]);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("a failed revision: up fails with revision, status, time and next step; the deployment stays in state; a corrected up updates it", async () => {
    const stack = await platform.stackOf(environment({ agent: "emulator-fail-build" }));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    const [deployment] = platform.emulator.outOfBand(deployments).list();
    const [revision] = platform.emulator.outOfBand(revisions).list();
    expect(failed.output).toMatch(
      new RegExp(
        `deployment "agent" \\(${deployment?.id ?? ""}\\): revision ${revision?.id ?? ""} ended as BUILD_FAILED after \\d+s`,
      ),
    );
    expect(failed.output).toMatch(/Correct the deployment's arguments and run `pulumi up`/);
    // Why it failed, in lines of their own.
    expect(failed.output).toMatch(
      /The last lines of its build log .*\n\s+TOKEN=\[secret\]\n\s+< \{%fg none%\}> is in a template\n\s+Build failed: pip exited with 1\n/,
    );
    const kinds = stack.resources().map(({ type, id }) => [type.split(":").at(-1), id]);
    expect(kinds).toContainEqual(["Deployment", deployment?.id]);
    expect(kinds.map(([kind]) => kind)).not.toContain("Rollout");

    // The same once more: it fails again, and makes nothing.
    platform.emulator.clearLog();
    const again = await stack.up();
    expect(again.code).not.toBe(0);
    expect(again.output).toMatch(/TOKEN=\[secret\]\n[^]*Build failed: pip exited with 1\n/);
    expect(changing()).toEqual([]);

    stack.write(environment({ agent: "agent:2" }));
    ok(await stack.up());
    expect(
      platform.emulator
        .outOfBand(deployments)
        .list()
        .map(({ id }) => id),
    ).toEqual([deployment?.id]);
    expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(2);
    expect((await stack.outputs())["deployed"]).toBe(true);
  });

  test.each<[string, string, RegExp[]]>([
    [
      "a template",
      `new platform.SandboxTemplate("Bad_Name", { image: "", resources: { cpu: "x" }, proxyConfig: { rules: [{ name: "r", matchHosts: ["a/b"] }] } });`,
      [
        /name: must be a DNS-1035 name/,
        /image: must not be empty/,
        /resources\.cpu: must be a quantity/,
        /proxyConfig\.rules\[0\]\.matchHosts\[0\]: must be a host name/,
      ],
    ],
    [
      "an OAuth provider with a secret in the wrong place",
      `new platform.OAuthProvider("p", { providerId: "p", name: "P", clientId: "c", clientSecret: { oops: "canary-secret" }, authUrl: "x", tokenUrl: "https://a.example" });`,
      [/authUrl: must be an absolute URL/, /clientSecret: must be a string/],
    ],
  ])("wrong arguments of %s fail at preview, all at once, before any request", async (_what, program, reasons) => {
    const stack = await platform.stackOf(program);
    const { code, output } = await stack.preview();
    expect(code).not.toBe(0);
    for (const reason of reasons) expect(output).toMatch(reason);
    expect(output).not.toContain("canary-secret");
    expect(requests()).toEqual([]);
  });

  test("a dead platform fails up within 20 seconds, and says how often it tried", async () => {
    const stack = await stacks.make(`new platform.SandboxTemplate("code", { image: "a", resources: { cpu: "1" } });`);
    await stack.configure({ "agent-platform:baseUrl": "http://127.0.0.1:1" }, { "agent-platform:apiKey": "k" });
    const began = Date.now();
    const { code, output } = await stack.up();
    expect(code).not.toBe(0);
    expect(output).toMatch(/POST \/v2\/sandboxes\/templates got no answer: .*ECONNREFUSED.* \(tried 6 times in \d+s\)/);
    expect(Date.now() - began).toBeLessThan(20_000);
  });

  test("missing configuration fails at preview and names the ways to set it", async () => {
    const stack = await stacks.make(environment());
    const { code, output } = await stack.preview();
    expect(code).not.toBe(0);
    expect(output).toMatch(/No platform URL configured\. Set it with `pulumi config set agent-platform:baseUrl <url>`/);
    expect(output).toMatch(/AGENT_PLATFORM_API_KEY/);
  });

  test("no secret is in the state file, the output or the emulator's log", async () => {
    const stack = await platform.stackOf(environment());
    const outputs = [await stack.up(), await stack.preview(), await stack.refresh(), await stack.destroy()].map(
      ({ output }) => output,
    );
    ok(await stack.up());
    const places = [stack.stateText(), JSON.stringify(platform.emulator.requests), ...outputs];
    for (const secret of ["literal-client-secret", "literal-deployment-secret", platform.emulator.apiKey]) {
      for (const spelling of [secret, Buffer.from(secret).toString("base64")])
        expect(places.filter((place) => place.includes(spelling))).toEqual([]);
    }
  });
});
