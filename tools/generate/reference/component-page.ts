import type { Component } from "../../../provider/resources/components";
import { linked, mark, markdownTable } from "../markdown";
import type { Converted } from "../programs";
import { answerWords, defaultWords, typeWords } from "./facts";
import { type Example, exampleSection } from "./resource-page";

/** The reference page of a component. What its parts take stands on their pages. */
export function componentPage(component: Component, examples: readonly Example[], converted: Converted): string {
  const { kind, summary, inputs, outputs, like } = component;
  const own = Object.entries(inputs).filter(([name]) => like?.fields[name] === undefined);
  const given = own.map(([name, field]) => {
    const otherwise = defaultWords(field);
    const text = linked(field.description) + (otherwise === undefined ? "" : ` Default: ${otherwise}.`);
    return [`\`${name}\``, typeWords(field.type) + (field.required ? ", required" : ""), text];
  });
  const shown = Object.entries(outputs).map(([name, field]) => [
    `\`${name}\``,
    answerWords(field.type),
    linked(field.description),
  ]);
  return [
    `# ${kind}\n`,
    mark("provider/resources/components.ts"),
    `${linked(summary)} It has no object of its own on the platform ([components](../agent-environment.md)).\n`,
    ...examples.map((example) => exampleSection(example, converted)),
    "## Arguments\n",
    ...(like === undefined ? [] : [`Those of a [${like.kind}](${like.kind.toLowerCase()}.md), and:\n`]),
    markdownTable([["Argument", "Type", "Meaning"], ...given]),
    "## Outputs\n",
    markdownTable([["Output", "Type", "Meaning"], ...shown]),
  ].join("\n");
}
