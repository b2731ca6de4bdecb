import type { DescribedFunction } from "../../../provider/native/schema";
import type { Table } from "../../../provider/lifecycle/fields/table";
import { markdownTable } from "../markdown";
import { argumentsOf } from "./facts";
import { mark } from "./page";

/** The page that leads to all others of the reference. */
export const indexPage = (
  tables: readonly (readonly [folder: string, table: Table])[],
  functions: readonly (readonly [name: string, DescribedFunction])[],
): string =>
  [
    "# Reference\n",
    mark("the registry of resources"),
    "## Resources\n",
    markdownTable([
      ["Resource", "What it is", "A change of these replaces it"],
      ...tables.map(([folder, table]) => [
        `[${table.kind}](${folder}.md)`,
        firstSentence(table.summary),
        replacing(table),
      ]),
    ]),
    "Every other change is one request to the platform. A replacement deletes the old object first, because the new one needs its name.\n",
    "[AgentEnvironment](../agent-environment.md) combines them.\n",
    "## Functions\n",
    "Functions read from the platform, in programs and in plain scripts.\n",
    markdownTable([
      ["Function", "What it reads"],
      ...functions.map(([name, { description }]) => [`[${name}](${name}.md)`, firstSentence(description)]),
    ]),
    "## Settings\n",
    "[Settings](settings.md) says how a program finds the platform, and with which key.\n",
  ].join("\n");

const firstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;

function replacing(table: Table): string {
  const paths = argumentsOf(table)
    .filter(
      ({ rule, path }, _at, all) =>
        rule.replaceOn === "always" && !all.some((other) => path.startsWith(`${other.path}.`)),
    )
    .map(({ path }) => `\`${path}\``);
  return paths.join(", ");
}
