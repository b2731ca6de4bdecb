import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import type { Connection } from "../../provider/base/connection";
import { packageFile } from "../../provider/base/version";
import { slug } from "./names";
import { WIDTH } from "./print";
import { programOf } from "./program";
import { readmeOf } from "./readme";
import type { Survey } from "./survey";

/** A project: its files by their names, and how many things are left to do by hand. */
export interface Project {
  readonly files: ReadonlyMap<string, string>;
  /** How many things to look at before the first `pulumi up`. */
  readonly remarks: number;
  /** How many things the platform does not show of the objects in the program. */
  readonly hidden: number;
}

/** The project that declares what was read. The same survey gives the same files. */
export function projectOf(folder: string, connection: Connection, read: Survey): Project {
  const name = slug(basename(folder)).toLowerCase() || "agents";
  const program = programOf(read.objects, connection.baseUrl);
  const files = new Map([
    ["Pulumi.yaml", `name: ${JSON.stringify(name)}\ndescription: What was on the agent platform.\nruntime: nodejs\n`],
    ["package.json", jsonText(packageOf())],
    ["tsconfig.json", tsconfigText()],
    [".gitignore", "node_modules/\n"],
    ...program.files,
    ["README.md", readmeOf(name, connection, read, program)],
  ]);
  return { files, remarks: program.remarks.length, hidden: program.hidden.length };
}

function packageOf() {
  const own = ownPackage();
  return {
    private: true,
    main: "index.ts",
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

const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const Package = z.object({
  name: z.literal("pulumi-agent-platform"),
  version: z.string(),
  devDependencies: z.object({ "@pulumi/pulumi": z.string(), typescript: z.string() }),
});

const ownPackage = (): z.infer<typeof Package> => Package.parse(JSON.parse(readFileSync(packageFile(), "utf8")));
