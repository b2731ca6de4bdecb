import type { DescribedFunction } from "../../../provider/native/schema";
import { type Field, type Fields, outputRows, type Table } from "../../../provider/lifecycle/fields/table";
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
      "- Every result has the platform's `id`; a function that finds an object by its id takes that argument.\n" +
      "- With `Output` behind its name, a function takes outputs of resources as arguments, and returns an output: `getDeploymentOutput`, and " +
      "`listDeploymentsOutput` with one array.\n" +
      "- The last argument, `{ platform }` or `{ connection }`, selects another connection than the stack's.\n",
    ...functions.map((each) => section(each, functions, converted)),
  ].join("\n");
}

function section(
  { name, described, read }: ShownFunction,
  functions: readonly ShownFunction[],
  converted: Converted,
): string {
  const { description, args, result } = described;
  const items = itemsOf(result);
  const reader = items && functions.find((each) => sameFields(each.described.result, items));
  const own = withoutKnown(args);
  const rows = [
    ...own.map((row) => ["argument", ...argumentCells(...row)]),
    ...(reader === undefined ? resultRows(withoutKnown(items ?? result), read) : []),
  ];
  const each = reader && ` Each is as [${reader.name}](#${reader.name.toLowerCase()}) returns it.`;
  return [
    `## ${name}\n`,
    `${linked(description)}${each ?? ""}\n`,
    tabs(exampleInProgram(name, described), exampleInYaml(name, described), converted),
    ...(rows.length === 0 ? [] : [markdownTable([["", "Name", "Type", "Meaning"], ...rows])]),
  ].join("\n");
}

/** Without what the introduction has. */
const withoutKnown = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(([name]) => !["id", "maximum"].includes(name));

const sameFields = (one: Fields, other: Fields): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a function returns: what the page of its resource says already stands in one row. */
function resultRows(fields: readonly [string, Field][], read: ShownFunction["read"]): string[][] {
  const known = read === undefined ? [] : outputRows(read.table.fields).map(([name]) => name);
  const [shared, own] = [true, false].map((isKnown) => fields.filter(([name]) => known.includes(name) === isKnown));
  const names = (shared ?? []).map(([name]) => `\`${name}\``).join(", ");
  const link = read === undefined ? "" : ` as in [${read.table.kind}](${read.page}.md)`;
  return [
    ...(own ?? []).map((row) => ["result", ...outputCells(...row)]),
    ...(names === "" ? [] : [["result", "others", "", `${names}:${link}`]]),
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
