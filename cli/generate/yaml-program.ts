import { type Hidden, hiddenOf, type Notation, remarksOf } from "./hidden";
import { declaredNames, type DeclaredObject, listenerOf } from "./names";
import { literal, span } from "./print";
import type { Program } from "./program";
import type { Surveyed } from "./survey";
import { functionKeyIn, yamlBlock, yamlText } from "./yaml";
import { isObject, type JsonObject } from "../../provider/base/json";
import { NAMESPACE } from "../../provider/base/settings";
import { isNamedByPulumi } from "../../provider/lifecycle/fields/table";

const notation: Notation = {
  setting: (key) => `\${${key}}`,
  property: (name, value) => `${yamlText(name)}: ${value}`,
  group: (name, lines) => [`${name}:`, ...lines.map((line) => `  ${line}`)],
  // An import takes over exactly what is there.
  earliest: " after the first `pulumi up`",
  toAddEarly: (id) =>
    `Add it before the first \`pulumi up\`, with "adopt: ${yamlText(id)}" in place of the option import`,
};

/** The text of a Pulumi.yaml after its head: it declares these objects, and imports them. The same objects give the same text. */
export function yamlProgramOf(objects: readonly Surveyed[], origin: string): Program {
  const refused = objects.filter(({ args }) => functionKeyIn(args) !== undefined);
  const declared = declaredNames(objects.filter((object) => !refused.includes(object)));
  const all = declared.map((each) => resourceOf(each, listenerOf(each, declared)));
  const lines = [
    `# What was at ${literal(origin)}, written by \`pulumi-agent-platform generate\`.`,
    ...(all.length === 0 ? ["resources: {}"] : ["resources:", ...all.flatMap((each) => each.lines)]),
    ...configOf(all.map(({ hidden }) => hidden)),
  ];
  return {
    files: new Map([["Pulumi.yaml", `${lines.join("\n")}\n`]]),
    hidden: all.flatMap(({ hidden }) => hidden.unread),
    settings: all.flatMap(({ hidden }) => hidden.settings),
    remarks: declared.flatMap(({ object }) => remarksOf(object)),
    takeover: `The first \`pulumi up\` takes over what exists (\`import\`). It only reads, and fails if an object has changed in the meantime. After
that, you can remove the options \`import\`.`,
    unread: refused.map(
      ({ spec, name, args }) =>
        `The ${spec.one} ${span(name)}: Pulumi's YAML takes its key ${span(functionKeyIn(args) ?? "")} for a function.`,
    ),
  };
}

interface Resource {
  readonly lines: readonly string[];
  readonly hidden: Hidden;
}

function resourceOf({ object, name, variable }: DeclaredObject, listener: DeclaredObject | undefined): Resource {
  const { spec, failed, id } = object;
  const hidden = hiddenOf(object, variable, notation);
  const { name: given, ...others } = object.args;
  const declared = isNamedByPulumi(spec.table, spec.naturalKey) && given === name ? others : object.args;
  const needed = Object.fromEntries(object.needs.map((key) => [key, null]));
  // An import compares what the platform does not show, and would fail.
  const adopted = object.needs.length > 0 ? { adopt: id } : {};
  const args = { ...adopted, ...declared, ...needed, ...(failed === undefined ? {} : { awaitRollout: false }) };
  const note =
    failed === undefined
      ? []
      : [
          `Its latest revision is ${literal(failed)}: a Rollout would fail. Once it is corrected, add one in place of awaitRollout.`,
        ];
  const comments = new Map([...hidden.comments, ["", [...note, ...(hidden.comments.get("") ?? [])]] as const]);
  const references = new Map(listener && [["sourceConfig.listenerId", `\${${listener.variable}.id}`]]);
  const expressions = new Map([...references, ...hidden.needed]);
  const lines = [
    ...headOf(variable, spec.kind, name),
    ...yamlBlock(args, INSIDE, { comments, expressions }),
    ...(object.needs.length > 0 ? [] : ["    options:", `      import: ${yamlText(id)}`]),
  ];
  const waits = spec.kind === "Deployment" && failed === undefined;
  return { lines: waits ? [...lines, ...rolloutOf(variable, name, args)] : lines, hidden };
}

const INSIDE = "      ";

/** A key is unique among all resources, a name within its kind. */
const headOf = (key: string, kind: string, name: string): string[] => [
  `  ${key}:`,
  `    type: ${NAMESPACE}:${kind}`,
  `    name: ${yamlText(name)}`,
  "    properties:",
];

function rolloutOf(variable: string, name: string, { sourceConfig }: JsonObject): string[] {
  const follows = isObject(sourceConfig) && sourceConfig["buildOnPush"] === true;
  return [
    ...headOf(`${variable}Rollout`, "Rollout", name),
    `${INSIDE}deploymentId: \${${variable}.id}`,
    `${INSIDE}deploymentName: \${${variable}.name}`,
    `${INSIDE}revisionId: \${${variable}.latestRevisionId}`,
    ...(follows ? [`${INSIDE}followsPushes: true`] : []),
  ];
}

/** The settings that the program reads, and as comments those that its comments use. */
function configOf(all: readonly Hidden[]): string[] {
  const declared = all.flatMap(({ settings }) => settings);
  const keys = all.flatMap((hidden) => hidden.keys);
  const typeOf = (key: string, isSecret: boolean): string =>
    `${key}: { type: string${isSecret ? ", secret: true" : ""} }`;
  const commented = keys.map((key) => `#   ${typeOf(key, true)}`);
  const head = [
    "",
    "# For the values that the platform does not show: those that a resource uses have to be declared here.",
  ];
  if (declared.length > 0) {
    return [...head, "config:", ...declared.map(({ key, isSecret }) => `  ${typeOf(key, isSecret)}`), ...commented];
  }
  return keys.length === 0 ? [] : [...head, "# config:", ...commented];
}
