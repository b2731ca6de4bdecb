import { type Comments, literal, span } from "./print";
import type { Surveyed } from "./survey";
import { isObject } from "../../provider/base/json";
import { problemsOf } from "../../provider/lifecycle/fields/schema";
import { inputRows, type Shape } from "../../provider/lifecycle/fields/table";

/** The parts of an object that a generated program leaves out, because the platform does not show them. */
export interface Hidden {
  /** How to add them, as comments in the program. */
  readonly comments: Comments;
  /** Arguments that have to be there, and the expressions that read them from the stack's configuration. */
  readonly needed: ReadonlyMap<string, string>;
  /** The settings that these read. */
  readonly settings: readonly NeededSetting[];
  /** One sentence of Markdown for each part. */
  readonly unread: readonly string[];
  /** The keys of the stack's configuration that the comments use. */
  readonly keys: readonly string[];
}

/** A setting that has to be there before the first `pulumi up`. */
export interface NeededSetting {
  readonly key: string;
  readonly isSecret: boolean;
}

/** How a language writes the lines that a reader may take out of their comments. */
export interface Notation {
  /** A value of the stack's configuration. */
  readonly setting: (key: string, isSecret: boolean) => string;
  /** A property of an object; the value is an expression. */
  readonly property: (name: string, value: string) => string;
  /** A property whose value is an object with these lines. */
  readonly group: (name: string, lines: readonly string[]) => readonly string[];
  /** When a value that the platform does not show can be set first: nothing, or the end of a phrase. */
  readonly earliest: string;
  /** How to add a property that has to be there at the first `pulumi up` to an object with this id. */
  readonly toAddEarly: (id: string) => string;
}

/** @param variable The object's variable in the program. */
export function hiddenOf(object: Surveyed, variable: string, notation: Notation): Hidden {
  const parts = [
    ...secrets(object, variable, notation),
    variables(object, variable, notation),
    namespace(object, notation),
  ].flatMap((part) => part ?? []);
  const needed = object.needs.map((name) => {
    const isSecret = object.spec.table.fields[name]?.secret === true;
    return { name, key: keyOf(variable, name), isSecret };
  });
  return {
    needed: new Map(needed.map(({ name, key, isSecret }) => [name, notation.setting(key, isSecret)])),
    settings: needed.map(({ key, isSecret }) => ({ key, isSecret })),
    comments: parts.reduce(
      (comments, { path, lines }) => comments.set(path, [...(comments.get(path) ?? []), ...lines]),
      new Map<string, readonly string[]>(),
    ),
    unread: parts.map(({ unread }) => unread),
    keys: parts.flatMap(({ keys = [] }) => keys),
  };
}

interface Part {
  readonly path: string;
  readonly lines: readonly string[];
  /** The keys of the stack's configuration that the lines use. */
  readonly keys?: readonly string[];
  readonly unread: string;
}

/** The key of an argument in the stack's configuration. */
const keyOf = (variable: string, name: string): string => variable + name.charAt(0).toUpperCase() + name.slice(1);

const whatIs = ({ spec: words, name }: Surveyed): string => `${words.one} ${span(name)}`;

/** One part for each secret text in the spec's table that this object can have. */
function secrets(object: Surveyed, variable: string, { setting, property, earliest }: Notation): Part[] {
  const { table, inputs } = object.spec;
  const rows = inputRows(table.fields).filter(([, { type, secret, writeOnly }]) => secret && writeOnly && isText(type));
  const possible = rows.filter(
    ([name]) =>
      !object.needs.includes(name) &&
      problemsOf(inputs.schema, { ...object.args, [name]: "x" }).every(({ path }) => path[0] !== name),
  );
  return possible.map(([name]) => {
    const key = keyOf(variable, name);
    const what = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return {
      path: "",
      lines: [
        `The platform keeps the ${what} that it has, and never shows it. To set it from here${earliest}:`,
        `pulumi config set --secret ${key}`,
        property(name, setting(key, true)),
      ],
      keys: [key],
      unread: `The ${what} of the ${whatIs(object)}.`,
    };
  });
}

const isText = ({ kind }: Shape): boolean => kind === "text";

