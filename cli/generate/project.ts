import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import type { Connection } from "../../provider/base/connection";
import { NAMESPACE, PLUGIN_SETTING } from "../../provider/base/settings";
import { packageFile } from "../../provider/base/version";
import { jsonText } from "../base/printable";
import { slug } from "./names";
import { WIDTH } from "./print";
import { programOf, type Program } from "./program";
import { readmeOf } from "./readme";
import type { Survey } from "./survey";
import { yamlProgramOf } from "./yaml-program";

/** A project: its files by their names, and how many things are left to do by hand. */
export interface Project {
  readonly files: ReadonlyMap<string, string>;
  /** How many things to look at before the first `pulumi up`. */
  readonly remarks: number;
  /** How many things the platform does not show of the objects in the program. */
  readonly hidden: number;
  /** How many things are not in the program. */
  readonly unread: number;
}

/** The languages of a generated program. */
export const PROGRAM_LANGUAGES = ["typescript", "yaml"] as const;
export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

/** The project that declares what was read. The same survey gives the same files. */
export function projectOf(
  folder: string,
  connection: Connection,
  survey: Survey,
  language: ProgramLanguage = "typescript",
): Project {
  const name = slug(basename(folder)).toLowerCase() || "agents";
  const write = language === "yaml" ? yamlProgramOf : programOf;
  const program = write(survey.objects, connection.baseUrl);
  const { unread = [] } = program;
  const read = { ...survey, unread: [...survey.unread, ...unread] };
  const files = new Map([
    ...(language === "yaml" ? yamlFiles(name, program) : typescriptFiles(name, program)),
    [".gitignore", "node_modules/\n"] as const,
    ["README.md", readmeOf(name, connection, read, program)] as const,
  ]);
  return { files, remarks: program.remarks.length, hidden: program.hidden.length, unread: read.unread.length };
}

const headOf = (name: string, runtime: string): string =>
  `name: ${JSON.stringify(name)}\ndescription: What was on the agent platform.\nruntime: ${runtime}\n`;

/** Each command starts the program: `npm run typecheck` is where its types are checked. */
const NODEJS = "{ name: nodejs, options: { nodeargs: --require=pulumi-agent-platform/start } }";
/** The plugin is part of the package that the project installs. */
const PACKAGES = "packages:\n  agent-platform: ./node_modules/pulumi-agent-platform/plugin\n";
/** For programs that could do without: a YAML program needs the plugin anyway. */
const NATIVE = `config:\n  ${NAMESPACE}:${PLUGIN_SETTING}:\n    value: native\n`;

const typescriptFiles = (name: string, { files }: Program): (readonly [string, string])[] => [
  ["Pulumi.yaml", headOf(name, NODEJS) + PACKAGES + NATIVE],
  ["package.json", jsonText(packageOf())],
  ["tsconfig.json", tsconfigText()],
  ...files,
];

/** A YAML program is part of Pulumi.yaml. */
const yamlFiles = (name: string, { files }: Program): (readonly [string, string])[] => {
  const { dependencies } = packageOf();
  return [
    ["package.json", jsonText({ private: true, dependencies })],
    ...[...files].map(([file, text]) => [file, `${headOf(name, "yaml")}\n${PACKAGES}\n${text}`] as const),
  ];
};

function packageOf() {
  const own = ownPackage();
  return {
    private: true,
    main: "index.ts",
    scripts: { typecheck: "tsc --noEmit" },
    dependencies: {
      "@pulumi/pulumi": own.devDependencies["@pulumi/pulumi"],
      [own.name]: own.version,
    },
    devDependencies: { typescript: own.devDependencies.typescript },
    prettier: { printWidth: WIDTH },
  };
}

function tsconfigText(): string {
  return jsonText({
    compilerOptions: {
      target: "ES2022",
      module: "CommonJS",
      moduleResolution: "node10",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
    files: ["index.ts"],
  }).replace(/\[\s*"index\.ts"\s*\]/, '["index.ts"]');
}

const Package = z.object({
  name: z.literal("pulumi-agent-platform"),
  version: z.string(),
  devDependencies: z.object({ "@pulumi/pulumi": z.string(), typescript: z.string() }),
});

const ownPackage = (): z.infer<typeof Package> => Package.parse(JSON.parse(readFileSync(packageFile(), "utf8")));
