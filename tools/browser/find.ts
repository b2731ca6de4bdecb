import { join } from "node:path";
import { isExecutable } from "../engine/entry";
import { foldersOnPath } from "../engine/own-engine";
import { firstThatWorks, logToStderr, type EngineOptions } from "../engine/ways";
import { fetchPackage, PACKAGE_NAME, packageOf, type ChromiumPackage } from "./package";

export interface Chromium {
  readonly program: string;
  readonly source: "CHROME_PATH" | "the system" | "npm";
  /** What it needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The names under which systems have Chromium, or Chrome, on PATH. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome-headless-shell"];
const MAC = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** The Chromium of CHROME_PATH, of the system, or the one that was fetched; undefined where there is none. */
export function findChromium(
  env: NodeJS.ProcessEnv = process.env,
  fetched: ChromiumPackage = packageOf(),
): Chromium | undefined {
  const given = env.CHROME_PATH;
  if (given !== undefined && given !== "") {
    if (isExecutable(given)) return { program: given, source: "CHROME_PATH", environment: {} };
    throw new Error(`CHROME_PATH is ${given}, but there is no program of that name. Correct it or unset it.`);
  }
  const ofSystem = [...foldersOnPath(env).flatMap((folder) => NAMES.map((name) => join(folder, name))), ...MAC];
  const program = ofSystem.find(isExecutable);
  if (program !== undefined) return { program, source: "the system", environment: {} };
  if (!isExecutable(fetched.program)) return undefined;
  return { program: fetched.program, source: "npm", environment: fetched.environment };
}

const REMEDIES = [
  "install Chromium (Debian: `apt-get install chromium`) or Chrome",
  "set CHROME_PATH to the program of a Chromium or Chrome",
  "run this again where npm reaches its registry, once",
];

/** Finds Chromium, or fetches it once with npm. Safe in several processes at once. Rejects with what to do where there is none. */
export async function ensureChromium(
  { env = process.env, log = logToStderr, checkout }: EngineOptions = {},
  machine?: string,
): Promise<Chromium> {
  const fetched = packageOf(checkout);
  const here = findChromium(env, fetched);
  if (here !== undefined) return here;
  const fetch = async (): Promise<Chromium | undefined> => {
    log("Fetching Chromium for the tests (70 MB, once) ...");
    await fetchPackage(fetched, env, machine);
    return findChromium(env, fetched);
  };
  const ways = [
    ["Chromium or Chrome, by CHROME_PATH or on PATH", () => undefined] as const,
    [PACKAGE_NAME, fetch] as const,
  ];
  return firstThatWorks("Chromium", ways, REMEDIES);
}
