import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkGo, goEnvironment } from "../engine/build";
import { reasonOf, runCommand } from "../engine/command";
import { isExecutable, makeWhole } from "../engine/entry";
import { OLDEST_GO } from "../engine/layout";
import { withProgress, type Workplace } from "../engine/ways";

const GENERATORS = join("tools", "release", "generators");
const ENGINE = { module: join("tools", "engine"), file: "engine.go" };
const OTHER = { module: GENERATORS, file: "other.go" };

/** The languages for which Pulumi's generators write an SDK, with the module whose go.mod pins the generator. */
const LANGUAGES = { python: ENGINE, go: ENGINE, nodejs: ENGINE, java: OTHER, dotnet: OTHER } as const;
export type Language = keyof typeof LANGUAGES;

/** The executable that writes SDKs, built where it is missing. Rejects with what to install where that fails. */
async function generator({ checkout, env, log }: Workplace, language: Language): Promise<string> {
  const { module, file } = LANGUAGES[language];
  const sources = join(checkout, module);
  const program = ["main.go", file].map((name) => join(checkout, GENERATORS, name));
  const sum = createHash("sha256");
  for (const each of [...program, join(sources, "go.mod"), join(sources, "go.sum")]) sum.update(readFileSync(each));
  const name = `${file.replace(".go", "")}-${sum.digest("hex").slice(0, 12)}`;
  const entry = join(checkout, ".state", "generators", name);
  const executable = join(entry, "bin", "generator");
  const isThere = (): boolean => isExecutable(executable);
  if (isThere()) return executable;
  try {
    await checkGo({ module: sources, oldestGo: OLDEST_GO }, env);
    await makeWhole(entry, isThere, (_folder, bin) => {
      const args = ["build", "-trimpath", "-o", join(bin, "generator"), ...program];
      const build = () => runCommand({ file: "go", args, cwd: sources, env: goEnvironment(env) });
      return withProgress(log, `building the generator of the SDK for ${language}`, build);
    });
  } catch (error) {
    throw new Error(
      `The generator of SDKs could not be built: ${reasonOf(error)}\n` +
        `It needs Go ${OLDEST_GO} or newer (https://go.dev/dl/) and, once, the Go module proxy.`,
      { cause: error },
    );
  }
  return executable;
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
