import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { Deployment, getDeployment, Platform, RunCheck, type RunCheckArgs } from "..";
import { agentUnderTest } from "../../tests/support/agent-under-test";

/** What each resource was registered with. */
const inputsOf = new Map<string, Record<string, unknown>>();
/** The name of the Platform that each resource was registered with; "" where there is none. */
const registeredWith = new Map<string, string>();
beforeEach(async () => {
  registeredWith.clear();
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, provider = "", inputs }) => {
      inputsOf.set(name, z.looseObject({}).parse(inputs));
      registeredWith.set(`${type.split(":").at(-1) ?? ""} ${name}`, provider.split("::").at(-2) ?? "");
      return { id: `${name}-id`, state: {} };
    },
    call: () => ({}),
  });
});

const idOf = (resource: pulumi.CustomResource): Promise<string> =>
  new Promise((resolve) => void resource.id.apply(resolve));

test.each<[reason: string, options: (other: Platform) => pulumi.CustomResourceOptions, platform: string]>([
  ["its key is meant for that platform's agents, and no other key is", () => ({}), "eu"],
  ["unless the options say otherwise", (provider) => ({ provider }), "other"],
])("a RunCheck of a deployment goes through the deployment's Platform: %s", async (_reason, options, platform) => {
  const connection = { baseUrl: "https://a.example", apiKey: "k" };
  const provider = new Platform("eu", connection);
  const other = new Platform("other", connection);
  const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };
  const deployment = new Deployment("agent", args, { provider });
  await idOf(new RunCheck("answers", { deployment, assistantId: "agent" }, options(other)));
  expect(registeredWith.get("RunCheck answers")).toBe(platform);
  expect(registeredWith.get("Deployment agent")).toBe("eu");

  const free = new Deployment("free", args);
  await idOf(new RunCheck("free", { deployment: free, assistantId: "agent" }));
  expect(registeredWith.get("RunCheck free")).toBe("");
});

test("a RunCheck of a deployment knows whose revision it is about, and with rollBack when the secrets changed", async () => {
  const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };
  const deployment = new Deployment("agent", image);
  await idOf(new RunCheck("plain", { deployment, assistantId: "agent" }));
  expect(inputsOf.get("plain")).toMatchObject({ deploymentId: "agent-id" });
  expect(inputsOf.get("plain")).not.toHaveProperty("secretsRevisionId");
  await idOf(new RunCheck("careful", { deployment, assistantId: "agent", rollBack: true }));
  expect(inputsOf.get("careful")).toMatchObject({ deploymentId: "agent-id", rollBack: true, secretsRevisionId: null });
});

test("a RunCheck shows its data only if nothing of it is secret once all transformations have run", async () => {
  const args = { url: "https://a.example", assistantId: "agent", input: { topic: "x" } };
  const hides: pulumi.ResourceTransformation = ({ props, opts }) => ({
    props: { ...props, input: pulumi.secret({ topic: "x" }) },
    opts,
  });
  const marks: pulumi.ResourceTransformation = ({ props, opts }) => ({
    props,
    opts: pulumi.mergeOptions(opts, { additionalSecretOutputs: ["expect"] }),
  });
  const shows = async (name: string, transformations: pulumi.ResourceTransformation[]) => {
    await idOf(new RunCheck(name, args, { transformations }));
    return inputsOf.get(name)?.["showData"];
  };
  expect([await shows("a", []), await shows("b", [hides]), await shows("c", [marks])]).toEqual([true, false, false]);
});

describe("what vouches for the agent's address", () => {
  const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } } as const;
  test.each<
    [
      reason: string,
      args: (agent: Deployment) => Partial<RunCheckArgs>,
      customUrl: string | undefined,
      declared?: string,
    ]
  >([
    ["a deployment that declares nothing: what the platform says is no declaration", () => ({}), undefined],
    ["the deployment's declared address", () => ({}), "desk.example", "desk.example"],
    ["a plain url", () => ({ url: "https://own.example" }), "https://own.example", "desk.example"],
    ["an output, which may come from the platform", (agent) => ({ url: agent.url }), "desk.example", "desk.example"],
    ["an output, without a declared address", () => ({ url: pulumi.output("https://x.example") }), undefined],
    ["what the check itself declares", () => ({ customUrl: "c.example" }), "c.example", "desk.example"],
  ])("%s", async (_reason, args, customUrl, declared = "") => {
    const sourceConfig = declared === "" ? {} : { sourceConfig: { customUrl: declared } };
    const deployment = new Deployment("agent", { ...image, ...sourceConfig });
    await idOf(new RunCheck("answers", { deployment, assistantId: "agent", ...args(deployment) }));
    expect(inputsOf.get("answers")?.["customUrl"]).toBe(customUrl);
  });

  test("a plain url that a function of this program has read from the platform does not", async () => {
    const { emulator, deploymentId } = await agentUnderTest();
    const connection = { baseUrl: emulator.url, apiKey: emulator.apiKey };
    const { url } = await getDeployment({ id: deploymentId }, { connection });
    await emulator.close();
    expect(url).toContain(deploymentId);
    await idOf(new RunCheck("answers", { url, assistantId: "agent" }));
    expect(inputsOf.get("answers")).toBeDefined();
    expect(inputsOf.get("answers")?.["customUrl"]).toBeUndefined();
  });
});
