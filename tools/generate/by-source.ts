import type { Field } from "../../provider/lifecycle/fields/table";
import { deploymentTable } from "../../provider/resources/deployment/fields";
import { SOURCE_NAMES, sourceRow, type Source } from "../../provider/resources/deployment/sources";
import { comment, commentOf } from "./comment";
import { head } from "./resource";
import { inputType, oneOf, openUnion } from "./types";

const { fields } = deploymentTable;

/** The arguments of a deployment whose own fields depend on the source, by their places: "sourceConfig". */
const PARTS = Object.entries(fields).flatMap(([place, field]) => {
  /** The name of its interface: "SourceConfigArgs". */
  const { name: whole } = field.type.kind === "object" ? field.type : {};
  /** The sources that refuse or need some of its fields, with those fields. */
  const rows = SOURCE_NAMES.map((source) => {
    const { refuses, needs } = sourceRow(source);
    return { source, refused: below(place, [...refuses.keys()]), needed: below(place, needs) };
  }).filter(({ refused, needed }) => refused.length + needed.length > 0);
  if (whole === undefined || rows.length === 0) return [];
  /** The name of the type that is its interface for a source: "SourceConfigFor". */
  const chosen = whole.replace(/Args$/, "For");
  return [{ place, field, whole, chosen, rows }];
});
type Part = (typeof PARTS)[number];

function below(place: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => (path.startsWith(`${place}.`) ? [path.slice(place.length + 1)] : []));
}

/** "ExternalDockerSourceConfigArgs" */
const nameFor = (whole: string, source: Source): string =>
  source.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()) + whole;

/** The module of a deployment's arguments as they depend on its source: what the source refuses is not among them, and what it needs is required. */
export const bySourceModule = (): string => `${head("provider/resources/deployment/sources.ts")}
// Interfaces, because the compiler's messages show their names, but what an alias stands for.
import type * as pulumi from "@pulumi/pulumi";
import type { ${PARTS.map(({ whole }) => whole)
  .sort()
  .join(", ")} } from "./deployment.generated";

${comment("A source that is known here.")}type KnownSource = ${oneOf(SOURCE_NAMES)};

${comment("A source: one that is known here, or any other text.")}export type DeploymentSource = ${openUnion(SOURCE_NAMES)};

${PARTS.flatMap((part) => [...part.rows.map((row) => interfaceOf(part, row)), choiceOf(part)]).join("\n")}
${comment("Refuses a text that is no source, and the compiler then names the nearest one; but none that the compiler does not know.")}\
type SourceInput<Source> = string extends Source ? pulumi.Input<Source> : Source extends KnownSource ? pulumi.Input<Source> : KnownSource;

${comment("The source: the other arguments depend on it.")}interface WithSource<Source> {
${commentOf(fields.source, "  ")}  source: SourceInput<Source>;
}

${PARTS.map(withPart).join("\n")}
${comment("The arguments that depend on each other.")}export type SourcedArgs<Source extends DeploymentSource> = \
${["WithSource<Source>", ...PARTS.map(neededPart)].join(" & ")};
`;

function interfaceOf({ place, whole, field }: Part, { source, refused, needed }: Part["rows"][number]): string {
  const without = oneOf([...refused, ...needed]);
  const body = needed.map((name) => neededMember(field, name)).join("");
  const begin = `export interface ${nameFor(whole, source)} extends Omit<${whole}, ${without}> {`;
  return `${comment(`\`${place}\` with source ${JSON.stringify(source)}.`)}${begin}${body && `\n${body}`}}\n`;
}

function neededMember({ type }: Field, name: string): string {
  const field = type.kind === "object" ? type.fields[name] : undefined;
  if (field === undefined) throw new Error(`there is no field ${name} in ${type.kind}`);
  return `${commentOf(field, "  ")}  ${name}: ${inputType(field.type)};\n`;
}

function choiceOf({ place, whole, chosen, rows }: Part): string {
  const lookup = `${whole.replace(/Args$/, "")}BySource`;
  const members = rows.map(({ source }) => `  ${source}: ${nameFor(whole, source)};\n`).join("");
  return `interface ${lookup} {
${members}}

${comment(`\`${place}\` with this source: whole where that is not known.`)}\
type ${chosen}<Source> = Source extends keyof ${lookup} ? ${lookup}[Source] : ${whole};
`;
}

/** "WithSourceConfig" */
const withName = ({ place }: Part): string => `With${place[0]?.toUpperCase() ?? ""}${place.slice(1)}`;

function withPart(part: Part): string {
  const { place, field, chosen } = part;
  return `${comment(`\`${place}\`, as the source takes it.`)}interface ${withName(part)}<Source> {
${commentOf(field, "  ")}  ${place}: pulumi.Input<${chosen}<Source>>;
}
`;
}

/** What a source takes and needs: an argument that is missing, and a source that is not known, do not compile. */
function neededPart(part: Part): string {
  const sources = part.rows.filter(({ needed }) => needed.length > 0).map(({ source }) => source);
  const whole = `${withName(part)}<Source>`;
  return `([Source] extends [${oneOf(sources)}] ? ${whole} : Partial<${whole}>)`;
}
