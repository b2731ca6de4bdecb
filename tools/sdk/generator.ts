import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkGo, goEnvironment, goProblem } from "../engine/build";
import { runCommand } from "../engine/command";
import { reasonOf } from "../engine/failure";
import { OLDEST_GO } from "../engine/layout";
import { elapsed, withProgress, type ProgressLog } from "../engine/progress";

/** What the commands of this folder work with. */
export interface Workplace {
  readonly checkout: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: ProgressLog;
}

/** The languages for which Pulumi's generators write an SDK. */
export const LANGUAGES = ["python", "go", "nodejs"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whether there is a Go on PATH that is new enough, or that may fetch one that is. */
export function hasGo({ checkout, env }: Pick<Workplace, "checkout" | "env">): boolean {
  const options = { cwd: sourcesIn(checkout), env: goEnvironment(env), stdio: "pipe", timeout: 120_000 } as const;
  try {
    return goProblem(execFileSync("go", ["version"], { ...options, encoding: "utf8" }), OLDEST_GO) === undefined;
  } catch {
    return false;
  }
}

/** The folder of the module whose go.mod pins the generators. */
const sourcesIn = (checkout: string): string => join(checkout, "tools", "engine");

/** The executable that writes SDKs, built where it is missing. Rejects with what to install where that fails. */
export async function generator(place: Workplace): Promise<string> {
  const { checkout, log } = place;
  const sources = sourcesIn(checkout);
  const main = join(checkout, "tools", "sdk", "main.go");
  const sum = createHash("sha256");
  for (const file of [main, join(sources, "go.mod"), join(sources, "go.sum")]) sum.update(readFileSync(file));
  const folder = join(checkout, ".state", "sdk");
  const executable = join(folder, `generator-${sum.digest("hex").slice(0, 12)}`);
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  const env = goEnvironment(place.env);
  const draft = `${executable}.${process.pid}`;
  try {
    await checkGo({ module: sources, oldestGo: OLDEST_GO }, env);
    const build = () => runCommand({ file: "go", args: ["build", "-trimpath", "-o", draft, main], cwd: sources, env });
    await withProgress(log, "building the generator of SDKs with Go", elapsed, build);
    renameSync(draft, executable);
  } catch (error) {
    rmSync(draft, { force: true });
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
  const file = await generator(place);
  rmSync(folder, { recursive: true, force: true });
  await runCommand({ file, args: [schema, language, folder], env: place.env, timeout: 60_000 });
}
