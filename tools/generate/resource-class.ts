import { emptyObjects, isNamedByPulumi, propertiesOf } from "../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../provider/resources/registry";
import type { ManagedType } from "../../provider/resources/resource-types";
import { comment } from "./comment";
import { outputMembers } from "./resource";

/** The imports of a generated class. */
export function classImports(kind: ManagedType): string {
  const row = hasRow(kind) ? [secretsOf(kind).length > 0 ? "rowOfSecrets" : "urnOf"] : [];
  const used = [optionsFunction(kind), "refuseImport", "registered", ...row, "setAbsentOutputs"];
  return (
    'import * as pulumi from "@pulumi/pulumi";\n' +
    'import { tokenOf } from "../protocol";\n' +
    `import { ${[...used, "warnOfIgnoredOptions"].sort().join(", ")} } from "../resource";\n`
  );
}

/** The class of a type that does nothing beyond its table. @param example A program that uses it, as docs/examples has it. */
export function resourceClass(kind: ManagedType, example: string): string {
  const { table } = RESOURCES[kind];
  const { naturalKey = "name", undocumented = [] } = table;
  const { one, summary, reading = {}, fields } = table;
  const foundBy = reading.foundBy ?? (reading.idIsKey ? `its ${naturalKey}` : "its id");
  const needs = undocumented.includes("read") ? ' Needs contract "extended".' : "";
  const given = `args: ${kind}Args | undefined`;
  const inputs = inputsOf(kind, naturalKey);
  const what = inputs === "" ? "args" : "inputs";
  return [
    propertiesText(kind),
    `${comment(summary, "", example.replaceAll(/^export /gm, "").trim())}export class ${kind} extends pulumi.CustomResource {\n${outputMembers(fields)}`,
    comment(`An existing ${one}, by ${foundBy}, read but not managed.${needs}`, "  ") +
      `  static get(${NAME}, ${ID}, ${OPTIONAL}): ${kind} {\n` +
      `    return new ${kind}(name, undefined, { ...options, id });\n  }\n`,
    `  constructor(${NAME}, args: ${kind}Args, ${OPTIONAL});\n` +
      "  /** @internal */\n" +
      `  constructor(${NAME}, ${given}, ${OPTIONS});\n` +
      `  constructor(${NAME}, ${given}, ${OPTIONS} = {}) {\n` +
      `    refuseImport("${kind}", name, options);\n` +
      inputs +
      `    super(tokenOf("${kind}"), name, registered("${kind}", ${what}, PROPERTIES), ` +
      `${optionsFunction(kind)}("${kind}", options, PROPERTIES));\n` +
      `    setAbsentOutputs(this, ${what}, PROPERTIES);\n` +
      `    warnOfIgnoredOptions(this, \`${kind} "\${name}"\`, options);\n  }\n}\n`,
  ].join("\n");
}

const NAME = "name: string";
const ID = "id: pulumi.Input<pulumi.ID>";
const OPTIONS = "options: pulumi.CustomResourceOptions";
const OPTIONAL = "options?: pulumi.CustomResourceOptions";

/** What makes the options that the engine gets. */
const optionsFunction = (kind: ManagedType): string =>
  RESOURCES[kind].table.namesRepeat ? "replacingFirst" : "deletingBeforeReplace";

/** Written out: the module of a table may load what no program needs. */
const propertiesText = (kind: ManagedType): string =>
  `const PROPERTIES = ${JSON.stringify(propertiesOf(RESOURCES[kind].table), null, 2)};\n`;

/** The arguments, with what the class fills in. Empty where that is nothing. */
function inputsOf(kind: ManagedType, naturalKey: string): string {
  const { table } = RESOURCES[kind];
  const secrets = secretsOf(kind).map((name) => `args.${name}`);
  const filled = [
    ...(isNamedByPulumi(table, naturalKey) ? [`${naturalKey}: args.${naturalKey} ?? name`] : []),
    ...Object.keys(emptyObjects(table)).map((name) => `${name}: args.${name} ?? {}`),
    ...(secrets.length > 0 ? [`...rowOfSecrets("${kind}", name, ${secrets.join(" ?? ")}, options)`] : []),
    ...(hasRow(kind) && secrets.length === 0 ? [`__progressUrn: urnOf("${kind}", name, options)`] : []),
  ];
  return filled.length === 0 ? "" : `    const inputs = args && { ${["...args", ...filled].join(", ")} };\n`;
}

const hasRow = (kind: ManagedType): boolean => "__progressUrn" in RESOURCES[kind].table.fields;

/** The arguments whose names are told on the resource's row when they change. A type that has a row for something else has no secrets. */
const secretsOf = (kind: ManagedType): readonly string[] =>
  hasRow(kind) ? propertiesOf(RESOURCES[kind].table).secretInputs : [];
