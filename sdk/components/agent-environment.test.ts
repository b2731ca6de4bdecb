import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { AgentEnvironment, type AgentEnvironmentArgs, type EnvironmentParts } from "..";
import { valueOf } from "../../tests/support/value-of";

const Inputs = z.record(z.string(), z.unknown());

interface Registered {
  /** The name of its Platform; "" for the stack's own connection. */
  readonly connection: string;
  readonly inputs: z.output<typeof Inputs>;
}

/** By kind and Pulumi name. */
const registered = new Map<string, Registered>();
beforeEach(async () => {
  registered.clear();
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, provider = "", inputs: given }) => {
      const inputs = Inputs.parse(given);
      const connection = provider.split("::").at(-2) ?? "";
      registered.set(`${type.split(":").at(-1) ?? ""} ${name}`, { connection, inputs });
      return {
        id: `${name}-id`,
        state: { name: "as the platform says", ...inputs, url: `https://${name}.example`, runId: "run" },
      };
    },
    call: () => ({}),
  });
});

async function urlsOf(urls: Readonly<Record<string, pulumi.Output<string | null>>>) {
  const pairs = Object.entries(urls).map(async ([key, url]) => [key, await valueOf(url)] as const);
  return Object.fromEntries(await Promise.all(pairs));
}

const TEMPLATE = { image: "python:3.12-slim", resources: { cpu: "1" } };
const PROVIDER = { name: "GitHub", clientId: "c", authUrl: "https://a.example", tokenUrl: "https://t.example" };
const IMAGE = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };

const ENVIRONMENT = {
  sandboxTemplates: { workshop: TEMPLATE },
  oauthProviders: { github: PROVIDER },
  agents: ({ sandboxTemplates, oauthProviders }: EnvironmentParts<"workshop", "github">) => ({
    reader: {
      ...IMAGE,
      environmentVariables: {
        SANDBOX: sandboxTemplates.workshop.name,
        LOGIN: oauthProviders.github.providerId,
      },
    },
  }),
};

test("each key is a name on the platform, and with the environment's name in front a Pulumi name", async () => {
  const { urls } = new AgentEnvironment("desk", ENVIRONMENT);
  expect(await urlsOf(urls)).toEqual({ reader: "https://desk-reader.example" });
  expect(registered.get("SandboxTemplate desk-workshop")?.inputs).toMatchObject({ name: "workshop", ...TEMPLATE });
  expect(registered.get("OAuthProvider desk-github")?.inputs).toMatchObject({ providerId: "github", ...PROVIDER });
  expect(registered.get("Deployment desk-reader")?.inputs).toMatchObject({
    name: "reader",
    environmentVariables: { SANDBOX: "workshop", LOGIN: "github" },
  });
});

test("a name in the arguments is the one on the platform", async () => {
  const { urls } = new AgentEnvironment("desk", { agents: () => ({ reader: { ...IMAGE, name: "code-reader" } }) });
  await urlsOf(urls);
  expect(registered.get("Deployment desk-reader")?.inputs).toMatchObject({ name: "code-reader" });
});

test("a name that is undefined leaves the key's", async () => {
  const name: string | undefined = undefined;
  const { urls, assistants } = new AgentEnvironment("desk", {
    sandboxTemplates: { workshop: { ...TEMPLATE, name } },
    agents: { reader: { ...IMAGE, name, assistants: { triage: { graphId: "agent", name } } } },
  });
  await Promise.all([urlsOf(urls), ...Object.values(assistants).map(({ id }) => valueOf(id))]);
  const nameOf = (part: string) => registered.get(part)?.inputs["name"];
  const parts = ["SandboxTemplate desk-workshop", "Deployment desk-reader", "Assistant desk-reader-triage"];
  expect(parts.map(nameOf)).toEqual(["workshop", "reader", "triage"]);
});

