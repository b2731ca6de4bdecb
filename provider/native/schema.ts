import type { JsonObject } from "../base/json";
import { version as ownVersion } from "../base/version";
import { FUNCTIONS, type PlatformFunction } from "../functions/functions";
import { COMPONENTS, type Component } from "../resources/components";
import { RESOURCES } from "../resources/registry";
import { MANAGED_TYPES, RESOURCE_TYPES } from "../resources/resource-types";
import { NAMESPACE, nativeTokenOf, settingRow, SETTINGS, type SettingType } from "../base/settings";
import {
  argumentRows,
  consequencesOf,
  filledInputs,
  inputRows,
  isNullable,
  outputRows,
  type Field,
  type ObjectShape,
  type Shape,
  type Table,
} from "../lifecycle/fields/table";

export type DescribedFunction = Omit<PlatformFunction, "call">;

interface SchemaSource {
  readonly version: string;
  readonly kinds: readonly Table[];
  readonly components: readonly Component[];
  readonly functions: ReadonlyMap<string, DescribedFunction>;
}

export const pluginSchema = (): string =>
  JSON.stringify(
    schemaOf({
      version: ownVersion(),
      kinds: RESOURCE_TYPES.map((kind) => RESOURCES[kind].table),
      components: COMPONENTS,
      functions: FUNCTIONS,
    }),
  );

/** The schema of the package (Pulumi's own format), made from the tables of the resource types, the settings and the functions. */
export function schemaOf({ version, kinds, components, functions }: SchemaSource): JsonObject {
  const types = new Types();
  const resources = kinds.map((each) => [nativeTokenOf(each.kind), resourceOf(each, types)] as const);
  const made = components.map((each) => [nativeTokenOf(each.kind), componentOf(each, types)] as const);
  const called = [...functions].map(([name, each]) => [nativeTokenOf(name), functionOf(each, types)] as const);
  return {
    name: NAMESPACE,
    displayName: "Agent Platform",
    version,
    description:
      "Agent servers and what belongs to them: deployments, rollouts, checks, assistants, crons, OAuth providers, listeners and sandboxes.",
    keywords: ["pulumi", "agents", "category/infrastructure"],
    license: "Apache-2.0",
    publisher: "Agent Platform",
    meta: { moduleFormat: "(.*)" },
    config: { variables: settings() },
    provider: {
      description: "A connection to one tenant of one platform.",
      inputProperties: settings(),
    },
    types: types.all(),
    resources: Object.fromEntries([...resources, ...made]),
    functions: Object.fromEntries(called),
    language: {
      nodejs: { respectSchemaVersion: true },
      python: {
        packageName: "pulumi_agent_platform",
        pyproject: { enabled: true },
        pythonRequires: ">=3.10",
        readme: README,
        respectSchemaVersion: true,
      },
      go: { respectSchemaVersion: true, importBasePath: "example.com/pulumi-agent-platform/sdk/go/agentplatform" },
      csharp: { respectSchemaVersion: true },
    },
  };
}

const README = `# Agent Platform

Declare agent environments in Python: deployments of agent servers, their rollouts, OAuth providers, sandbox templates and listeners.

    import pulumi_agent_platform as platform

    notebook = platform.SandboxTemplate(
        "notebook", image="python:3.12-slim", resources={"cpu": "500m", "memory": "512Mi"}
    )

The plugin comes from the archive of a release, with \`pulumi plugin install\`, or from the npm package pulumi-agent-platform, which Pulumi.yaml then names:

    packages:
      agent-platform: ./node_modules/pulumi-agent-platform/plugin
`;

/** Defaults are in the descriptions alone: an SDK would send a default as if it were given, and it would beat the environment. */
function settings(): JsonObject {
  const rows = SETTINGS.map((name) => {
    const { type, description, secret, default: value, defaultText = value } = settingRow(name);
    const said = [description, ...choicesOf(type), ...(defaultText === undefined ? [] : [`Default: ${defaultText}.`])];
    return [name, { ...settingType(type), description: said.join(" "), ...(secret && { secret: true }) }] as const;
  });
  return Object.fromEntries(rows);
}

/** The type of a setting, whose choices are texts. */
export const settingType = ({ kind }: SettingType): { readonly type: string } => ({
  type: kind === "flag" ? "boolean" : kind === "amount" ? "number" : "string",
});

const choicesOf = (type: SettingType | Shape): string[] =>
  type.kind === "choice" ? [`One of ${type.choices.map((each) => JSON.stringify(each)).join(", ")}.`] : [];

