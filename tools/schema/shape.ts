import { z } from "zod";

const Property = z.looseObject({ secret: z.boolean().default(false) });
const Properties = z.record(z.string(), Property).default({});
const Names = z.array(z.string()).default([]);
const Members = z.object({ properties: Properties, required: Names });

/** What a comparison needs of a Pulumi schema. */
export const Schema = z.object({
  name: z.string(),
  version: z.string(),
  meta: z.object({ moduleFormat: z.string() }),
  config: z.object({ variables: Properties }),
  provider: z.object({ inputProperties: Properties }),
  types: z.record(z.string(), Members),
  resources: z.record(z.string(), Members.extend({ inputProperties: Properties, requiredInputs: Names })),
  functions: z.record(z.string(), z.object({ inputs: Members, outputs: Members })),
  language: z.object({
    python: z.object({ packageName: z.string() }),
    go: z.object({ importBasePath: z.string() }),
  }),
});
export type Schema = z.output<typeof Schema>;
export type Property = z.output<typeof Property>;

/** Some properties of a schema: those that a program gives (`in`), or gets (`out`), or both. */
export interface Group {
  /** As a person names it: "Deployment", "getDeployment". */
  readonly owner: string;
  readonly sides: readonly ("in" | "out")[];
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

/** Every group of properties, by a key that says what it is of: "resource Deployment, inputs". */
export function groupsOf(schema: Schema): ReadonlyMap<string, Group> {
  const given: Group[] = [];
  const gotten: Group[] = [];
  const all = new Map<string, Group>();
  const put = (key: string, group: Group): void => {
    all.set(key, group);
    if (group.sides.includes("in")) given.push(group);
    if (group.sides.includes("out")) gotten.push(group);
  };
  put("settings of the stack", { owner: "config", sides: ["in"], properties: schema.config.variables, required: [] });
  const provider = schema.provider.inputProperties;
  put("arguments of the provider", { owner: "Provider", sides: ["in"], properties: provider, required: [] });
  for (const [token, { inputProperties, requiredInputs, properties, required }] of Object.entries(schema.resources)) {
    const owner = tokenName(token);
    put(`resource ${token}, inputs`, { owner, sides: ["in"], properties: inputProperties, required: requiredInputs });
    put(`resource ${token}, outputs`, { owner, sides: ["out"], properties, required });
  }
  for (const [token, { inputs, outputs }] of Object.entries(schema.functions)) {
    put(`function ${token}, inputs`, { owner: tokenName(token), sides: ["in"], ...inputs });
    put(`function ${token}, outputs`, { owner: tokenName(token), sides: ["out"], ...outputs });
  }
  const [fromGiven, fromGotten] = [reached(schema, given), reached(schema, gotten)];
  for (const [token, members] of Object.entries(schema.types)) {
    const sides = [
      ...(fromGiven.has(token) ? ["in" as const] : []),
      ...(fromGotten.has(token) ? ["out" as const] : []),
    ];
    all.set(`type ${token}`, { owner: tokenName(token), sides, ...members });
  }
  return all;
}

/** "Deployment" of agent-platform:index:Deployment. */
export const tokenName = (token: string): string => token.split(":").at(-1) ?? token;

/** The tokens of the types that these groups use, at any depth. */
function reached({ types }: Schema, groups: readonly Group[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (properties: Readonly<Record<string, Property>>): void => {
    for (const [, token = ""] of JSON.stringify(properties).matchAll(/"#\/types\/([^"]+)"/g)) {
      if (found.has(token)) continue;
      found.add(token);
      visit(types[token]?.properties ?? {});
    }
  };
  groups.forEach(({ properties }) => visit(properties));
  return found;
}
