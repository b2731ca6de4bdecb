import { outputRows, type Table } from "../../../provider/lifecycle/fields/table";
import { markdownTable } from "../markdown";
import { valueType } from "../types";
import { classText, type ClassText, type Member } from "./class-members";
import { argumentsOf, changeWords, defaultWords, driftWords, typeWords, type Place } from "./facts";
import { linked, mark } from "./page";

/** A program that a page shows: its name, and its text. */
export interface Example {
  readonly name: string;
  readonly text: string;
}

/** Everything that the page of a resource is made of. */
export interface Described {
  readonly table: Table;
  /** The SDK's module of the class. */
  readonly module: string;
  readonly examples: readonly Example[];
}

/** The reference page of a resource. */
export function resourcePage({ table, module, examples }: Described): string {
  const own = classText(table.kind, module);
  const isOwn = ({ path }: Place): boolean => own.ownArguments.some(({ name }) => name === path);
  return [
    `# ${table.kind}\n`,
    mark(`the table of ${table.kind} in provider/resources`),
    `${linked(own.description || table.summary)}\n`,
    limits(table),
    ...examples.map(exampleSection),
    "## Arguments\n",
    argumentsIntroduction(table),
    ...own.ownArguments.map(ownArgument),
    ...argumentsOf(table)
      .filter((place) => !isOwn(place))
      .map((place) => argumentSection(table, place)),
    "## Outputs\n",
    "Every argument is also an output, unless it says otherwise. The other outputs:\n",
    markdownTable([["Output", "Type", "What it is"], ...outputs(table, own)]),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function limits(table: Table): string {
  const { undocumented = [] } = table;
  const acts = table.acts === undefined ? "" : `\`up\` ${table.acts.what}, for at most \`${table.acts.limit}\`.\n`;
  if (undocumented.length === 0) return acts;
  const verbs = undocumented.filter((verb) => verb !== "list");
  const contract = "[contract](../concepts/contracts.md)";
  return `${acts}Under ${contract} \`documented\` you cannot ${verbs.join(", ").replace(/, ([^,]+)$/, " or $1")} it.\n`;
}

function exampleSection({ name, text }: Example): string {
  const [first = "", ...rest] = text.split("\n");
  const title = first.startsWith("// ") ? first.slice(3) : name;
  const code = (first.startsWith("// ") ? rest : [first, ...rest]).join("\n").trim();
  return `## Example: ${title}\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
}

function argumentsIntroduction({ naturalKey }: Table): string {
  if (naturalKey === undefined) return "It has no object of its own on the platform.\n";
  return `The platform identifies it by its \`${naturalKey}\`. An argument that you do not declare is not managed: it causes neither changes nor drift.\n`;
}

function argumentSection(table: Table, place: Place): string {
  const { path, field } = place;
  const otherwise = defaultWords(field);
  const need = field.required && otherwise === undefined ? "required" : "";
  const facts = [
    ["Deprecated", field.deprecationMessage],
    ["Type", [typeWords(field.type), need].filter(Boolean).join(", ")],
    ["Default", otherwise],
    ["A change", changeWords(table, place)],
    ["Drift", driftWords(table, place)],
    ["Secret", field.secret ? "encrypted in state as a whole, never shown" : undefined],
  ];
  return `### \`${path}\`\n\n${linked(field.description)}\n\n${list(facts)}`;
}

function ownArgument({ name, type, text, defaultText, isOptional }: Member): string {
  const facts = [
    ["Type", `\`${type}\`${isOptional ? "" : ", required"}`],
    ["Default", defaultText],
  ];
  return `### \`${name}\`\n\n${linked(text)}\n\n${list(facts)}`;
}

const list = (facts: readonly (readonly (string | undefined)[])[]): string =>
  facts.flatMap(([name, value]) => (value === undefined ? [] : [`- **${name}:** ${value}\n`])).join("");

function outputs(table: Table, own: ClassText): string[][] {
  const computed = outputRows(table.fields).filter(([, { computed: isComputed }]) => isComputed);
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  return [
    ...computed.map(([name, field]) => [`\`${name}\``, `\`${cell(valueType(field))}\``, linked(field.description)]),
    ...own.ownProperties.map(({ name, type, text }) => {
      const plain = type.replace(/^pulumi\.Output<(.*)>$/, "$1");
      return [`\`${name}\``, `\`${cell(plain)}\``, linked(text)];
    }),
  ];
}
