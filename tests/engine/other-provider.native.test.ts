import { deployments, oauthProviders, sandboxTemplates } from "../../emulator";
import { FRONT, ok, type Front } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

// Resources that get other names and another provider in one `up`: the provider that deletes the old ones is another process.

const platform = onEmulator({ buildSeconds: 0.2, deleteSeconds: 0.2 });

const TEMPLATE = `image: "a", resources: { cpu: "1" }`;
const AGENT = `source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/agent:1" }`;
const GITHUB = `name: "GitHub", clientId: "c", authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token"`;

/** One of each under Pulumi names of its own. */
const named = (name: string, more: string, options: string): string => `
  new platform.SandboxTemplate("${name}-code", { name: "code", ${TEMPLATE}, ${more} }, ${options});
  new platform.OAuthProvider("${name}-github", { providerId: "github", ${GITHUB}, ${more} }, ${options});
  new platform.Deployment("${name}-agent", { name: "agent", ${AGENT}, ${more} }, ${options});
`;
const old = (options = "{}") => named("old", "", options);
const adopting = (options = "{}") => named("new", "adopt: true", options);
const inEnvironment = () => `
  new platform.AgentEnvironment("all", {
    sandboxTemplates: { code: { ${TEMPLATE}, adopt: true } },
    oauthProviders: { github: { ${GITHUB}, adopt: true } },
    agents: () => ({ agent: { ${AGENT}, adopt: true } }),
    regions: [{ name: "us" }],
  });
`;
const own = (settings = "{}") => `const own = new platform.Platform("own", ${settings});`;
const other: Front = FRONT === "native" ? "dynamic" : "native";

const ids = (): string[] => {
  const { emulator } = platform;
  const all = [
    emulator.outOfBand(sandboxTemplates).list(),
    emulator.outOfBand(oauthProviders).list(),
    emulator.outOfBand(deployments).list(),
  ];
  return all.flatMap((objects) => objects.map(({ id }) => id));
};

describeWithEngine("a resource under another name, adopted through another provider", () => {
  test.each<[how: string, before: () => string, after: () => string, front: Front]>([
    ["the default one, then a Platform", () => old(), () => own() + adopting("{ provider: own }"), FRONT],
    ["a Platform, then the default one", () => own() + old("{ provider: own }"), () => adopting(), FRONT],
    [
      "the default one, then a Platform with a key of its own, and so without the stack's tenant",
      () => old(),
      () => own(`{ apiKey: "${platform.emulator.apiKey}" }`) + adopting("{ provider: own }"),
      FRONT,
    ],
    [
      "the default one, then a Platform that names the tenant",
      () => old(),
      () => own(`{ tenantId: "${platform.emulator.tenantId}" }`) + adopting("{ provider: own }"),
      FRONT,
    ],
    ["the default one, then an environment with regions", () => old(), () => inEnvironment(), FRONT],
    ["the other plugin", () => old(), () => adopting(), other],
    ["of another version", () => old(`{ version: "0.1.0" }`), () => adopting(`{ version: "0.1.1" }`), FRONT],
  ])("is not deleted: %s", async (_how, before, after, front) => {
    const stack = await platform.upOf(before());
    const there = ids();
    stack.choose(front);
    stack.write(after());
    ok(await stack.up());
    expect(platform.writes()).toEqual([]);
    expect(ids()).toEqual(there);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(ids()).toEqual([]);
  });
});
