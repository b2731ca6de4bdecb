import { FUNCTIONS, shownRows } from "../../provider/functions/functions";
import { pluralOf, type Fields, type Reading } from "../../provider/lifecycle/fields/table";
import { folderOf, MANAGED_TYPES, type ManagedType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { comment } from "./comment";
import { exampleOf } from "./example";
import { argsNames, head, headOf, member } from "./resource";
import { valueType } from "./types";

const EXTENDED = 'Needs contract "extended".';

/** What the functions of a type are written from. */
interface FunctionsSource {
  readonly kind: ManagedType;
  readonly folder: string;
  readonly one: string;
  readonly many: string;
  readonly naturalKey: string;
  readonly reading: Reading;
  /** What a function shows: the names of the interfaces in it, and its fields. */
  readonly interfaces: readonly string[];
  readonly fields: Fields;
  readonly needs: { readonly get: readonly string[]; readonly list: readonly string[] };
}

function sourceOf(kind: ManagedType): FunctionsSource {
  const { table } = RESOURCES[kind];
  const { naturalKey = "name", undocumented = [] } = table;
  const { one, reading = {} } = table;
  const many = pluralOf(one);
  const needs = {
    get: undocumented.includes("read") ? [EXTENDED] : [],
    list: undocumented.includes("list") ? [EXTENDED] : [],
  };
  const fields = shownRows(table);
  return { kind, folder: folderOf(kind), one, many, naturalKey, reading, interfaces: argsNames(table), fields, needs };
}

/** The module of the functions that read objects of a type. */
export function functionsModule(kind: ManagedType): string {
  const of = sourceOf(kind);
  const result = resultClass(of);
  const used = of.interfaces.filter((name) => new RegExp(`\\b${name}\\b`).test(result)).sort();
  const by = of.reading.idIsKey ? "objectByKey" : "objectOf";
  const imports = [
    'import type * as pulumi from "@pulumi/pulumi";\n',
    'import type { ReadObject } from "../../provider/lifecycle/observe/read-object";\n',
    ...(used.length === 0 ? [] : [`import type { ${used.join(", ")} } from "../resources/${of.folder}.generated";\n`]),
    'import { listItems, listOutput, objectsOf } from "./list";\n',
    'import { invoke, invokeOutput } from "./invoke";\n',
    `import { ${by} } from "./object";\n`,
    'import type { FunctionOptions, ListArgs, ListOutputArgs } from "./options";\n',
    'import { ObjectResult } from "./result";\n',
  ];
  return [
    `${headOf(RESOURCES[kind].table)}\n${imports.join("")}`,
    ...argsOf(of),
    result,
    ...getOf(of, by),
    ...listOf(of),
  ].join("\n");
}

function argsOf({ kind, one, naturalKey, reading, needs }: FunctionsSource): string[] {
  const key = [reading.key ?? `Its ${naturalKey}.`, ...(needs.get.length === 0 ? needs.list : [])].join(" ");
  const members = (type: string, optionalType: string): string => {
    if (reading.idIsKey) return `${comment(key, "  ")}  ${naturalKey}: ${type};\n`;
    const rows = [`${comment("The platform's UUID.", "  ")}  id?`, `${comment(key, "  ")}  ${naturalKey}?`];
    return rows.map((row) => `${row}: ${optionalType};\n`).join("");
  };
  const which = reading.idIsKey ? `Which ${one}.` : `Which ${one}: exactly one of the two.`;
  const output = members("pulumi.Input<string>", "pulumi.Input<string | undefined>");
  return [
    `${comment(which)}export interface Get${kind}Args {\n${members("string", "string")}}\n`,
    `${comment(`{@link Get${kind}Args}, which may come from resources.`)}export interface Get${kind}OutputArgs {\n${output}}\n`,
  ];
}

function resultClass({ kind, one, reading, fields }: FunctionsSource): string {
  const { id = "The platform's UUID.", result = "", details = {} } = reading;
  const rows = Object.entries(fields).map(([name, field]) =>
    member(name, name in details ? orNull(field.description) : field.description, valueType(field)),
  );
  return (
    comment(`${capital(withArticle(one))} as it is on the platform${result}.`) +
    `export class Get${kind}Result extends ObjectResult {\n` +
    `${comment(id, "  ")}  declare readonly id: string;\n${rows.join("")}}\n\n` +
    `const resultOf = (found: ReadObject) => new Get${kind}Result(found);\n`
  );
}

function getOf({ kind, one, naturalKey, reading, needs }: FunctionsSource, by: string): string[] {
  const name = `get${kind}`;
  const found = reading.idIsKey ? `its ${naturalKey}` : `its id or its ${naturalKey}`;
  const place = reading.place === undefined ? "" : ` (${reading.place})`;
  const text = [
    `An existing ${one}, by ${found}, as it is now${place}.`,
    ...needs.get,
    "Fails if it does not exist, and before any request if the arguments or the connection are wrong.",
  ];
  const result = `Get${kind}Result`;
  return [
    `const GET = ${by}<Get${kind}OutputArgs, ${result}>("${kind}", "${naturalKey}", resultOf);\n`,
    comment(text.join(" "), "", example(name)) +
      functionText(name, `Get${kind}Args`, `Promise<${result}>`, "invoke(GET"),
    comment(`{@link ${name}} for arguments that come from resources: not known at preview if one of them is not.`) +
      functionText(`${name}Output`, `Get${kind}OutputArgs`, `pulumi.Output<${result}>`, "invokeOutput(GET"),
  ];
}

function listOf({ kind, many, reading: { page }, needs }: FunctionsSource): string[] {
  const name = `list${pluralOf(kind)}`;
  const cost =
    page === undefined
      ? "all are one request"
      : `a page of ${page} is requested when it is needed, and not after \`maximum\``;
  const text = [
    `The ${many} of the tenant, in the platform's order, for \`for await\`: ${cost} (docs/internals/platform.md, Lists).`,
    ...needs.list,
    "Throws at once if the arguments are wrong.",
  ];
  const result = `Get${kind}Result`;
  return [
    `const LIST = objectsOf("${kind}", resultOf);\n`,
    comment(text.join(" "), "", example(name)) +
      functionText(name, "ListArgs = {}", `AsyncGenerator<${result}, void, undefined>`, "listItems(LIST"),
    comment(`{@link ${name}} as one array: not known at preview if an argument is not.`) +
      functionText(`${name}Output`, "ListOutputArgs = {}", `pulumi.Output<${result}[]>`, "listOutput(LIST"),
  ];
}

const functionText = (name: string, args: string, returned: string, call: string): string =>
  `export function ${name}(args: ${args}, options: FunctionOptions = {}): ${returned} {\n` +
  `  return ${call}, args, options);\n}\n`;

const example = (name: string): string | undefined => {
  const described = FUNCTIONS.get(name);
  return described && exampleOf(name, described);
};

/** What is read of an object is null where there is none. */
const orNull = (text: string): string => `${text.replace(/(?<!\.)\.$/, "")}; null if the platform names none.`;

const withArticle = (one: string): string => `${/^[aeiou]/i.test(one) ? "an" : "a"} ${one}`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The module that makes the functions public. */
export function functionsIndex(): string {
  const exports = MANAGED_TYPES.map((kind) => {
    const names = [`get${kind}`, `get${kind}Output`, `list${pluralOf(kind)}`, `list${pluralOf(kind)}Output`];
    const types = [`Get${kind}Args`, `Get${kind}OutputArgs`, `Get${kind}Result`].map((name) => `type ${name}`);
    return `export { ${[...names, ...types].join(", ")} } from "./${folderOf(kind)}.generated";\n`;
  });
  return `${head("the tables of provider/resources")}\n${exports.sort().join("")}`;
}
