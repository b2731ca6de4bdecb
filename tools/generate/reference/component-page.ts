import type { Component } from "../../../provider/resources/components";
import { linked, mark, markdownTable } from "../markdown";
import type { Converted } from "../programs";
import { argumentCells, outputCells } from "./facts";
import { type Example, exampleSection } from "./resource-page";

/** The reference page of a component. What its parts take stands on their pages. */
export function componentPage(component: Component, examples: readonly Example[], converted: Converted): string {
  const { kind, summary, inputs, outputs, like } = component;
  const own = Object.entries(inputs).filter(([name]) => like?.fields[name] === undefined);
  return [
    `# ${kind}\n`,
    mark("provider/resources/components.ts"),
    `${linked(summary)} It has no object of its own on the platform ([components](../agent-environment.md)).\n`,
    ...examples.map((example) => exampleSection(example, converted)),
    "## Arguments\n",
    ...(like === undefined ? [] : [`Those of a [${like.kind}](${like.kind.toLowerCase()}.md), and:\n`]),
    markdownTable([["Argument", "Type", "Meaning"], ...own.map((row) => argumentCells(...row))]),
    "## Outputs\n",
    markdownTable([["Output", "Type", "Meaning"], ...Object.entries(outputs).map((row) => outputCells(...row))]),
  ].join("\n");
}
