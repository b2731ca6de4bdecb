import { sandboxTemplates, type Layer } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { templatesOn } from "../support/ask";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";

// docs/internals/platform.md, Sandbox templates: old rows have no id; quantities are documented as text.

const template = (name: string, over: Record<string, string | Record<string, string>> = {}) => ({
  name,
  image: "i:1",
  resources: { cpu: "1", memory: "1Gi" },
  ...over,
});
const names = (on: PlatformUnderTest): string[] => templatesOn(on.emulator);

const plain = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

describe.each(["extended", "documented"])("a template whose row has no id, under contract %s", (contract) => {
  const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ oldTemplateRows: true }));

  const made = async (): Promise<EngineModel> => {
    const resource = await platform.resource("SandboxTemplate", { contract });
    await resource.up(template("a"));
    return resource;
  };
  const getsItsId = (name: string) => platform.emulator.outOfBand(sandboxTemplates).change(name, { is_old_row: false });

  if (contract === "extended") {
    test("is renamed twice, and destroyed", async () => {
      const resource = await made();
      await resource.up(template("b"));
      await resource.up(template("c"));
      expect(names(platform)).toEqual(["c"]);
      expect(await resource.refresh()).toBe(false);
      await resource.destroy();
      expect(names(platform)).toEqual([]);
    });

    test.each(["before", "after"])("and gets one %s a rename is renamed again, and destroyed", async (when) => {
      const resource = await made();
      if (when === "before") getsItsId("a");
      await resource.up(template("b"));
      if (when === "after") getsItsId("b");
      await resource.up(template("c"));
      expect(names(platform)).toEqual(["c"]);
      await resource.destroy();
      expect(names(platform)).toEqual([]);
      expect(platform.warnings).toEqual([]);
    });
  }

  test("and gets one keeps its place in the state, by which it is known from then on", async () => {
    const resource = await made();
    getsItsId("a");
    expect(await resource.refresh()).toBe(false);
    expect(resource.current.id).toBe(platform.emulator.outOfBand(sandboxTemplates).list()[0]?.id);
    expect(await resource.refresh()).toBe(false);
    expect(await resource.up(template("a"))).toBe("same");
  });
});

describe("deletes of some among many", () => {
  test("where a template is found by its name: no list at all", async () => {
    const doomed: EngineModel[] = [];
    for (let n = 0; n < 60; n++) {
      const resource = await plain.resource("SandboxTemplate", { rateLimit: "100000" });
      await resource.up(template(`n${n}`));
      if (n % 2 === 0) doomed.push(resource);
    }
    plain.newProcess();
    plain.emulator.clearLog();
    for (const { handler, current } of doomed) await handler.delete(current.id, current.outputs);
    const paths = plain.emulator.requests.map(({ path }) => path);
    expect(paths).not.toContain("/v2/sandboxes/templates");
    expect(paths).toHaveLength(2 * doomed.length);
  });

  test("that were renamed by hand share one list", async () => {
    const doomed: EngineModel[] = [];
    for (let n = 0; n < 20; n++) {
      const resource = await plain.resource("SandboxTemplate", { rateLimit: "100000" });
      await resource.up(template(`n${n}`));
      plain.emulator.outOfBand(sandboxTemplates).change(`n${n}`, { name: `renamed-${n}` });
      doomed.push(resource);
    }
    plain.newProcess();
    plain.emulator.clearLog();
    for (const { handler, current } of doomed) await handler.delete(current.id, current.outputs);
    expect(names(plain)).toEqual([]);
    const lists = plain.emulator.requests.filter(({ path }) => path === "/v2/sandboxes/templates");
    expect(lists.length).toBeLessThanOrEqual(1);
  });
});

describe("an adoption makes equal", () => {
  const provider = {
    providerId: "p",
    name: "P",
    clientId: "c",
    authUrl: "https://a.example",
    tokenUrl: "https://a.example",
  };

  test("even a field that is left out and has a documented default: usesPkce goes back to false", async () => {
    await (await plain.resource("OAuthProvider")).up({ ...provider, usesPkce: true });
    plain.newProcess();
    const other = await plain.resource("OAuthProvider");
    await other.up({ ...provider, adopt: true });
    expect(plain.changing()).toEqual(["POST", "PATCH"]);
    expect(await other.refresh()).toBe(false);
    const handler = await plain.handler("OAuthProvider");
    expect((await handler.read("p", {})).props).toMatchObject({ usesPkce: false });
  });

  test("or refuses: undeclared headers that a proxy injects are named, and their values are not shown", async () => {
    const proxyConfig = {
      rules: [
        { name: "r", matchHosts: ["api.example.com"], injectHeaders: { Authorization: "Bearer canary-of-a-header" } },
      ],
    };
    await (await plain.resource("SandboxTemplate")).up({ ...template("a"), proxyConfig });
    plain.newProcess();
    const other = await plain.resource("SandboxTemplate");
    const programs: JsonObject[] = [
      template("a"),
      {
        ...template("a"),
        proxyConfig: {
          rules: [{ ...proxyConfig.rules[0], injectHeaders: { Authorization: "Bearer another-canary" } }],
        },
      },
    ];
    for (const declared of programs) {
      const message = await failureOf(other.up({ ...declared, adopt: true }));
      expect(message).toMatch(/cannot be adopted: it differs in fields that cannot be changed in place/);
      expect(message).toMatch(/proxyConfig.rules\[0\].injectHeaders.Authorization: differs \(values are not shown\)/);
      expect(message).not.toMatch(/canary/);
    }
  });
});

test("two secret references whose names are not known yet are not given twice", async () => {
  const handler = await plain.handler("Deployment");
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const references = [1, 2].map((n) => ({ name: unknown, secretName: `s${n}`, secretKey: "k" }));
  const { failures } = await handler.check(
    {},
    {
      name: "agent",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "a:1" },
      secretReferences: references,
    },
  );
  expect(failures).toEqual([]);
});

test("a limit that an answer has as null says nothing of it: nobody can have changed it", async () => {
  const layer: Layer = {
    afterCommit: async (_exchange, response) =>
      new Response((await response.text()).replace(/"storage":"[^"]*"/g, '"storage":null'), response),
  };
  const older = ofTest(await PlatformUnderTest.start({ layers: [layer] }));
  const resource = await older.resource("SandboxTemplate");
  await resource.up(template("a", { resources: { cpu: "1", memory: "1Gi", storage: "10Gi" } }));
  expect(await resource.refresh()).toBe(false);
});
