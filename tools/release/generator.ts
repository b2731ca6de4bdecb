import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../engine/build";
import { runCommand } from "../engine/command";
import { OLDEST_GO } from "../engine/layout";
import type { Workplace } from "../engine/ways";

const GENERATORS = join("tools", "release", "generators");
const ENGINE = { module: join("tools", "engine"), file: "engine.go" };
const OTHER = { module: GENERATORS, file: "other.go" };

/** The languages for which Pulumi's generators write an SDK, with the module whose go.mod pins the generator. */
const LANGUAGES = { python: ENGINE, go: ENGINE, java: OTHER, dotnet: OTHER } as const;
export type Language = keyof typeof LANGUAGES;

/** A Go program of ours, with the modules that the go.mod of a folder pins; built where it is missing. Rejects with what to install where that fails. */
export function ensureOwnProgram(
  place: Workplace,
  [module, ...files]: readonly [module: string, ...files: string[]],
  { name, file, oldestGo = OLDEST_GO }: { readonly name: string; readonly file: string; readonly oldestGo?: string },
): Promise<string> {
  const [folder = "", ...sources] = [module, ...files].map((each) => join(place.checkout, each));
  return ensureBuilt({ module: folder, package: sources, oldestGo, name, file }, place);
}

/** Writes the SDK of a schema, by default plugin/schema.json, into a folder, and replaces its contents. */
export async function writeSdk(
  place: Workplace,
  language: Language,
  folder: string,
  schema = join(place.checkout, "plugin", "schema.json"),
): Promise<void> {
  const { module, file } = LANGUAGES[language];
  const sources = ["main.go", file].map((each) => join(GENERATORS, each));
  const name = `generator of the SDK for ${language}`;
  const program = await ensureOwnProgram(place, [module, ...sources], { name, file: file.replace(".go", "") });
  rmSync(folder, { recursive: true, force: true });
  await runCommand({ file: program, args: [schema, language, folder], env: place.env, timeout: 60_000 });
}