function resourceOf(table: Table, types: Types): JsonObject {
  const { fields, kind, summary } = table;
  const given = argumentRows(fields);
  const shown = outputRows(fields);
  const filled = filledInputs(table);
  const required = given.filter(([name, each]) => each.required && !each.unlessGiven && !(name in filled));
  return {
    description: summary,
    inputProperties: properties(given, types.within(kind)),
    requiredInputs: names(required),
    properties: properties(shown, types.within(kind)),
    required: names(
      shown.filter(([, { required: isRequired, computed, type }]) => isRequired || (computed && !isNullable(type))),
    ),
    // A list takes no inputs, but the engine offers one only where they are described.
    ...(MANAGED_TYPES.some((each) => each === kind) && { listInputs: { type: "object" } }),
  };
}

function componentOf({ summary, inputs, outputs }: Component, types: Types): JsonObject {
  const [given, shown] = [Object.entries(inputs), Object.entries(outputs)];
  return {
    isComponent: true,
    description: summary,
    inputProperties: properties(given, types),
    requiredInputs: requiredOf(given),
    properties: properties(shown, types),
    required: names(shown.filter(([, { type }]) => !isNullable(type))),
  };
}

function functionOf({ description, args, result }: DescribedFunction, types: Types): JsonObject {
  const [given, shown] = [inputRows(args), Object.entries(result)];
  return {
    description,
    inputs: { type: "object", properties: properties(given, types), required: requiredOf(given) },
    outputs: { type: "object", properties: properties(shown, types), required: requiredOf(shown) },
  };
}

type Rows = readonly (readonly [string, Field])[];

const names = (rows: Rows): string[] => rows.map(([name]) => name);
const requiredOf = (rows: Rows): string[] => names(rows.filter(([, { required }]) => required));

function properties(rows: Rows, types: Types): JsonObject {
  const all = rows.map(([name, field]) => {
    const { secret, replaceOn, computed, deprecationMessage, isPlain } = field;
    const about = { description: descriptionOf(field), ...(deprecationMessage && { deprecationMessage }) };
    const described = { ...types.of(field.type, name), ...(isPlain && { plain: true }), ...about };
    const replaces = replaceOn === "always" && !computed ? { willReplaceOnChanges: true } : {};
    return [name, { ...described, ...(secret && { secret: true }), ...replaces }] as const;
  });
  return Object.fromEntries(all);
}

/** The description of a field, and what follows from the rest of its row. */
function descriptionOf(field: Field): string {
  const { type, description, default: value, computed } = field;
  const isPlain = value !== undefined && typeof value !== "object" && computed !== true;
  const given = field.defaultText ?? (isPlain ? JSON.stringify(value) : undefined);
  const byDefault = given === undefined ? [] : [`Default: ${given}.`];
  return [plain(description), ...choicesOf(type), ...byDefault, ...consequencesOf(field)].join(" ");
}

/** Without the links of TypeScript's comments. */
const plain = (text: string): string => text.replace(/\{@link (\w+)\}/g, "`$1`");

/** The types of objects that a schema names. */
class Types {
  constructor(
    private readonly named = new Map<string, JsonObject>(),
    private readonly path = "",
  ) {}

  all(): JsonObject {
    return Object.fromEntries([...this.named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** The types nested below a property; a type without a name gets the property's. */
  within(name: string): Types {
    return new Types(this.named, this.path + capital(name));
  }

  of(shape: Shape, name: string): JsonObject {
    switch (shape.kind) {
      case "text":
      case "choice":
        return { type: "string" };
      case "number":
        return { type: isWhole(shape) ? "integer" : "number" };
      case "flag":
        return { type: "boolean" };
      case "flagOr":
        return { oneOf: [{ type: "boolean" }, { type: "string" }] };
      case "json":
        return { $ref: "pulumi.json#/Any" };
      case "nullable":
        return this.of(shape.of, name);
      case "list":
        return { type: "array", items: this.of(shape.of, name.replace(/s$/, "")) };
      case "map":
        return { type: "object", additionalProperties: this.of(shape.of, name) };
      case "object":
        return { $ref: `#/types/${this.object(shape, name)}` };
    }
  }

  private object({ name, description, fields }: ObjectShape, field: string): string {
    const plainName = name === undefined ? this.path + capital(field) : name.replace(/Args$/, "");
    const token = nativeTokenOf(plainName);
    if (this.named.has(token)) return token;
    const rows = inputRows(fields);
    const inside = new Types(this.named, plainName);
    this.named.set(token, {});
    this.named.set(token, {
      type: "object",
      ...(description !== undefined && { description: plain(description) }),
      properties: properties(rows, inside),
      required: requiredOf(rows),
    });
    return token;
  }
}

/** Whether only whole numbers are taken: the checks say so. */
const isWhole = ({ checks }: Extract<Shape, { kind: "number" }>): boolean => {
  const isRefused = (value: number) => checks.some((check) => check(value) !== undefined);
  return isRefused(1e6 + 0.5) && !isRefused(1e6);
};

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
