import type { DescribedFunction } from "../../../provider/native/schema";
import type { Field } from "../../../provider/lifecycle/fields/table";
import { exampleOf, itemsOf } from "../example";
import { markdownTable } from "../markdown";
import { defaultWords, typeWords } from "./facts";
import { linked, mark } from "./page";

/** The reference page of a reading function. */
export function functionPage(name: string, described: DescribedFunction): string {
  const { description, args, result } = described;
  const items = itemsOf(result);
  const returned = items === undefined ? "returns a promise" : "reads a page when it is needed";
  const asOutput = items === undefined ? "" : ", and returns one array";
  return [
    `# ${name}\n`,
    mark("provider/functions"),
    `${linked(description)} It reads the platform and changes nothing.\n`,
    `\`\`\`ts\nimport { ${name} } from "pulumi-agent-platform";\n\n${program(name, described)}\n\`\`\`\n`,
    `It ${returned} and also works in a plain script. \`${name}Output\` takes outputs of resources as arguments${asOutput}. The last argument of both, ` +
      "`{ platform }` or `{ connection }`, selects another connection than the stack's.\n",
    "## Arguments\n",
    markdownTable([["Argument", "Type", "Default", "What it is"], ...Object.entries(args).map(argumentRow)]),
    items === undefined ? "## Result\n" : "## Result\n\nA list. Each item has:\n",
    markdownTable([["Property", "Type", "What it is"], ...Object.entries(items ?? result).map(resultRow)]),
  ].join("\n");
}

function argumentRow([name, field]: readonly [string, Field]): string[] {
  const otherwise = field.required ? "required" : (defaultWords(field) ?? "");
  return [`\`${name}\``, typeWords(field.type), otherwise, linked(field.description)];
}

const resultRow = ([name, { type, description }]: readonly [string, Field]): string[] => [
  `\`${name}\``,
  typeWords(type) + (type.kind === "nullable" ? " or null" : ""),
  linked(description),
];

/** The example as a whole: a program waits only inside a function. */
function program(name: string, described: DescribedFunction): string {
  const example = exampleOf(name, described);
  const lines = itemsOf(described.result) === undefined ? [example, "console.log(found.id);"] : [example];
  return ["async function main() {", ...lines.map((line) => `  ${line}`), "}", "void main();"].join("\n");
}
