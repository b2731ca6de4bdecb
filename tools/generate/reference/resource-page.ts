import { argumentRows, outputRows, type Table } from "../../../provider/lifecycle/fields/table";
import { extra } from "../../../provider/lifecycle/fields/types";
import { listed, sentencesOf } from "../../../provider/resources/deployment/sources";
import { capital, linked, mark, markdownTable } from "../markdown";
import { type Converted, tabs } from "../programs";
import { classText, type ClassText, type Member } from "./class-members";
import {
  argumentsOf,
  changeWords,
  defaultWords,
  driftWords,
  fieldsMark,
  outputCells,
  type Place,
  describedWithDefault,
  typeWords,
} from "./facts";

/** A program that a page shows, whose first line in TypeScript is its title. */
export interface Example {
  readonly typescript: string;
  readonly yaml: string;
}

/** The reference page of a resource. @param module The SDK's module of its class. */
export function resourcePage(table: Table, module: string, examples: readonly Example[], converted: Converted): string {
  const own = classText(table.kind, module);
  return [
    `# ${table.kind}\n`,
    mark("provider/resources"),
    `${linked(own.description || table.summary)}\n`,
    limits(table),
    ...examples.map((example) => exampleSection(example, converted)),
    "## Arguments\n",
    ...argumentTables(table, own),
    "## Outputs\n",
    `All arguments${exceptions(table, own)}, and:\n`,
    markdownTable([["Output", "Type", "Meaning"], ...outputs(table, own)]),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function limits(table: Table): string {
  const { undocumented = [] } = table;
  const acts = table.acts === undefined ? "" : `It takes at most \`${table.acts.limit}\`.\n`;
  // The description says so where nothing is possible.
  if (undocumented.length === 0 || undocumented.includes("create")) return acts;
  const verbs = undocumented.filter((verb) => verb !== "list");
  const contract = "[contract](../concepts/contracts.md)";
  return `${acts}Under ${contract} \`documented\` you cannot ${listed(verbs, "or")} it.\n`;
}

export function exampleSection({ typescript, yaml }: Example, converted: Converted): string {
  const [title = "", ...code] = typescript.split("\n");
  return `## Example: ${title.replace("// ", "")}\n\n${tabs(code.join("\n"), yaml, converted)}`;
}

/** What a change of an argument does, and what a refresh sees of it, as sentences; empty where there is nothing to say. */
type Behaviour = readonly [change: string, drift: string];

/** An argument as a row: its path, its type, its sentences, and how it behaves. */
interface Row {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  readonly behaviour: Behaviour | undefined;
}

/** The arguments as tables: first those of the resource itself, then those of each large object in it. */
function argumentTables(table: Table, own: ClassText): string[] {
  const places = argumentsOf(table).filter(({ path }) => !own.ownArguments.some(({ name }) => name === path));
  const objects = ["", ...places.filter((place) => isLarge(place, places)).map(pathWithin)];
  const rowsOf = (object: string): Row[] => [
    ...(object === "" ? own.ownArguments.map((member) => ownRow(table, member)) : []),
    ...places.filter(({ path }) => ownerOf(path, objects) === object).map((place) => placeRow(table, place)),
  ];
  const usual = mostOf(rowsOf(""));
  return objects.flatMap((object) => {
    const rows = rowsOf(object);
    const here = mostOf(rows);
    const [title, about] =
      object === ""
        ? ["", `${identity(table)} Unless its row says otherwise, ${aboutChanges(here)}\n`]
        : [`### \`${object}\`\n`, String(here) === String(usual) ? "" : `${capital(aboutChanges(here))}\n`];
    return [title, about, argumentTable(rows, object, here)];
  });
}

function identity({ naturalKey, acts }: Table): string {
  if (acts !== undefined) return "It has no object of its own on the platform.";
  return naturalKey === undefined
    ? "It has no name, only an id."
    : `The platform identifies it by its \`${naturalKey}\`.`;
}

const aboutChanges = ([change, drift]: Behaviour): string => `a change ${[change, drift].filter(Boolean).join(" ")}`;

function argumentTable(rows: readonly Row[], object: string, [usualChange, usualDrift]: Behaviour): string {
  const shown = rows.map(({ path, type, text, behaviour }) => {
    const around = rows.find((row) => row.behaviour && /^(?:\[\]|\.\*)?\.[^.]+$/.test(tailOf(path, row.path)));
    const [change, drift] = behaviour ?? [usualChange, usualDrift];
    const [known, knownDrift] = around?.behaviour ?? [usualChange, usualDrift];
    const isKnown = change === known || (path === "extra" && known.startsWith(change.replace(".", ";")));
    const sentences = [text, isKnown ? "" : `A change ${change}`, drift === knownDrift ? "" : drift];
    const name = object === "" ? path : path.slice(object.length + 1);
    return [`\`${name}\``, cell(type), cell(sentences.filter(Boolean).join(" "))];
  });
  return markdownTable([["Argument", "Type", "Meaning"], ...grouped(shown)]);
}

/** Rows that say the same become one, where the first of them is. */
function grouped(rows: readonly (readonly string[])[]): string[][] {
  const all = rows.map(([, type = "", text = ""]) => {
    const names = rows.flatMap(([name = "", ...rest]) => (rest[0] === type && rest[1] === text ? [name] : []));
    return [names.join(", "), type, text];
  });
  return all.filter(([names], at) => all.findIndex(([others]) => others === names) === at);
}

/** What a path has behind that of an object in which it is; empty for any other. */
const tailOf = (path: string, object: string): string => (path.startsWith(object) ? path.slice(object.length) : "");

/** How most of the rows behave. */
function mostOf(rows: readonly Row[]): Behaviour {
  const most = (texts: readonly string[]): string => {
    const count = (text: string): number => texts.filter((each) => each === text).length;
    return texts.reduce((best, text) => (count(text) > count(best) ? text : best), texts[0] ?? "");
  };
  const all = rows.flatMap(({ behaviour }) => (behaviour === undefined ? [] : [behaviour]));
  return [most(all.map(([change]) => change)), most(all.map(([, drift]) => drift))];
}

/** How many fields an object has that gets a table of its own; the fields of a smaller one stand in the table around it. */
const LARGE = 4;

const isLarge = (place: Place, places: readonly Place[]): boolean =>
  places.filter(({ path }) => path.startsWith(`${pathWithin(place)}.`)).length >= LARGE;

/** What the paths of a field's own fields begin with: `expect.values[]` for the items of `expect.values`. */
const pathWithin = ({ path, field }: Place): string => path + fieldsMark(field.type);

/** The innermost of these objects that a path is in; the empty one is the resource itself. */
const ownerOf = (path: string, objects: readonly string[]): string =>
  objects.reduce((best, each) => (path.startsWith(`${each}.`) && each.length > best.length ? each : best), "");

function placeRow(table: Table, place: Place): Row {
  const { path, field } = place;
  const otherwise = defaultWords(field);
  const instead = field.unlessGiven === undefined ? "" : ` unless \`${field.unlessGiven}\` is given`;
  return {
    path,
    type:
      typeWords(field.type) +
      (field.required && (otherwise ?? field.classDefault) === undefined ? `, required${instead}` : ""),
    text: [
      field.deprecationMessage && `**Deprecated:** ${field.deprecationMessage}`,
      describedWithDefault(onPage(place), otherwise),
      field.classDefault && `${field.required ? "Required. " : ""}Default in TypeScript: ${field.classDefault}.`,
      field.secret && "Encrypted in state as a whole.",
    ]
      .filter(Boolean)
      .join(" "),
    behaviour: behaviourOf(table, place),
  };
}

/** A description, without what another page says: the sources, or the first page of the reference. */
const onPage = ({ path, field: { description } }: Place): string =>
  description
    .replace(sentencesOf(path), "")
    .replace(extra.description, "Fields that this version does not know ([more](index.md#extra-and-adopt)).")
    .trim();

function behaviourOf(table: Table, place: Place): Behaviour | undefined {
  if (place.path === "adopt") return undefined;
  const change = `${changeWords(table, place)}.`;
  return place.path === "extra" ? [change, ""] : [change, driftWords(table, place) ?? ""];
}

const ownRow = (table: Table, { name, type, text, defaultText, isOptional }: Member): Row => ({
  path: name,
  type: `\`${type}\`${isOptional ? "" : ", required"}`,
  text: ofClass(table, name) + describedWithDefault(text, defaultText),
  behaviour: undefined,
});

/** The mark of what only the class of the npm package has. */
const ofClass = ({ fields }: Table, name: string): string => (name in fields ? "" : "**TypeScript only.** ");

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The arguments that are no properties of the class. */
function exceptions({ fields }: Table, own: ClassText): string {
  const shown = outputRows(fields).map(([name]) => name);
  const hidden = [
    ...own.ownArguments.map(({ name }) => name).filter((name) => !own.ownProperties.some((each) => each.name === name)),
    ...argumentRows(fields).map(([name]) => name),
  ].filter((name, at, all) => !shown.includes(name) && all.indexOf(name) === at);
  return hidden.length === 0 ? "" : `, except ${hidden.map((name) => `\`${name}\``).join(", ")}`;
}

function outputs(table: Table, own: ClassText): string[][] {
  const computed = outputRows(table.fields).filter(([, { computed: isComputed }]) => isComputed);
  return [
    ...computed.map((row) => outputCells(...row)),
    ...own.ownProperties.map(({ name, type, text }) => {
      const plain = type.replace(/^pulumi\.Output<(.*)>$/, "$1");
      return [`\`${name}\``, `\`${cell(plain)}\``, ofClass(table, name) + linked(text)];
    }),
  ];
}
