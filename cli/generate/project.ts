import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import type { Connection } from "../../provider/base/connection";
import { NAMESPACE, PLUGIN_SETTING } from "../../provider/base/settings";
import { packageFile, version } from "../../provider/base/version";
import { jsonText } from "../base/printable";
import { hiddenOf, remarksOf } from "./hidden";
import { slug } from "./names";
import { span } from "./print";
import { type ProgramLanguage, programOf } from "./program";
import { readmeOf } from "./readme";
import type { Survey } from "./survey";
import { functionKeyIn } from "./yaml";

/** A project: its files by their names, and how many things are left to do by hand. */
export interface Project {
  readonly files: ReadonlyMap<string, string>;
  /** How many things to look at before the first `pulumi up`. */
  readonly remarks: number;
  /** How many things the program leaves out of its objects. */
  readonly hidden: number;
  /** How many things are not in the program. */
  readonly unread: number;
}

type Read = Pick<Survey, "objects" | "unread">;

/** The project that declares what was read. The same survey gives the same files. */
export function projectOf(folder: string, connection: Connection, read: Read, language: ProgramLanguage): Project {
  const name = slug(basename(folder)).toLowerCase() || "agents";
  const { objects, unread } = language === "yaml" ? withoutFunctions(read) : read;
  const { text, settings } = programOf(objects, connection.baseUrl, language);
  const remarks = objects.flatMap(remarksOf);
  const hidden = objects.flatMap(hiddenOf);
  const files = new Map([
    ...(language === "yaml" ? yamlFiles(name, text) : typescriptFiles(name, text)),
    [".gitignore", "node_modules/\n"] as const,
    ["README.md", readmeOf(name, connection, read, { language, settings, remarks, hidden, unread })] as const,
  ]);
  return { files, remarks: remarks.length, hidden: hidden.length, unread: unread.length };
}

/** A survey without the objects that Pulumi's YAML cannot declare. */
function withoutFunctions({ objects, unread }: Read): Read {
  const all = objects.map((object) => ({ object, key: functionKeyIn(object.args) }));
  const sentences = all.flatMap(({ object: { spec, name }, key }) =>
    key === undefined
      ? []
      : [`The ${spec.one} ${span(name)}: Pulumi's YAML takes its key ${span(key)} for a function.`],
  );
  return {
    objects: all.flatMap(({ object, key }) => (key === undefined ? [object] : [])),
    unread: [...unread, ...sentences],
  };
}

const headOf = (name: string, runtime: string): string =>
  `name: ${JSON.stringify(name)}\ndescription: What was on the agent platform.\nruntime: ${runtime}\n`;

/** Each command starts the program: `npm run typecheck` is where its types are checked. */
const NODEJS = "{ name: nodejs, options: { nodeargs: --require=pulumi-agent-platform/start } }";
/** The plugin is part of the package that the project installs. */
const PACKAGES = "packages:\n  agent-platform: ./node_modules/pulumi-agent-platform/plugin\n";
/** For programs that could do without: a YAML program needs the plugin anyway. */
const NATIVE = `config:\n  ${NAMESPACE}:${PLUGIN_SETTING}:\n    value: native\n`;

const typescriptFiles = (name: string, program: string): (readonly [string, string])[] => [
  ["Pulumi.yaml", headOf(name, NODEJS) + PACKAGES + NATIVE],
  ["package.json", jsonText(packageOf())],
  ["tsconfig.json", TSCONFIG],
  ["index.ts", program],
];

/** A YAML program is part of Pulumi.yaml. */
const yamlFiles = (name: string, program: string): (readonly [string, string])[] => [
  ["Pulumi.yaml", `${headOf(name, "yaml")}\n${PACKAGES}\n${program}`],
  ["package.json", jsonText({ private: true, dependencies: packageOf().dependencies })],
];

function packageOf() {
  // The versions that this package is tested with.
  const { devDependencies } = Package.parse(JSON.parse(readFileSync(packageFile(), "utf8")));
  return {
    private: true,
    main: "index.ts",
    scripts: { typecheck: "tsc --noEmit" },
    dependencies: { "@pulumi/pulumi": devDependencies["@pulumi/pulumi"], "pulumi-agent-platform": version() },
    devDependencies: { typescript: devDependencies.typescript },
  };
}

const TSCONFIG = jsonText({
  compilerOptions: {
    target: "ES2022",
    module: "CommonJS",
    moduleResolution: "node10",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["index.ts"],
});

const Package = z.object({ devDependencies: z.object({ "@pulumi/pulumi": z.string(), typescript: z.string() }) });
