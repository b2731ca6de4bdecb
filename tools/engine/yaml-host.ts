import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildProgram, type GoProgram } from "./build";
import { runCommand } from "./command";
import { isExecutable, linkOrCopy, makeWhole } from "./entry";
import type { Engine } from "./index";
import { OLDEST_ENGINE, OLDEST_GO_FOR_YAML, YAML_VERSION, type Layout } from "./layout";
import { EXE, foldersOnPath } from "./own-engine";
import { tryWay, dependenciesOf, makeAlone, nothingWorked, type Dependencies, type EngineOptions } from "./ways";

/** The program that runs YAML programs for the engine. */
export interface YamlHost {
  /** The folder that holds it: on PATH, or beside the engine, except where `source` is "cache" or "build" and the engine is the user's. */
  readonly bin: string;
  readonly source: "engine" | "PATH" | "cache" | "build";
}

const YAML_HOST = `pulumi-language-yaml${EXE}`;

const has = (bin: string): boolean => isExecutable(join(bin, YAML_HOST));

/** An engine in our cache gets the host beside it. A folder of the user's is left alone: the host stays in its own. */
async function putBeside(engine: Engine, { cache, yamlEntry }: Layout): Promise<string> {
  const made = join(yamlEntry, "bin");
  if (dirname(engine.root) !== cache) return made;
  const draft = join(engine.bin, `${YAML_HOST}.${process.pid}`);
  await rm(draft, { force: true });
  await linkOrCopy(join(made, YAML_HOST), draft);
  await rename(draft, join(engine.bin, YAML_HOST));
  return engine.bin;
}

async function build({ layout, env, log }: Dependencies): Promise<void> {
  const program: GoProgram = {
    module: join(layout.sources, "yaml"),
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    version: ["github.com/pulumi/pulumi-yaml/pkg/version.Version", YAML_VERSION],
    oldestGo: OLDEST_GO_FOR_YAML,
    name: `the YAML language host ${YAML_VERSION}`,
  };
  await makeWhole(layout.cache, layout.yamlEntry, async (_folder, bin) => {
    const output = join(bin, YAML_HOST);
    await buildProgram(output, program, env, log);
    // It does not say its version. That it runs here is worth knowing before it is kept.
    await runCommand({ file: output, args: ["-help"], env, timeout: 60_000 });
  });
}

/**
 * Finds or makes the YAML language host: beside the engine (where the official download has it), on PATH, in our cache, a build with Go.
 * Safe to call in several processes at once. Rejects when no way works, with an error that lists them all.
 */
export async function ensureYamlHost(engine: Engine, options: EngineOptions = {}): Promise<YamlHost> {
  const dependencies = dependenciesOf(options);
  const { layout, env, attempts } = dependencies;
  if (has(engine.bin)) return { bin: engine.bin, source: "engine" };
  attempts.push({ way: `beside the engine (${engine.bin})`, failure: "not there" });
  const onPath = foldersOnPath(env).find(has);
  if (onPath !== undefined) return { bin: onPath, source: "PATH" };
  attempts.push({ way: `${YAML_HOST} on PATH`, failure: "not there" });
  const look = (): YamlHost["source"] | undefined => (has(join(layout.yamlEntry, "bin")) ? "cache" : undefined);
  const found = look();
  if (found === undefined) attempts.push({ way: `cache (${layout.yamlEntry})`, failure: "not there" });
  const alone = { ...dependencies, doing: "which is getting the YAML language host already" };
  const source =
    found ??
    (await makeAlone(layout.yamlEntry, alone, look, () =>
      tryWay(attempts, `build of ${YAML_VERSION} from the Go module proxy`, async () => {
        await build(dependencies);
        return "build" as const;
      }),
    ));
  if (source !== undefined) return { bin: await putBeside(engine, layout), source };
  throw nothingWorked("YAML language host", attempts, [
    `install the Pulumi CLI ${OLDEST_ENGINE} or newer, which brings it along: https://www.pulumi.com/docs/install/`,
    `install Go ${OLDEST_GO_FOR_YAML} or newer (https://go.dev/dl/) and run this again: it is then built, once`,
  ]);
}