test("null in place of an argument, as other languages give it, leaves the default", async () => {
  const leftOut: object = { name: null, agent: null, awaitRollout: null, rolloutTimeout: null };
  const { urls } = new AgentEnvironment("desk", { agents: { reader: Object.assign({}, IMAGE, leftOut) } });
  expect(await urlsOf(urls)).toEqual({ reader: "https://desk-reader.example" });
  expect(registered.get("Deployment desk-reader")?.inputs).toMatchObject({ name: "reader" });
});

test("the platform names the deployments of one agent, and each has its own environment", async () => {
  const agentIn = (environment: "development" | "staging" | "production") => ({ agentId: "desk", environment });
  const { urls, deployments } = new AgentEnvironment("desk", {
    agents: {
      development: { ...IMAGE, agent: agentIn("development") },
      staging: { ...IMAGE, agent: agentIn("staging") },
      production: { ...IMAGE, agent: agentIn("production") },
    },
  });
  await urlsOf(urls);
  for (const environment of ["development", "staging", "production"]) {
    const inputs = registered.get(`Deployment desk-${environment}`)?.inputs;
    expect(inputs).toMatchObject({ agent: { agentId: "desk", environment } });
    expect(inputs).not.toHaveProperty("name");
  }
  // What the platform answers, and not the Pulumi name.
  expect(await valueOf(pulumi.output(deployments["production"]?.name))).toBe("as the platform says");
});

test("with regions there is all of it in each, through the region's own connection, and referring to its own parts", async () => {
  const seen: string[] = [];
  const { urls } = new AgentEnvironment("desk", {
    ...ENVIRONMENT,
    agents: (parts) => {
      seen.push(parts.region);
      return ENVIRONMENT.agents(parts);
    },
    regions: ["us", "eu"].map((name) => ({ name, baseUrl: `https://${name}.example`, apiKey: "k" })),
  });
  expect(Object.keys(await urlsOf(urls))).toEqual(["us-reader", "eu-reader"]);
  expect(seen).toEqual(["us", "eu"]);
  for (const region of ["us", "eu"]) {
    for (const child of ["SandboxTemplate desk-REGION-workshop", "Deployment desk-REGION-reader"]) {
      expect(registered.get(child.replace("REGION", region))?.connection).toBe(`desk-${region}`);
    }
  }
});

test("two regions of one name are refused by name, before anything is declared", () => {
  const regions = ["us", "us"].map((name) => ({ name, apiKey: "k" }));
  expect(() => new AgentEnvironment("desk", { ...ENVIRONMENT, regions })).toThrow(
    'AgentEnvironment "desk": two regions are named "us"; give each its own name',
  );
});

const ONE = {
  ...IMAGE,
  assistants: { c: { graphId: "agent" } },
  crons: { "y-z": { assistantId: "a", schedule: "@daily" } },
};
const inRegions = (...names: string[]) => ({ regions: names.map((name) => ({ name, apiKey: "k" })) });

test.each<[of: string, args: AgentEnvironmentArgs<"x" | "b-x">, says: string]>([
  [
    "assistants",
    { agents: { a: { ...IMAGE, assistants: { "b-c": { graphId: "agent" } } }, "a-b": ONE } },
    'agents.a-b.assistants.c has the Pulumi name of agents.a.assistants.b-c, "desk-a-b-c"; rename one of them',
  ],
  [
    "crons",
    { agents: () => ({ "a-y": { ...IMAGE, crons: { z: { assistantId: "a", schedule: "@daily" } } }, a: ONE }) },
    'agents.a.crons.y-z has the Pulumi name of agents.a-y.crons.z, "desk-a-y-z"; rename one of them',
  ],
  [
    "agents of two regions",
    { agents: { "b-c": ONE, c: ONE }, ...inRegions("a", "a-b") },
    'agents.c in region "a-b" has the Pulumi name of agents.b-c in region "a", "desk-a-b-c"; rename one of them',
  ],
  [
    "templates of two regions",
    { sandboxTemplates: { x: TEMPLATE, "b-x": TEMPLATE }, agents: {}, ...inRegions("a", "a-b") },
    'sandboxTemplates.x in region "a-b" has the Pulumi name of sandboxTemplates.b-x in region "a", "desk-a-b-x"; rename',
  ],
])("%s that would have one Pulumi name are refused by both", (_of, args, says) => {
  expect(() => new AgentEnvironment("desk", args)).toThrow(`AgentEnvironment "desk": ${says}`);
});

