import * as pulumi from "@pulumi/pulumi";
import { SandboxTemplate } from ".";

beforeEach(() => pulumi.runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) }));
afterEach(() => pulumi.runtime.setAllConfig({}));

const make = (): SandboxTemplate => new SandboxTemplate("it", { image: "a", resources: {} });

test.each<[reason: string, name: string, said: string]>([
  ["another case", "baseURL", "agent-platform:baseURL is not a setting of this provider; did you mean baseUrl?"],
  ["another case, of one that would be silently missed", "tenantID", "agent-platform:tenantID is not"],
  ["like none", "colour", "agent-platform:colour is not a setting of this provider. Remove"],
])("a setting that nobody reads is refused where the program stands: %s", (_reason, name, said) => {
  pulumi.runtime.setAllConfig({ "agent-platform:baseUrl": "https://a.example", [`agent-platform:${name}`]: "x" });
  expect(make).toThrow(said);
});

test.each([
  ["every setting that exists", "agent-platform:tenantId"],
  ["the stack's choice of a plugin", "agent-platform:plugin"],
  ["what the engine reads itself", "agent-platform:pluginDownloadURL"],
  ["the project's own configuration", "shop:baseURL"],
  ["another namespace that begins the same", "agent-platform-tools:colour"],
])("%s is taken", (_reason, key) => {
  pulumi.runtime.setAllConfig({ [key]: "native" });
  expect(make).not.toThrow();
});
