import type { Field } from "../../provider/lifecycle/fields/table";
import { deploymentTable } from "../../provider/resources/deployment/fields";
import { SOURCE_NAMES, sourceRow, type Source } from "../../provider/resources/deployment/sources";
import { comment, commentOf } from "./comment";
import { head } from "./resource";
import { openUnion } from "./types";

/** An argument of a deployment whose own fields depend on the source. */
interface Part {
  /** The argument: "sourceConfig". */
  readonly place: string;
  readonly field: Field;
  /** The name of its interface: "SourceConfigArgs". */
  readonly whole: string;
  /** The name of the type that is its interface for a source: "SourceConfigFor". */
  readonly chosen: string;
  /** The sources that refuse some of its fields, with those fields. */
  readonly refusals: readonly (readonly [source: Source, refused: readonly string[]])[];
}

const { fields } = deploymentTable;

const PARTS: readonly Part[] = Object.entries(fields).flatMap(([place, field]) => {
  const { name: whole } = field.type.kind === "object" ? field.type : {};
  const refusals = SOURCE_NAMES.map((source) => [source, refusedBelow(place, source)] as const);
  const some = refusals.filter(([, refused]) => refused.length > 0);
  if (whole === undefined || some.length === 0) return [];
  return [{ place, field, whole, chosen: whole.replace(/Args$/, "For"), refusals: some }];
});

function refusedBelow(place: string, source: Source): string[] {
  const paths = [...sourceRow(source).refuses.keys()].map((path) => path.split("."));
  return paths.flatMap(([above, below]) => (above === place && below !== undefined ? [below] : []));
}

/** "ExternalDockerSourceConfigArgs" */
const nameFor = (whole: string, source: Source): string =>
  source.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()) + whole;

/** The module of a deployment's arguments as they depend on its source: what the source refuses is not among them. */
export function bySourceModule(): string {
  const wholes = PARTS.map(({ whole }) => whole).sort();
  return [
    `${head("provider/resources/deployment/sources.ts")}\n` +
      "/* eslint-disable @typescript-eslint/no-empty-object-type -- the compiler's messages show the name of an interface, but what an alias stands for */\n" +
      'import type * as pulumi from "@pulumi/pulumi";\n' +
      `import type { ${wholes.join(", ")} } from "./deployment.generated";\n`,
    comment("A source: one that is known here, or any other text.") +
      `export type DeploymentSource =\n  ${openUnion(SOURCE_NAMES)};\n`,
    ...PARTS.flatMap((part) => [...part.refusals.map((refusal) => interfaceOf(part, ...refusal)), choiceOf(part)]),
    argumentsOf(),
  ].join("\n");
}

function interfaceOf({ place, whole }: Part, source: Source, refused: readonly string[]): string {
  const without = refused.map((name) => JSON.stringify(name)).join(" | ");
  const begin = `export interface ${nameFor(whole, source)} extends Omit<`;
  const text = shorter(`${begin}${whole}, ${without}> {}\n`, `${begin}\n  ${whole},\n  ${without}\n> {}\n`);
  return `${comment(`\`${place}\` with source ${JSON.stringify(source)}.`)}${text}`;
}

/** One line where it fits, as prettier formats it. */
const shorter = (line: string, broken: string): string => (line.length <= 121 ? line : broken);

function choiceOf({ place, whole, chosen, refusals }: Part): string {
  const lookup = `${whole.replace(/Args$/, "")}BySource`;
  const members = refusals.map(([source]) => `  ${source}: ${nameFor(whole, source)};\n`).join("");
  const begin = `type ${chosen}<Source> = Source extends keyof ${lookup}`;
  const ends = [`? ${lookup}[Source]`, `: ${whole};\n`] as const;
  return (
    `interface ${lookup} {\n${members}}\n\n` +
    comment(`\`${place}\` with this source: whole where that is not known.`) +
    shorter([begin, ...ends].join(" "), [begin, ...ends].join("\n  "))
  );
}

function argumentsOf(): string {
  const { source } = fields;
  const members = PARTS.map(
    ({ place, field, chosen }) => `${commentOf(field, "  ")}  ${place}?: pulumi.Input<${chosen}<Source>>;\n`,
  );
  return (
    comment("The arguments that depend on each other.") +
    "export interface SourcedArgs<Source extends DeploymentSource> {\n" +
    `${commentOf(source, "  ")}  source: pulumi.Input<Source>;\n${members.join("")}}\n`
  );
}
