import { join } from "node:path";
import { sandboxTemplates, type Emulator, type EmulatorOptions, type Layer } from "../../emulator";
import { templatesOn } from "../support/ask";
import { cliCommand } from "../support/cli-command";
import { notOk, ok } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { describeWithEngine } from "../support/with-engine";
import { emulatorsOfTests, stacksOfTests } from "./on-emulator";

/** A platform, and the credentials that ever reached it. */
interface Host {
  readonly emulator: Emulator;
  readonly seen: Set<string>;
}

const emulate = emulatorsOfTests({ buildSeconds: 0.2 });
let folder: string;
const stacks = stacksOfTests();
beforeEach(() => {
  folder = newFolder();
});

async function start(options: EmulatorOptions): Promise<Host> {
  const seen = new Set<string>();
  const layer: Layer = {
    beforeRoute: ({ request }) => {
      for (const name of ["x-api-key", "authorization", "x-tenant-id", "x-organization-id"]) {
        const value = request.headers.get(name);
        if (value !== null) seen.add(value);
      }
      return Promise.resolve(undefined);
    },
  };
  return { emulator: await emulate({ layers: [layer], ...options }), seen };
}

const seenBy = ({ seen }: Host): string[] => [...seen].sort();
const template = 'new platform.SandboxTemplate("code", { image: "a", resources: { cpu: "1" } });';

