import { FUNCTIONS, shownRows } from "../../provider/functions/functions";
import { pluralOf } from "../../provider/lifecycle/fields/table";
import { folderOf, MANAGED_TYPES, type ManagedType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { comment } from "./comment";
import { exampleOf } from "./example";
import { capital } from "./markdown";
import { argsNames, head, headOf, member } from "./resource";
import { valueType } from "./types";

/** The module of the functions that read objects of a type. */
export function functionsModule(kind: ManagedType): string {
  const { table } = RESOURCES[kind];
  const by = table.reading?.idIsKey ? "objectByKey" : "objectOf";
  const result = resultClass(kind);
  const used = argsNames(table).filter((name) => new RegExp(`\\b${name}\\b`).test(result));
  const ofResources = `import type { ${used.sort().join(", ")} } from "../resources/${folderOf(kind)}.generated";\n`;
  return `${headOf(table)}
import type * as pulumi from "@pulumi/pulumi";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
${used.length === 0 ? "" : ofResources}\
import { listItems, listOutput, objectsOf } from "./list";
import { invoke, invokeOutput } from "./invoke";
import { ${by} } from "./object";
import type { FunctionOptions, ListArgs, ListOutputArgs, OutputArgs } from "./options";
import { ObjectResult } from "./result";

${argsOf(kind)}
${result}
const resultOf = (found: ReadObject) => new Get${kind}Result(found);

const GET = ${by}<Get${kind}OutputArgs, Get${kind}Result>("${kind}", "${table.naturalKey ?? "name"}", resultOf);

${getOf(kind)}
const LIST = objectsOf("${kind}", resultOf);

${listOf(kind)}`;
}

function argsOf(kind: ManagedType): string {
  const { one, naturalKey = "name", reading = {}, undocumented = [] } = RESOURCES[kind].table;
  const isGotten = !undocumented.includes("read");
  const key = [reading.key ?? `Its ${naturalKey}.`, ...(isGotten ? needs(kind, "list") : [])].join(" ");
  const members = reading.idIsKey
    ? `${comment(key, "  ")}  ${naturalKey}: string;`
    : `${comment("The platform's UUID.", "  ")}  id?: string;\n${comment(key, "  ")}  ${naturalKey}?: string;`;
  return `${comment(reading.idIsKey ? `Which ${one}.` : `Which ${one}: exactly one of the two.`)}\
export interface Get${kind}Args {
${members}
}

${comment(`{@link Get${kind}Args}, which may come from resources.`)}\
export type Get${kind}OutputArgs = OutputArgs<Get${kind}Args>;
`;
}

function resultClass(kind: ManagedType): string {
  const { table } = RESOURCES[kind];
  const { id = "The platform's UUID.", result = "", details = {} } = table.reading ?? {};
  const rows = Object.entries(shownRows(table)).map(([name, field]) =>
    member(name, name in details ? orNull(field.description) : field.description, valueType(field)),
  );
  return `${comment(`${capital(withArticle(table.one))} as it is on the platform${result}.`)}\
export class Get${kind}Result extends ObjectResult {
${comment(id, "  ")}  declare readonly id: string;
${rows.join("")}}
`;
}

const needs = (kind: ManagedType, verb: "read" | "list"): string[] =>
  RESOURCES[kind].table.undocumented?.includes(verb) ? ['Needs contract "extended".'] : [];

function getOf(kind: ManagedType): string {
  const { one, naturalKey = "name", reading = {} } = RESOURCES[kind].table;
  const name = `get${kind}`;
  const found = reading.idIsKey ? `its ${naturalKey}` : `its id or its ${naturalKey}`;
  const place = reading.place === undefined ? "" : ` (${reading.place})`;
  const text = [
    `An existing ${one}, by ${found}, as it is now${place}.`,
    ...needs(kind, "read"),
    "Fails if it does not exist, and before any request if the arguments or the connection are wrong.",
  ];
  return `${comment(text.join(" "), "", example(name))}\
export function ${name}(args: Get${kind}Args, options: FunctionOptions = {}): Promise<Get${kind}Result> {
  return invoke(GET, args, options);
}

${comment(`{@link ${name}} for arguments that come from resources: not known at preview if one of them is not.`)}\
export function ${name}Output(args: Get${kind}OutputArgs, options: FunctionOptions = {}): pulumi.Output<Get${kind}Result> {
  return invokeOutput(GET, args, options);
}
`;
}

function listOf(kind: ManagedType): string {
  const { one, reading = {} } = RESOURCES[kind].table;
  const name = `list${pluralOf(kind)}`;
  const byPage = `a page of ${reading.page} is requested when it is needed, and not after \`maximum\``;
  const cost = reading.page === undefined ? "all are one request" : byPage;
  const text = [
    `The ${pluralOf(one)} of the tenant, in the platform's order, for \`for await\`: ${cost} (docs/internals/platform.md, Lists).`,
    ...needs(kind, "list"),
    "Throws at once if the arguments are wrong.",
  ];
  return `${comment(text.join(" "), "", example(name))}\
export function ${name}(args: ListArgs = {}, options: FunctionOptions = {}): AsyncGenerator<Get${kind}Result, void, undefined> {
  return listItems(LIST, args, options);
}

${comment(`{@link ${name}} as one array: not known at preview if an argument is not.`)}\
export function ${name}Output(args: ListOutputArgs = {}, options: FunctionOptions = {}): pulumi.Output<Get${kind}Result[]> {
  return listOutput(LIST, args, options);
}
`;
}

const example = (name: string): string | undefined => {
  const described = FUNCTIONS.get(name);
  return described && exampleOf(name, described);
};

/** What is read of an object is null where there is none. */
const orNull = (text: string): string => `${text.replace(/(?<!\.)\.$/, "")}; null if the platform names none.`;

const withArticle = (one: string): string => `${/^[aeiou]/i.test(one) ? "an" : "a"} ${one}`;

/** The module that makes the functions public. */
export function functionsIndex(): string {
  const exports = MANAGED_TYPES.map((kind) => {
    const names = [`get${kind}`, `get${kind}Output`, `list${pluralOf(kind)}`, `list${pluralOf(kind)}Output`];
    const types = [`Get${kind}Args`, `Get${kind}OutputArgs`, `Get${kind}Result`].map((name) => `type ${name}`);
    return `export { ${[...names, ...types].join(", ")} } from "./${folderOf(kind)}.generated";\n`;
  });
  return `${head("the tables of provider/resources")}\n${exports.sort().join("")}`;
}