test("an agent that names a part that is not declared does not compile", () => {
  type Template = keyof EnvironmentParts<"workshop", never>["sandboxTemplates"];
  const declared: Template = "workshop";
  // @ts-expect-error: there is no template of this name.
  const missing: Template = "notebook";
  expect([declared, missing]).toEqual(["workshop", "notebook"]);
});

describe("what an agent keeps", () => {
  const reader = {
    ...IMAGE,
    assistants: {
      triage: { graphId: "agent", context: { tone: "brief" } },
      digest: { graphId: "agent", name: "daily" },
    },
    crons: {
      morning: { assistant: "digest", schedule: "0 9 * * 1-5" },
      hourly: { assistantId: "agent", schedule: "@hourly" },
    },
    check: { assistant: "triage", input: { topic: "cats" }, rollBack: true },
  };
  const inputsOf = (name: string) => registered.get(name)?.inputs;

  test("is declared on its deployment, by its own key", async () => {
    const { assistants } = new AgentEnvironment("desk", { agents: () => ({ reader }) });
    expect(Object.keys(assistants)).toEqual(["reader-triage", "reader-digest"]);
    await Promise.all(Object.values(assistants).map(({ id }) => valueOf(id)));
    const deployment = { deploymentId: "desk-reader-id", url: "https://desk-reader.example" };
    expect(inputsOf("Assistant desk-reader-triage")).toMatchObject({ ...deployment, name: "triage", graphId: "agent" });
    expect(inputsOf("Assistant desk-reader-digest")).toMatchObject({ ...deployment, name: "daily" });
  });

  test("is named by the crons and the check of the agent", async () => {
    const { urls } = new AgentEnvironment("desk", { agents: () => ({ reader }) });
    await urlsOf(urls);
    await new Promise(setImmediate);
    const morning = { assistantId: "desk-reader-digest-id", deploymentId: "desk-reader-id", schedule: "0 9 * * 1-5" };
    expect(inputsOf("Cron desk-reader-morning")).toMatchObject(morning);
    expect(inputsOf("Cron desk-reader-hourly")).toMatchObject({ assistantId: "agent", deploymentId: "desk-reader-id" });
    expect(inputsOf("RunCheck desk-reader-check")).toMatchObject({
      url: "https://desk-reader.example",
      assistantId: "desk-reader-triage-id",
      input: { topic: "cats" },
      rollBack: true,
      deploymentId: "desk-reader-id",
    });
    expect(inputsOf("Deployment desk-reader")).not.toHaveProperty("check");
  });

  test("an assistant that is not declared is refused by name", () => {
    const wrong = { ...reader, check: { assistant: "trage" } };
    expect(() => new AgentEnvironment("desk", { agents: () => ({ reader: wrong }) })).toThrow(
      'AgentEnvironment "desk": agents.reader.check.assistant: the agent has no assistant "trage"; it has "triage", "digest"',
    );
  });
});

test("what is left out under a name is left out, and a region that is none is refused", async () => {
  const leftOut = {
    agents: { a: undefined, b: IMAGE },
    sandboxTemplates: { c: undefined },
    oauthProviders: { d: null },
  };
  const unseen = (given: object) => Object.assign({ agents: {} }, given);
  expect(await urlsOf(new AgentEnvironment("desk", unseen(leftOut)).urls)).toEqual({ b: "https://desk-b.example" });
  expect(() => new AgentEnvironment("desk", unseen({ regions: [] }))).toThrow(
    'AgentEnvironment "desk": regions: must have a region',
  );
  expect(() => new AgentEnvironment("desk", unseen({ regions: [undefined] }))).toThrow(
    'AgentEnvironment "desk": regions[0]: must be an object, not null',
  );
});
