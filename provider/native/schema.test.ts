import { pluginSchema } from "./schema";
import { RESOURCE_TYPES, nativeToken } from "../resources/resource-types";
import { FUNCTIONS } from "../functions/functions";
import { pluralOf } from "../lifecycle/fields/table";

interface Property {
  type?: string;
  $ref?: string;
  oneOf?: Property[];
  items?: Property;
  additionalProperties?: Property;
  description?: string;
  secret?: boolean;
}
type Properties = Record<string, Property>;
interface Whole {
  resources: Record<
    string,
    {
      description: string;
      inputProperties: Properties;
      requiredInputs: string[];
      properties: Properties;
      required: string[];
      listInputs?: object;
    }
  >;
  types: Record<string, { properties: Properties; required: string[] }>;
  functions: Record<
    string,
    { description: string; inputs: { properties: Properties }; outputs: { properties: Properties } }
  >;
  config: { variables: Properties };
  provider: { inputProperties: Properties };
}
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the tests below hold the shape
const schema = JSON.parse(pluginSchema()) as Whole;

const propertiesEverywhere: (readonly [where: string, Property])[] = [
  ...Object.entries(schema.resources).flatMap(([token, { inputProperties, properties }]) => [
    ...Object.entries(inputProperties).map(([name, each]) => [`${token} input ${name}`, each] as const),
    ...Object.entries(properties).map(([name, each]) => [`${token} output ${name}`, each] as const),
  ]),
  ...Object.entries(schema.types).flatMap(([token, { properties }]) =>
    Object.entries(properties).map(([name, each]) => [`${token} ${name}`, each] as const),
  ),
  ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) =>
    [...Object.entries(inputs.properties), ...Object.entries(outputs.properties)].map(
      ([name, each]) => [`${token} ${name}`, each] as const,
    ),
  ),
  ...Object.entries(schema.config.variables).map(([name, each]) => [`setting ${name}`, each] as const),
];

test("every property, type, resource and function has a description", () => {
  expect(propertiesEverywhere.filter(([, { description = "" }]) => description === "").map(([where]) => where)).toEqual(
    [],
  );
  for (const { description } of [...Object.values(schema.resources), ...Object.values(schema.functions)]) {
    expect(description).toMatch(/\.$/);
  }
});

test("descriptions are for every language: no links of TypeScript's comments", () => {
  expect(pluginSchema()).not.toContain("{@link");
});

test("every type that is named is there, and every type that is there is named", () => {
  const named = new Set<string>();
  const collect = ({ $ref, items, additionalProperties, oneOf = [] }: Property): void => {
    if ($ref?.startsWith("#/types/") === true) named.add($ref.slice("#/types/".length));
    for (const each of [items, additionalProperties, ...oneOf]) if (each !== undefined) collect(each);
  };
  propertiesEverywhere.forEach(([, each]) => collect(each));
  expect([...named].sort()).toEqual(Object.keys(schema.types).sort());
});

test("a name that defaults to the resource's own is not required, nor is an object that may be empty", () => {
  expect(schema.resources[nativeToken("Deployment")]?.requiredInputs).toEqual(["source"]);
  expect(schema.resources[nativeToken("SandboxTemplate")]?.requiredInputs).toEqual(["image"]);
  expect(schema.resources[nativeToken("Listener")]?.requiredInputs).toEqual(["computeId"]);
  expect(schema.resources[nativeToken("SandboxTemplate")]?.required).toContain("resources");
  expect(schema.resources[nativeToken("OAuthProvider")]?.requiredInputs).toContain("providerId");
});

test("`pulumi do` lists the types that a platform lists: those that are listed by a function", () => {
  const listed = RESOURCE_TYPES.filter((kind) => schema.resources[nativeToken(kind)]?.listInputs !== undefined);
  const functions = listed.map((kind) => `list${pluralOf(kind)}`).sort();
  expect(functions).toEqual([...FUNCTIONS.keys()].filter((name) => /^list(?!Revisions)/.test(name)).sort());
});

test("a field that takes only whole numbers is an integer", () => {
  const { minScale, cpu } = schema.types["agent-platform:index:DeploymentResourceSpec"]?.properties ?? {};
  expect([minScale?.type, cpu?.type]).toEqual(["integer", "number"]);
  expect(schema.resources[nativeToken("RunCheck")]?.inputProperties["attempts"]?.type).toBe("integer");
});

test("what may be null is not promised", () => {
  expect(schema.resources[nativeToken("RunCheck")]?.required).not.toContain("output");
  expect(schema.resources[nativeToken("Deployment")]?.required).not.toContain("latestRevisionId");
});

test("no default that only the npm package's class fills in is described", () => {
  const { url, revisionId, expect: expected } = schema.resources[nativeToken("RunCheck")]?.inputProperties ?? {};
  expect([url, revisionId].filter((each) => each?.description?.includes("Default"))).toEqual([]);
  expect(expected?.description).toContain("Default: ");
});

test("settings have no defaults: an SDK would send them, and they would beat the environment", () => {
  expect(Object.values(schema.config.variables).filter((each) => "default" in each)).toEqual([]);
  expect(schema.config.variables["rateLimit"]?.description).toContain("Default: 1000.");
});

test("settings are those of the stack's configuration, and keys are secret", () => {
  expect(schema.provider.inputProperties).toEqual(schema.config.variables);
  const secrets = Object.entries(schema.config.variables).filter(([, { secret }]) => secret);
  expect(secrets.map(([name]) => name).sort()).toEqual(["apiKey", "bearerToken"]);
});
