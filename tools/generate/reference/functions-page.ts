import type { DescribedFunction } from "../../../provider/native/schema";
import { type Field, type Fields, outputRows, type Table } from "../../../provider/lifecycle/fields/table";
import {
  exampleInProgram,
  exampleInYaml,
  exampleOf,
  itemsOf,
  type NamedFunction,
  ownArguments,
  together,
} from "../example";
import { linked, mark } from "../markdown";
import { type Converted, tabs } from "../programs";
import { argumentCells, outputCells } from "./facts";

/** A function by its name, with the kind of resource that it reads, if it reads one. */
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
    "- `get...` returns a promise of one object as it is now, found by its `id` or by the argument below, and fails if there is none.\n" +
      "- `list...` returns those of the tenant, in the platform's order. It reads a page when it is needed; its argument `maximum`, a whole number above 0, " +
      "limits the results.\n" +
      "- Every result has the platform's `id`. Outputs that only TypeScript has are not among the results.\n" +
      "- With `Output` behind its name, a function takes outputs of resources as arguments, and returns an output: `getDeploymentOutput`, and " +
      "`listDeploymentsOutput` with one array.\n" +
      "- The last argument, `{ platform }` or `{ connection }`, selects another connection than the stack's.\n",
    ...together(functions).map((each) => section(each, functions, converted)),
  ].join("\n");
}

export const headingOf = (functions: readonly NamedFunction[]): string => functions.map(({ name }) => name).join(", ");

function section(
  [one, ...lists]: readonly ShownFunction[],
  functions: readonly ShownFunction[],
  converted: Converted,
): string {
  if (one === undefined) return "";
  const {
    described: { description, args, result },
    read,
  } = one;
  const shown = [one, ...lists];
  const items = itemsOf(result);
  const reader = items && functions.find((each) => sameFields(each.described.result, items));
  const rows = [
    ...ownArguments(args).map((row) => item("argument", argumentCells(...row))),
    ...(reader === undefined ? resultItems(ownArguments(items ?? result), read) : []),
  ];
  const each = reader && ` Each is as [${reader.name}](#${reader.name.toLowerCase()}) returns it.`;
  return [
    `## ${headingOf(shown)}\n`,
    // The introduction says it of a pair.
    ...(lists.length === 0 ? [`${linked(description)}${each ?? ""}\n`] : []),
    tabs(exampleInProgram(shown), exampleInYaml(shown), converted),
    ...(rows.length === 0 ? [] : [`${rows.join("\n")}\n`]),
  ].join("\n");
}

const sameFields = (one: Fields, other: Fields): boolean => JSON.stringify(one) === JSON.stringify(other);

const item = (what: string, [name = "", type = "", text = ""]: readonly string[]): string =>
  `- ${what} ${name} (${type}): ${text}`;

/** What a function returns: what the page of its resource says already stands in one item. */
function resultItems(fields: readonly [string, Field][], read: ShownFunction["read"]): string[] {
  const known = read === undefined ? [] : outputRows(read.table.fields).map(([name]) => name);
  const own = fields.filter(([name]) => !known.includes(name)).map((row) => item("result", outputCells(...row)));
  if (read === undefined) return own;
  const missing = known.filter((name) => !fields.some(([each]) => each === name)).map((name) => `\`${name}\``);
  const except = missing.length === 0 ? "" : `, except ${missing.join(", ")}`;
  return [...own, `- result: the outputs of [${read.table.kind}](${read.page}.md)${except}`];
}

/** The examples as a whole: a program waits only inside a function. */
function program(functions: readonly ShownFunction[]): string {
  const lines = functions.flatMap(({ name, described }) => {
    const example = exampleOf(name, described);
    return itemsOf(described.result) === undefined ? [example, "console.log(found.id);"] : [example];
  });
  return ["async function main() {", ...lines.map((line) => `  ${line}`), "}", "void main();"].join("\n");
}
