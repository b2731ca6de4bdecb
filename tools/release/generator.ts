import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../engine/build";
import { runCommand } from "../engine/command";
import { OLDEST_GO } from "../engine/layout";
import type { Workplace } from "../engine/ways";

const GENERATORS = join("tools", "release", "generators");
const ENGINE = { module: join("tools", "engine"), file: "engine.go" };
const OTHER = { module: GENERATORS, file: "other.go" };

/** The languages for which Pulumi's generators write an SDK, with the module whose go.mod pins the generator. */
const LANGUAGES = { python: ENGINE, go: ENGINE, nodejs: ENGINE, java: OTHER, dotnet: OTHER } as const;
export type Language = keyof typeof LANGUAGES;

/** The executable that writes SDKs, built where it is missing. Rejects with what to install where that fails. */
function generator(place: Workplace, language: Language): Promise<string> {
  const { module, file } = LANGUAGES[language];
  const sources = join(place.checkout, module);
  const program = ["main.go", file].map((name) => join(place.checkout, GENERATORS, name));
  const sum = createHash("sha256");
  for (const each of [...program, join(sources, "go.mod"), join(sources, "go.sum")]) sum.update(readFileSync(each));
  const name = `${file.replace(".go", "")}-${sum.digest("hex").slice(0, 12)}`;
  const entry = join(place.checkout, ".state", "generators", name);
  const what = `generator of the SDK for ${language}`;
  return ensureBuilt(
    entry,
    { module: sources, package: program, oldestGo: OLDEST_GO, name: what, file: "generator" },
    place,
  );
}

/** Writes the SDK of a schema, by default plugin/schema.json, into a folder, in place of what is there. */
export async function writeSdk(
  place: Workplace,
  language: Language,
  folder: string,
  schema = join(place.checkout, "plugin", "schema.json"),
): Promise<void> {
  const file = await generator(place, language);
  rmSync(folder, { recursive: true, force: true });
  await runCommand({ file, args: [schema, language, folder], env: place.env, timeout: 60_000 });
}
