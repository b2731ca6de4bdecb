import type { DescribedFunction } from "../../../provider/native/schema";
import { type Fields, outputRows, type Table } from "../../../provider/lifecycle/fields/table";
import { exampleInProgram, exampleInYaml, exampleOf, itemsOf } from "../example";
import { linked, mark, markdownTable } from "../markdown";
import { type Converted, tabs } from "../programs";
import { argumentCells, outputCells } from "./facts";

/** A function by its name, with the kind of object that it reads: none for what is no resource. */
export interface ShownFunction {
  readonly name: string;
  readonly described: DescribedFunction;
  readonly read: { readonly page: string; readonly table: Table } | undefined;
}

/** The reference page of all reading functions. */
export function functionsPage(functions: readonly ShownFunction[], converted: Converted): string {
  const one = functions.find(({ described }) => itemsOf(described.result) === undefined);
  const many = functions.find(({ described }) => itemsOf(described.result) !== undefined);
  const shown = [one, many].flatMap((each) => each ?? []);
  return [
    "# Functions\n",
    mark("provider/functions"),
    "Functions read the platform and change nothing. In TypeScript they work in plain scripts, too:\n",
    `\`\`\`ts\nimport { ${shown.map(({ name }) => name).join(", ")} } from "pulumi-agent-platform";\n\n${program(shown)}\n\`\`\`\n`,
    "- `get...` returns a promise. `list...` reads a page when it is needed; its argument `maximum`, a whole number above 0, limits the results.\n" +
      "- With `Output` behind its name, a function takes outputs of resources as arguments, and returns an output: `getDeploymentOutput`, and " +
      "`listDeploymentsOutput` with one array.\n" +
      "- The last argument, `{ platform }` or `{ connection }`, selects another connection than the stack's.\n",
    ...functions.map((each) => section(each, functions, converted)),
  ].join("\n");
}

function section(each: ShownFunction, functions: readonly ShownFunction[], converted: Converted): string {
  const { name, described, read } = each;
  const { description, args, result } = described;
  const items = itemsOf(result);
  const reader = items && functions.find((other) => sameFields(other.described.result, items));
  // The introduction has `maximum`.
  const own = Object.entries(args).filter(([argument]) => argument !== "maximum");
  const rows = merged(
    own.map((row) => argumentCells(...row)),
    reader === undefined ? resultRows(items ?? result, read) : [],
  );
  return [
    `## ${name}\n`,
    [linked(description), ...(reader === undefined ? [] : [`Each is as ${linkTo(reader)} returns it.`])].join(" ") +
      "\n",
    tabs(exampleInProgram(name, described), exampleInYaml(name, described), converted),
    ...(rows.length === 0 ? [] : [markdownTable([["", "Name", "Type", "Meaning"], ...rows])]),
  ].join("\n");
}

const linkTo = ({ name }: ShownFunction): string => `[${name}](#${name.toLowerCase()})`;

/** The rows of arguments and results: one for what is both. */
function merged(args: readonly string[][], results: readonly string[][]): string[][] {
  const isIn = (rows: readonly string[][], row: string[]): boolean => rows.some((each) => String(each) === String(row));
  return [
    ...args.map((row) => [isIn(results, row) ? "argument, result" : "argument", ...row]),
    ...results.filter((row) => !isIn(args, row)).map((row) => ["result", ...row]),
  ];
}

const sameFields = (one: Fields, other: Fields): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a function returns: what the page of its resource says already stands in one row. */
function resultRows(fields: Fields, read: ShownFunction["read"]): string[][] {
  const known = read === undefined ? [] : outputRows(read.table.fields).map(([name]) => name);
  const [shared, own] = [true, false].map((isKnown) =>
    Object.entries(fields).filter(([name]) => known.includes(name) === isKnown),
  );
  const names = (shared ?? []).map(([name]) => `\`${name}\``).join(", ");
  const link = read === undefined ? "" : ` as in [${read.table.kind}](${read.page}.md)`;
  return [
    ...(own ?? []).map((row) => outputCells(...row)),
    ...(names === "" ? [] : [["others", "", `${names}:${link}`]]),
  ];
}

/** The examples as a whole: a program waits only inside a function. */
function program(functions: readonly ShownFunction[]): string {
  const lines = functions.flatMap(({ name, described }) => {
    const example = exampleOf(name, described);
    return itemsOf(described.result) === undefined ? [example, "console.log(found.id);"] : [example];
  });
  return ["async function main() {", ...lines.map((line) => `  ${line}`), "}", "void main();"].join("\n");
}
