import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { NAMESPACE } from "../../provider/base/settings";
import { version } from "../../provider/base/version";
import { goEnvironment } from "../engine/build";
import { runCommand, succeeds, type Command } from "../engine/command";
import { ENGINE_VERSION, OLDEST_GO } from "../engine/layout";
import { virtualEnvironment } from "../official/environment";
import { findPython, OLDEST_PYTHON } from "../official/python";
import { writeSdk, type Language } from "./generator";
import { archive, archiveAgain, type ReleasePlace } from "./tree";

/** An SDK's sources, and the folder for its built package. */
interface Sdk {
  readonly place: ReleasePlace;
  readonly sources: string;
  readonly folder: string;
}

/** What a language needs beside its generator. Each function gives back why it compiled nothing; undefined where it did. */
interface Packing {
  /** Completes the sources, before they are archived. */
  readonly complete?: (sdk: Sdk) => Promise<void> | void;
  /** Makes what the language's registry takes. */
  readonly compile: (sdk: Sdk) => Promise<string | undefined>;
  /** Whether the sources stay as a folder beside their archive. */
  readonly keepsFolder?: boolean;
}

const PACKINGS: Readonly<Record<Language, Packing>> = {
  python: { compile: packPython },
  go: { complete: completeGo, compile: compileGo, keepsFolder: true },
  java: { complete: completeJava, compile: packJava },
  dotnet: { compile: packDotnet },
};

/** The languages whose SDK is part of a release; that of TypeScript is the npm package. */
export const SDKS: readonly Language[] = ["python", "go", "java", "dotnet"];

/** Writes the SDK of a language into a folder: its sources as an archive, and compiled where this machine can. Gives back why not, where it cannot. */
export async function packSdk(place: ReleasePlace, language: Language, folder: string): Promise<string | undefined> {
  const packing = PACKINGS[language];
  const name = `pulumi-agent-platform-${language}-${version()}`;
  const sdk = { place, sources: join(folder, name), folder };
  await writeSdk(place, language, sdk.sources);
  copyFileSync(join(place.checkout, "LICENSE"), join(sdk.sources, "LICENSE"));
  await packing.complete?.(sdk);
  archive(join(folder, `${name}.tar.gz`), sdk.sources, place.time, name);
  const missing = await packing.compile(sdk);
  if (packing.keepsFolder !== true) rmSync(sdk.sources, { recursive: true });
  return missing;
}

const MINUTES = 60_000;

/** Whether a program is on PATH and starts. */
const starts = (file: string, { env }: ReleasePlace): Promise<boolean> =>
  succeeds({ file, args: ["--version"], env, timeout: MINUTES });

const run = (sdk: Sdk, command: Omit<Command, "cwd" | "env">, env = sdk.place.env): Promise<string> =>
  runCommand({ cwd: sdk.sources, env, timeout: 9 * MINUTES, ...command });

/** A wheel, and the sources as PyPI takes them. */
async function packPython({ place, sources, folder }: Sdk): Promise<string | undefined> {
  const { env, time } = place;
  const python = findPython(env);
  if (python === undefined) return `no Python ${OLDEST_PYTHON} or newer with venv`;
  const wanted = ["build==1.6.1", "setuptools==84.2.1", "wheel==0.48.0"];
  const packages = { what: "what builds a wheel", size: 10, key: wanted, wanted };
  const tools = await virtualEnvironment(place, python, packages);
  const args = ["-m", "build", "--no-isolation", "--outdir", folder];
  const file = join(tools, "bin", "python");
  await run({ place, sources, folder }, { file, args }, { ...env, SOURCE_DATE_EPOCH: String(time.getTime() / 1000) });
  archiveAgain(join(folder, `pulumi_agent_platform-${version()}.tar.gz`), time);
  rmSync(`${sources}.tar.gz`);
  return undefined;
}

const schemaOfGo = z.object({ language: z.object({ go: z.object({ importBasePath: z.string() }) }) });

async function completeGo(sdk: Sdk): Promise<void> {
  const { checkout } = sdk.place;
  const schema = schemaOfGo.parse(JSON.parse(readFileSync(join(checkout, "plugin", "schema.json"), "utf8")));
  const module = dirname(schema.language.go.importBasePath);
  writeFileSync(
    join(sdk.sources, "go.mod"),
    `module ${module}\n\ngo ${OLDEST_GO}\n\nrequire github.com/pulumi/pulumi/sdk/v3 v${ENGINE_VERSION}\n`,
  );
  await run(sdk, { file: "go", args: ["mod", "tidy"] }, moduleEnvironment(sdk));
}

const moduleEnvironment = ({ place }: Sdk): NodeJS.ProcessEnv => ({
  ...goEnvironment(place.env),
  GOFLAGS: "-mod=mod",
});

async function compileGo(sdk: Sdk): Promise<undefined> {
  await run(sdk, { file: "go", args: ["build", "./..."] }, moduleEnvironment(sdk));
}

/** In place of the generator's files for Gradle, which publish as Pulumi: Maven's. The SDK reads the other two while it runs. */
function completeJava({ place, sources }: Sdk): void {
  for (const name of ["build.gradle", "settings.gradle"]) rmSync(join(sources, name));
  const pom = readFileSync(join(place.checkout, "tools", "release", "pom.xml"), "utf8");
  const time = place.time.toISOString().replace(".000", "");
  writeFileSync(join(sources, "pom.xml"), pom.replace("@version@", version()).replace("@time@", time));
  const resources = join(sources, "src", "main", "resources", "com", "pulumi", NAMESPACE);
  mkdirSync(resources, { recursive: true });
  writeFileSync(join(resources, "version.txt"), `${version()}\n`);
  const plugin = { resource: true, name: NAMESPACE, version: version() };
  writeFileSync(join(resources, "plugin.json"), `${JSON.stringify(plugin, null, 2)}\n`);
}

/** What Maven's repositories take, but for the signatures. */
async function packJava(sdk: Sdk): Promise<string | undefined> {
  if (!(await starts("mvn", sdk.place))) return "no Maven";
  const goals = ["resources:resources", "compiler:compile", "jar:jar", "source:jar-no-fork"];
  await run(sdk, { file: "mvn", args: ["--batch-mode", "--quiet", ...goals] });
  const name = `pulumi-agent-platform-${version()}`;
  for (const file of [`${name}.jar`, `${name}-sources.jar`])
    renameSync(join(sdk.sources, "target", file), join(sdk.folder, file));
  renameSync(join(sdk.sources, "pom.xml"), join(sdk.folder, `${name}.pom`));
  return undefined;
}

async function packDotnet(sdk: Sdk): Promise<string | undefined> {
  if (!(await starts("dotnet", sdk.place))) return "no .NET SDK";
  const args = ["pack", "--configuration", "Release", "--output", sdk.folder, "-p:ContinuousIntegrationBuild=true"];
  await run(sdk, { file: "dotnet", args });
  return undefined;
}
