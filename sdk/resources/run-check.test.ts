import * as pulumi from "@pulumi/pulumi";
import { Deployment, Platform, RunCheck } from "..";

/** The name of the Platform that each resource was registered with; "" where there is none. */
const registeredWith = new Map<string, string>();
beforeEach(async () => {
  registeredWith.clear();
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, provider = "" }) => {
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
