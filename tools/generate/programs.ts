import { execFileSync } from "node:child_process";
import { z } from "zod";
import { FUNCTIONS } from "../../provider/functions/functions";
import { pluginSchema } from "../../provider/native/schema";
import { COMPONENTS } from "../../provider/resources/components";
import { folderOf, RESOURCE_TYPES } from "../../provider/resources/resource-types";
import { OLDEST_GO_FOR_YAML } from "../engine/layout";
import type { Workplace } from "../engine/ways";
import { ensureOwnProgram } from "../release/generator";
import { exampleInYaml, together } from "./example";

/** The text of a file of the project as it is, by its path from the root; undefined where it is not there. */
export type Read = (file: string) => string | undefined;

/** What the converter has made of each program in YAML; empty where the language's generator cannot write it. */
const converted = z.record(z.string(), z.object({ python: z.string(), go: z.string(), java: z.string() }));
export type Converted = z.output<typeof converted>;
export const CONVERTED = "docs/examples/converted.json";

/** The sources of which a resource has an example, beside the one of its own. */
const VARIANTS = ["", "-external-docker", "-github", "-internal-docker"];

/** The examples of a resource, without the ends of their files. @param folder As its page is called. */
export const examplesOf = (folder: string, read: Read): string[] =>
  VARIANTS.map((variant) => `docs/examples/${folder}${variant}`).filter((file) => read(`${file}.ts`) !== undefined);

/** All programs in YAML: the examples of each resource of the schema, and a call of each function. */
export function programsOf(read: Read): string[] {
  const kinds = [...RESOURCE_TYPES, ...COMPONENTS.map(({ kind }) => kind)];
  const files = kinds.flatMap((kind) => examplesOf(folderOf(kind), read));
  const calls = together([...FUNCTIONS].map(([name, described]) => ({ name, described }))).map(exampleInYaml);
  return [...files.flatMap((file) => read(`${file}.yaml`) ?? []), ...calls];
}

/** The programs as they were converted. Throws for one that was not. */
export function convertedOf(programs: readonly string[], read: Read): Converted {
  const known = converted.parse(JSON.parse(read(CONVERTED) ?? "{}"));
  return Object.fromEntries(
    programs.map((program) => {
      const found = known[program];
      if (found === undefined) throw new Error(`not converted yet, which \`npm run generate\` does:\n${program}`);
      return [program, found];
    }),
  );
}

/** The converter's files of languages, with the module whose go.mod pins their generators. */
const CONVERTERS = { "convert-python-go": "tools/engine/yaml", "convert-java": "tools/release/generators" };

/** Converts programs with Pulumi's own converter, which refuses what the schema does not have. Needs Go where it was not built yet. */
export async function convert(place: Workplace, programs: readonly string[]): Promise<Converted> {
  const input = `{"schema":${pluginSchema()},"programs":${JSON.stringify(programs)}}`;
  const options = { input, encoding: "utf8", maxBuffer: 1e8, stdio: "pipe" } as const;
  const part = z.record(z.string(), z.record(z.string(), z.string()));
  const made: z.output<typeof part> = {};
  for (const [file, module] of Object.entries(CONVERTERS)) {
    const sources = [module, "tools/generate/convert.go", `tools/generate/${file}.go`] as const;
    const about = { name: "converter of programs", file, oldestGo: OLDEST_GO_FOR_YAML };
    const texts = part.parse(JSON.parse(execFileSync(await ensureOwnProgram(place, sources, about), options)));
    for (const program of programs) made[program] = { ...made[program], ...texts[program] };
  }
  return converted.parse(made);
}

/** What stands in a program of each language, between what stands in all of them. */
const BODIES = {
  python: /^(?:import .*\n)+\n?([^]*)$/,
  go: /^\tpulumi\.Run\(func\(ctx \*pulumi\.Context\) error \{\n([^]*)^\t\treturn nil$/m,
  java: /^ {4}public static void stack\(Context ctx\) \{\n([^]*)^ {4}\}$/m,
};

/** The programs without imports and main function. */
export const bodiesOf = (programs: Converted): Converted =>
  Object.fromEntries(
    Object.entries(programs).map(([yaml, { python, go, java }]) => [
      yaml,
      { python: bodyOf(python, BODIES.python), go: bodyOf(go, BODIES.go), java: bodyOf(java, BODIES.java) },
    ]),
  );

/** As far to the left as it goes. */
function bodyOf(program: string, body: RegExp): string {
  const [, found = program] = body.exec(program) ?? [];
  const [indent = ""] = /^\s*/.exec(found) ?? [];
  return found.replaceAll(new RegExp(`^${indent}`, "gm"), "");
}

/** A program in each language that has it, as tabs of the site. */
export function tabs(typescript: string, yaml: string, { [yaml]: others }: Converted): string {
  const programs = [
    ["ts [TypeScript]", typescript],
    ["python [Python]", others?.python],
    ["go [Go]", others?.go],
    ["java [Java]", others?.java],
    ["yaml [YAML]", yaml],
  ] as const;
  const blocks = programs.flatMap(([tab, text = ""]) =>
    text === "" ? [] : [`\`\`\`${tab}\n${text.trim()}\n\`\`\`\n`],
  );
  return ["::: code-group\n", ...blocks, ":::\n"].join("\n");
}