function variables(object: Surveyed, variable: string, notation: Notation): Part | undefined {
  if (object.spec.kind !== "Deployment" || object.variables?.length === 0) return undefined;
  const names = object.variables;
  if (names === undefined) {
    const unread = `The variables of the ${whatIs(object)}: the platform does not even show their names.`;
    return { path: "", lines: ["The platform does not show its variables; they stay as they are."], unread };
  }
  const listed = names.map((name) => span(name)).join(", ");
  const unread = `The values of the variables of the ${whatIs(object)}: ${listed}.`;
  const refused = names.find((name) => !isDeclarable(object, name));
  if (refused !== undefined) {
    const line = `Its variables stay as they are: ${literal(refused)} is not a name that a program can declare.`;
    return { path: "", lines: [line], unread };
  }
  return { path: "", unread, ...howToDeclare(names, variable, notation) };
}

/** False for a name that the platform reserves, or that would reach a prototype. */
function isDeclarable({ spec, args }: Surveyed, name: string): boolean {
  const declared = { ...args, secrets: Object.fromEntries([[name, "x"]]) };
  const problems = [...problemsOf(spec.inputs.schema, declared), ...spec.expectedRefusals(declared)];
  return problems.every(({ path }) => path[0] !== "secrets");
}

function howToDeclare(names: readonly string[], variable: string, { setting, property, group, earliest }: Notation) {
  // A name can be any text, the key of a setting cannot.
  const settings = names.map((name, index) => {
    const plain = /^[\w-]+$/.test(name) ? name : `variable-${index + 1}`;
    return { name, key: `${variable}-${plain}` };
  });
  const lines = [
    "Its variables stay as they are until one is declared: the platform shows neither their values nor which are secret.",
    `To set them from here${earliest}, declare all of them: any that is missing from secrets and environmentVariables is then removed.`,
    ...settings.map(({ key }) => `pulumi config set --secret ${key}`),
    ...group(
      "secrets",
      settings.map(({ name, key }) => property(name, setting(key, true))),
    ),
  ];
  return { lines, keys: settings.map(({ key }) => key) };
}

function namespace(object: Surveyed, { property, toAddEarly }: Notation): Part | undefined {
  const config = object.args["sourceConfig"];
  if (!isObject(config) || config["listenerId"] === undefined) return undefined;
  return {
    path: "sourceConfig",
    lines: [
      `The platform never shows the namespace. ${toAddEarly(object.id)}, if at all: added later, it replaces the deployment.`,
      property("listenerConfig", '{ k8sNamespace: "..." }'),
    ],
    unread: `\`sourceConfig.listenerConfig.k8sNamespace\` of the ${whatIs(object)}.`,
  };
}

/** What to look at in an object before the first `pulumi up`. */
export function remarksOf(object: Surveyed): string[] {
  const { failed, name } = object;
  const failure = `The latest revision of the deployment ${span(name)} is ${span(failed ?? "")}. The program does not wait for it (\`awaitRollout: false\`).`;
  return [...literalHeaders(object), ...(failed === undefined ? [] : [failure]), ...neededValues(object)];
}

/** An adoption always sends these, because they cannot be compared with the live values. */
function neededValues({ needs, spec, name }: Surveyed): string[] {
  if (needs.length === 0) return [];
  const listed = needs.map((each) => `\`${each}\``).join(" and ");
  return [
    `The platform never shows ${listed} of the ${spec.one} ${span(name)}: set them before the first \`pulumi up\`, which sends them to the platform.`,
  ];
}

/** A header's value that does not refer to a variable of the platform may be a credential, and is now in the program. */
function literalHeaders({ args, name }: Surveyed): string[] {
  const proxy = args["proxyConfig"];
  const rules = isObject(proxy) && Array.isArray(proxy["rules"]) ? proxy["rules"] : [];
  return rules.flatMap((rule) => {
    const headers = isObject(rule) && isObject(rule["injectHeaders"]) ? rule["injectHeaders"] : {};
    const literals = Object.entries(headers).filter(([, value]) => typeof value === "string" && !value.includes("${"));
    return literals.map(
      ([header]) =>
        `The header ${span(header)} of the sandbox template ${span(name)} has a plain value, which is now in the program. If it is a credential, keep it out of Git.`,
    );
  });
}
