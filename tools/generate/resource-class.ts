import { filledInputs, propertiesOf } from "../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../provider/resources/registry";
import type { ManagedType } from "../../provider/resources/resource-types";
import { comment } from "./comment";
import { outputMembers } from "./resource";

/** The class of a type that does nothing beyond its table, with its imports. @param example A program that uses it, as docs/examples has it. */
export function resourceClass(kind: ManagedType, example: string): { readonly imports: string; readonly text: string } {
  const { table } = RESOURCES[kind];
  const { one, summary, reading = {}, fields, naturalKey = "name", undocumented = [] } = table;
  const foundBy = reading.foundBy ?? (reading.idIsKey ? `its ${naturalKey}` : "its id");
  const needs = undocumented.includes("read") ? ' Needs contract "extended".' : "";
  const filled = filledIn(kind);
  const what = filled.length === 0 ? "args" : "inputs";
  // The properties are written out: the module of a table may load what no program needs.
  const text = `
const TYPE = ${JSON.stringify({ kind, ...propertiesOf(table) }, null, 2)} as const;

${comment(summary, "", example.replaceAll(/^export /gm, "").trim())}export class ${kind} extends pulumi.CustomResource {
${outputMembers(fields)}
${comment(`An existing ${one}, by ${foundBy}, read but not managed.${needs}`, "  ")}\
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ${kind} {
    return new ${kind}(name, undefined, { ...options, id });
  }

  constructor(name: string, args: ${kind}Args, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: ${kind}Args | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: ${kind}Args | undefined, options: pulumi.CustomResourceOptions = {}) {
    ${filled.length === 0 ? "" : `const inputs = args && { ${["...args", ...filled].join(", ")} };`}
    super(...registration(TYPE, name, ${what}, options));
    afterRegistration(this, TYPE, name, ${what}, options);
  }
}
`;
  return { imports: importsOf(text), text };
}

const HELPERS = ["afterRegistration", "registration", "rowOfSecrets", "urnOf"];

const importsOf = (text: string): string => `import * as pulumi from "@pulumi/pulumi";
import { ${HELPERS.filter((name) => text.includes(`${name}(`)).join(", ")} } from "../resource";
`;

/** What the class adds to the arguments. */
function filledIn(kind: ManagedType): readonly string[] {
  const { table } = RESOURCES[kind];
  const secrets = secretsOf(kind).map((name) => `args.${name}`);
  return [
    ...Object.entries(filledInputs(table)).map(([name, empty]) => `${name}: args.${name} ?? ${empty ? "{}" : "name"}`),
    ...(secrets.length > 0 ? [`...rowOfSecrets("${kind}", name, ${secrets.join(" ?? ")}, options)`] : []),
    ...(hasRow(kind) && secrets.length === 0 ? [`__progressUrn: urnOf("${kind}", name, options)`] : []),
  ];
}

const hasRow = (kind: ManagedType): boolean => "__progressUrn" in RESOURCES[kind].table.fields;

/** The arguments whose names the resource's row shows when they change. A type whose names repeat always has its row. */
const secretsOf = (kind: ManagedType): readonly string[] =>
  hasRow(kind) && !RESOURCES[kind].table.namesRepeat ? propertiesOf(RESOURCES[kind].table).secretInputs : [];
