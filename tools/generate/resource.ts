import {
  argumentRows,
  outputRows,
  type Fields,
  type ObjectShape,
  type Shape,
  type Table,
} from "../../provider/lifecycle/fields/table";
import { comment, commentOf, withDeprecation } from "./comment";
import { inputType, oneOf, valueType } from "./types";

/** The module of a resource whose class is written by hand: the interfaces of its arguments, and one with the class's properties. */
export const classlessModule = (table: Table): string =>
  [
    headOf(table),
    'import type * as pulumi from "@pulumi/pulumi";\n',
    argsText(table),
    `/** The properties of a {@link ${table.kind}}. */\nexport interface ${table.kind}Outputs {\n${outputMembers(table.fields).replace(/^ {2}declare /gm, "  ")}}\n`,
  ].join("\n");

/** The interfaces of a resource's arguments: one for the table, and one for each named object in it. */
export function argsText(table: Table): string {
  const whole = interfacesOf(table).map(interfaceOf).join("\n");
  const either = unionOf(table);
  return either === undefined
    ? whole
    : whole.replace(`export interface ${table.kind}Args `, "interface Whole ") + either;
}

/** Where one argument stands for others (`unlessGiven`): by the rules, one of the choices needs it, and the rest needs those. */
function unionOf({ kind, description, fields, rules }: Table): string | undefined {
  const others = Object.keys(fields).filter((name) => fields[name]?.unlessGiven !== undefined);
  const one = fields[others[0] ?? ""]?.unlessGiven ?? "";
  for (const [name, field] of Object.entries(fields)) {
    const choices = field.type.kind === "choice" ? field.type.choices : [];
    const needsIt = choices.find((value) =>
      [...(rules?.({ [name]: value }) ?? [])].some(({ path }) => path[0] === one),
    );
    if (needsIt === undefined) continue;
    const way = (given: readonly string[], absent: readonly string[], choice: string) =>
      `(Required<Pick<Whole, ${oneOf(given)}>> & {\n${commentOf(field, "  ")}${choice}; ${absent.map((each) => `${each}?: undefined`).join("; ")} })`;
    const rest = oneOf(choices.filter((value) => value !== needsIt));
    return `\n${comment(description)}export type ${kind}Args = Omit<Whole, ${oneOf([name, one, ...others])}> & (
      ${way(others, [one], `${name}?: pulumi.Input<${rest}>`)} | ${way([one], others, `${name}: pulumi.Input<"${needsIt}">`)});\n`;
  }
  return undefined;
}

/** The first line of what is generated from a table. */
export const headOf = ({ kind }: Table): string => head(`the table of ${kind}`);

/** The names of the interfaces in that module which programs can use: without the one that the class's own extends. */
export const argsNames = (table: Table): readonly string[] =>
  interfacesOf(table).flatMap(({ name }) => (name === undefined || name === table.extendedArgs ? [] : [name]));

function interfacesOf({ kind, extendedArgs, description, fields }: Table): ObjectShape[] {
  const whole: ObjectShape = { kind: "object", name: extendedArgs ?? `${kind}Args`, description, fields };
  return [...new Map(namedIn(whole).map((each) => [each.name, each])).values()];
}

/** The first line of a generated file. */
export const head = (source: string): string => `// Generated from ${source} by \`npm run generate\`: do not edit.`;

/** The named objects of a shape, inner ones first. */
function namedIn(shape: Shape): ObjectShape[] {
  switch (shape.kind) {
    case "object": {
      const inner = Object.values(shape.fields).flatMap(({ type }) => namedIn(type));
      return shape.name === undefined ? inner : [...inner, shape];
    }
    case "list":
    case "map":
    case "nullable":
      return namedIn(shape.of);
    default:
      return [];
  }
}

function interfaceOf({ name = "", description = "", fields }: ObjectShape): string {
  const members = argumentRows(fields).map(([member, field]) => {
    const isOptional = !field.required || (field.defaultText ?? field.classDefault ?? field.unlessGiven) !== undefined;
    return `${commentOf(field, "  ")}  ${member}${isOptional ? "?" : ""}: ${inputType(field.type)};\n`;
  });
  return `${comment(description)}export interface ${name} {\n${members.join("")}}\n`;
}

/** The properties of a resource's class. */
export const outputMembers = (fields: Fields): string =>
  outputRows(fields)
    .map(([name, field]) =>
      member(name, withDeprecation(field.description, field), `pulumi.Output<${valueType(field)}>`),
    )
    .join("");

/** A property of a class. */
export const member = (name: string, description: string, type: string): string =>
  `${comment(description, "  ")}  declare readonly ${name}: ${type};\n`;
