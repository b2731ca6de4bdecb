import { join } from "node:path";
import { waysToBuilt, type GoProgram } from "./build";
import { isExecutable } from "./entry";
import { OLDEST_ENGINE, OLDEST_GO_FOR_YAML, YAML_VERSION } from "./layout";
import { EXE, foldersOnPath, type Engine } from "./own-engine";
import { firstThatWorks, placeOf, type EngineOptions } from "./ways";

const YAML_HOST = `pulumi-language-yaml${EXE}`;

const REMEDIES = [
  `install the Pulumi CLI ${OLDEST_ENGINE} or newer, which brings it along: https://www.pulumi.com/docs/install/`,
  `install Go ${OLDEST_GO_FOR_YAML} or newer (https://go.dev/dl/) and run this again: it is then built, once`,
];

export const yamlHost = (module: string): GoProgram => ({
  module,
  package: ["github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"],
  ldflags: `-X github.com/pulumi/pulumi-yaml/pkg/version.Version=v${YAML_VERSION}`,
  oldestGo: OLDEST_GO_FOR_YAML,
  name: `YAML language host ${YAML_VERSION}`,
  file: YAML_HOST,
  check: ["-help"],
});

/**
 * Finds or makes the YAML language host: beside the engine (where the official download has it), on PATH, in our cache, a build with Go.
 * Gives the folder that holds it, for PATH. Safe to call in several processes at once. Rejects when no way works, with an error that lists them all.
 */
export function ensureYamlHost(engine: Engine, options: EngineOptions = {}): Promise<string> {
  const place = placeOf(options);
  const foundIn = (folders: readonly string[]) => folders.find((folder) => isExecutable(join(folder, YAML_HOST)));
  const ways = [
    [`beside the engine (${engine.bin})`, () => foundIn([engine.bin])],
    [`${YAML_HOST} on PATH`, () => foundIn(foldersOnPath(place.env))],
    ...waysToBuilt(yamlHost(join(place.layout.sources, "yaml")), place),
  ] as const;
  return firstThatWorks("YAML language host", ways, REMEDIES);
}