describeWithEngine("a key", () => {
  test("of the stack or of the environment never goes to a Platform's address, and a Platform's never to theirs", async () => {
    const tenant = { tenantId: "stack-tenant", organizationId: "stack-org", apiKey: "stack-key" };
    const stackHost = await start({ tenants: [tenant] });
    const sandboxes = await start({ tenants: [tenant] });
    const own = await start({ apiKey: "own-key" });
    const environments = await start({ apiKey: "env-key" });
    const stack = await stacks.make(`
      const own = new platform.Platform("own", { baseUrl: "${own.emulator.url}", apiKey: new pulumi.Config().requireSecret("ownKey") });
      for (const [where, options] of [["stack", {}], ["own", { provider: own }]]) {
        new platform.SandboxTemplate("code-" + where, { image: "a", resources: { cpu: "1" } }, options);
        new platform.OAuthProvider("login-" + where, { providerId: "p", name: "P", clientId: "c", clientSecret: "s-1234", authUrl: "https://a.example", tokenUrl: "https://a.example" }, options);
        new platform.Deployment("agent-" + where, { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } }, options);
      }
      exports.images = platform.listSandboxTemplatesOutput({}, { platform: own }).apply((list) => list.map(({ image }) => image));
    `);
    await stack.configure(
      {
        "agent-platform:baseUrl": stackHost.emulator.url,
        "agent-platform:sandboxBaseUrl": sandboxes.emulator.url,
        "agent-platform:tenantId": "stack-tenant",
        "agent-platform:organizationId": "stack-org",
      },
      {
        "agent-platform:apiKey": "stack-key",
        "agent-platform:bearerToken": "stack-token",
        "test:ownKey": "own-key",
      },
    );
    Object.assign(stack.environment, {
      AGENT_PLATFORM_BASE_URL: environments.emulator.url,
      AGENT_PLATFORM_SANDBOX_BASE_URL: environments.emulator.url,
      AGENT_PLATFORM_API_KEY: "env-key",
      AGENT_PLATFORM_BEARER_TOKEN: "env-token",
      AGENT_PLATFORM_TENANT_ID: "env-tenant",
      AGENT_PLATFORM_ORGANIZATION_ID: "env-org",
    });
    ok(await stack.preview());
    ok(await stack.up());
    ok(await stack.refresh());
    ok(await stack.up("--expect-no-changes"));
    expect([stackHost, sandboxes, own].map(({ emulator }) => templatesOn(emulator))).toEqual([
      [],
      ["code-stack"],
      ["code-own"],
    ]);
    ok(await stack.destroy());

    const ofStack = ["Bearer stack-token", "stack-key", "stack-org", "stack-tenant"];
    expect([stackHost, sandboxes, own, environments].map(seenBy)).toEqual([ofStack, ofStack, ["own-key"], []]);
  });

  test("is missing beside a Platform's own address: preview says so in one sentence, and no request is sent", async () => {
    const host = await start({ apiKey: "stack-key" });
    const stack = await stacks.make(`
      const own = new platform.Platform("own", { baseUrl: "${host.emulator.url}" });
      new platform.SandboxTemplate("code", { image: "a", resources: { cpu: "1" } }, { provider: own });
    `);
    await stack.configure({ "agent-platform:baseUrl": "https://a.example" }, { "agent-platform:apiKey": "stack-key" });
    const output = notOk(await stack.preview());
    expect(output).toContain('Platform "own": apiKey is missing beside baseUrl');
    expect(output).not.toMatch(/\bat \S+ \(|stack-key/);

    stack.write(`new platform.Platform("own", { baseUrl: "${host.emulator.url}", apiKey: pulumi.output("") });`);
    const empty = await stack.preview();
    expect(empty.code).not.toBe(0);
    expect(empty.output).toContain('Platform "own": apiKey must not be empty');
    expect(seenBy(host)).toEqual([]);
  });

  test("that was changed by `config set` counts once `up` has recorded it; until then no object is taken for gone", async () => {
    const dataFile = join(folder, "platform.json");
    const { emulator: before } = await start({ apiKey: "old-key", dataFile });
    const stack = await stacks.make(template);
    await stack.configure({ "agent-platform:baseUrl": before.url }, { "agent-platform:apiKey": "old-key" });
    ok(await stack.up());
    await before.close();
    const { emulator } = await start({ apiKey: "new-key", dataFile, port: before.port });
    const held = (): number => emulator.outOfBand(sandboxTemplates).list().length;
    await stack.configure({}, { "agent-platform:apiKey": "new-key" });

    const key =
      /^FIX +key in the state +It is not the key that is configured now: [^]*until\s+`pulumi up`\s+takes\s+the\s+new\s+one$/m;
    expect((await cliCommand(stack, "doctor")).stdout).toMatch(key);
    for (const refused of [
      await stack.refresh(),
      await stack.up("--refresh"),
      await stack.drift(),
      await stack.destroy(),
    ]) {
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain("answered 401");
      expect([held(), stack.resources().length]).toEqual([1, 1]);
    }
    ok(await stack.up());
    ok(await stack.drift());
    expect((await cliCommand(stack, "doctor")).stdout).not.toMatch(key);

    await stack.configure({}, { "agent-platform:apiKey": "newer-key" });
    await emulator.close();
    const { emulator: after } = await start({ apiKey: "newer-key", dataFile, port: before.port });
    ok(await stack.refresh("--run-program"));
    ok(await stack.destroy());
    expect(after.outOfBand(sandboxTemplates).list()).toEqual([]);
  });

  test("of a platform that has moved sees its objects at the new address, as the error advises, and its agents' too", async () => {
    const own = { apiKey: "key-of-both", dataFile: join(folder, "data.json") };
    const before = await emulate(own);
    const stack = await stacks.make(`
      const deployment = new platform.Deployment("desk", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
      new platform.Assistant("triage", { deployment, graphId: "agent" });
      new platform.RunCheck("answers", { deployment, assistantId: "agent", input: {} });
      ${template}
    `);
    await stack.configure({ "agent-platform:baseUrl": before.url }, { "agent-platform:apiKey": own.apiKey });
    ok(await stack.up());
    await before.close();
    const after = await emulate(own);
    await stack.configure({ "agent-platform:baseUrl": after.url });
    expect(notOk(await stack.up())).toMatch(
      /set agent-platform:allowOriginChange to true .*, and run `pulumi refresh --run-program`, then `pulumi up`/,
    );
    await stack.configure({ "agent-platform:allowOriginChange": "true" });
    expect(ok(await stack.refresh("--run-program"))).toMatch(
      /Assistant: url: .* is no address of the platform.* stays as it was/,
    );
    ok(await stack.up());
    await stack.succeed("config", "rm", "agent-platform:allowOriginChange");
    ok(await stack.up());
    ok(await stack.refresh("--expect-no-changes"));
    expect(
      after.requests.filter(
        ({ method, path }) => method === "POST" && /deployments$|assistants$|templates$/.test(path),
      ),
    ).toEqual([]);
    ok(await stack.destroy());
    expect(templatesOn(after)).toEqual([]);
  });

  test("of a Platform is rotated as docs/how-to/rotate-a-secret.md has it, and doctor says which one is where", async () => {
    const revoked = new Set<string>();
    const layer: Layer = {
      beforeRoute: ({ request }) =>
        Promise.resolve(
          revoked.has(request.headers.get("x-api-key") ?? "")
            ? Response.json({ detail: "Invalid API key" }, { status: 401 })
            : undefined,
        ),
    };
    const keys = ["old-key-of-eu", "new-key-of-eu", "newer-key-of-eu"];
    const tenants = keys.map((apiKey) => ({ tenantId: "t", organizationId: "o", apiKey }));
    const [us, eu] = [await emulate(), await emulate({ tenants, layers: [layer] })];
    const stack = await stacks.make(`
      const config = new pulumi.Config();
      const at = { us: ["${us.url}", config.requireSecret("usKey")], eu: ["${eu.url}", config.requireSecret("euKey")] };
      for (const [name, [baseUrl, apiKey]] of Object.entries(at))
        new platform.SandboxTemplate(name, { image: "a", resources: { cpu: "1" } }, { provider: new platform.Platform(name, { baseUrl, apiKey }) });
    `);
    await stack.configure({}, { "test:usKey": us.apiKey, "test:euKey": keys[0] ?? "" });
    ok(await stack.up());
    const doctor = async (code: number): Promise<string> => {
      const { code: ended, stdout, output } = await cliCommand(stack, "doctor");
      expect([ended, /-key-of-eu/.test(output)]).toEqual([code, false]);
      return stdout.replace(/\n {2,}/g, " ");
    };
    expect(await doctor(0)).not.toContain("key in the state");

    await stack.configure({}, { "test:euKey": keys[1] ?? "" });
    expect(await doctor(0)).toMatch(
      /^- +key in the state of eu +it is nowhere in the stack's configuration.*run `pulumi up`/m,
    );
    ok(await stack.up());
    revoked.add(keys[0] ?? "");
    expect(await doctor(0)).not.toContain("key in the state");
    ok(await cliCommand(stack, "drift"));

    // Revoked too early: nothing is lost, and `up` goes on.
    revoked.add(keys[1] ?? "");
    for (const refused of [await stack.refresh(), await cliCommand(stack, "drift"), await stack.destroy()]) {
      expect(notOk(refused)).toContain("answered 401");
      expect(templatesOn(eu)).toEqual(["eu"]);
      expect(stack.resources().map(({ id }) => id)).toContain(eu.outOfBand(sandboxTemplates).list()[0]?.id);
    }
    await stack.configure({}, { "test:euKey": keys[2] ?? "" });
    expect(await doctor(1)).toMatch(
      /^FIX +key of eu .*answered 401.*Set it where the program takes it from, and run `pulumi up`/m,
    );
    ok(await stack.up());
    expect(await doctor(0)).not.toContain("key in the state");
    ok(await cliCommand(stack, "drift"));
  });
});
