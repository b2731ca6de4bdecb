import type { DescribedFunction } from "../../../provider/native/schema";
import type { Field, Fields, Shape } from "../../../provider/lifecycle/fields/table";
import { markdownTable } from "../markdown";
import { defaultWords, typeWords } from "./facts";
import { linked, mark } from "./page";

/** The reference page of a reading function. */
export function functionPage(name: string, { description, args, result }: DescribedFunction): string {
  const items = itemsOf(result);
  return [
    `# ${name}\n`,
    mark("provider/functions"),
    `${linked(description)} It reads the platform and changes nothing.\n`,
    `\`\`\`ts\nimport { ${name} } from "pulumi-agent-platform";\n\nconst found = ${name}(${call(args)});\n\`\`\`\n`,
    `It returns a promise and also works in a plain script. \`${name}Output\` takes outputs of resources as arguments. The last argument of both, ` +
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

/** The fields of what a list holds; undefined for a function that reads one object. */
function itemsOf(result: Fields): Fields | undefined {
  const shape: Shape | undefined = result["items"]?.type;
  return shape?.kind === "list" && shape.of.kind === "object" ? shape.of.fields : undefined;
}

/** What a reader would write: the required arguments, else the one by which people know the object. */
function call(args: Fields): string {
  const required = Object.entries(args).filter(([, field]) => field.required);
  const known = Object.keys(args).filter((name) => !["id", "maximum"].includes(name));
  const names = required.length > 0 ? required.map(([name]) => name) : known.slice(0, 1);
  if (names.length === 0) return "";
  return `{ ${names.map((name) => `${name}: ${name.endsWith("Id") && !["providerId", "computeId"].includes(name) ? UUID : '"support-agent"'}`).join(", ")} }`;
}

const UUID = '"059e38f5-605f-4bbd-a442-ebe410a2d47d"';
