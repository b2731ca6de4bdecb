import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../provider/base/errors";
import { takeLock } from "../base/lock";
import { runCommand } from "../engine/command";
import { cacheFolder } from "../engine/layout";
import type { Workplace } from "../engine/ways";
import type { Python } from "./python";

const PIP = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet", "--only-binary", ":all:"];

/** Which packages an environment is to have. */
export interface EnvironmentPackages {
  /** For messages: "the official clients". */
  readonly what: string;
  /** About how many megabytes they take. */
  readonly size: number;
  /** Texts that decide what is installed: if they change, a new environment is made. */
  readonly key: readonly (string | Buffer)[];
  /** The packages that pip installs. */
  readonly wanted: readonly string[];
  /** What pip is told to install into a folder below it, for what needs another version of a package. */
  readonly beside?: { readonly folder: string; readonly wanted: readonly string[] };
}

/** The folder of an environment of clients that has the newest langsmith: the environment itself has the last one with templates. */
export const NEWEST = "newest";

/** The environment with the packages of tests/official/requirements.txt, and of newest/requirements.txt in a folder of their own. */
export function clientEnvironment(place: Workplace, python: Python): Promise<string> {
  const requirements = join(place.checkout, "tests", "official", "requirements.txt");
  const newest = join(place.checkout, "tests", "official", "newest", "requirements.txt");
  return virtualEnvironment(place, python, {
    what: "the official clients (tests/official/requirements.txt)",
    size: 200,
    key: [requirements, newest].map((file) => readFileSync(file)),
    wanted: ["--requirement", requirements],
    beside: { folder: NEWEST, wanted: ["--no-deps", "--requirement", newest] },
  });
}

/**
 * The folder of the virtual environment with these packages, which this makes where it is missing, for all checkouts of the user. Every key and every
 * version of Python has a folder of its own. Rejects where the packages cannot be installed.
 */
export async function virtualEnvironment(
  place: Workplace,
  python: Python,
  packages: EnvironmentPackages,
): Promise<string> {
  const sum = createHash("sha256").update(python.version);
  for (const text of packages.key) sum.update(text);
  const folder = join(cacheFolder(place.env), `python-${sum.digest("hex").slice(0, 12)}`);
  mkdirSync(dirname(folder), { recursive: true });
  const release = await takeLock(folder, `installing ${packages.what}`, place.log);
  try {
    // Its Python may have gone meanwhile: the environment has a link to it.
    const isThere = [ready(folder), join(folder, "bin", "python")].every((file) => existsSync(file));
    if (!isThere) await install(place, python, packages, folder);
  } finally {
    release();
  }
  return folder;
}

/** Written last: an installation that was cut off is never taken for a whole one. */
const ready = (folder: string): string => join(folder, "installed");

async function install(
  { env, log }: Workplace,
  python: Python,
  packages: EnvironmentPackages,
  folder: string,
): Promise<void> {
  const { what, size, wanted, beside } = packages;
  log(`Installing ${what} for Python ${python.version} (${size} MB, once) ...`);
  rmSync(folder, { recursive: true, force: true });
  try {
    await runCommand({ file: python.command, args: ["-m", "venv", folder], env, timeout: 120_000 });
    const pip = (...args: readonly string[]) =>
      runCommand({ file: join(folder, "bin", "python"), args: [...PIP, ...args], env, timeout: 600_000 });
    await pip(...wanted);
    if (beside !== undefined) await pip("--target", join(folder, beside.folder), ...beside.wanted);
  } catch (error) {
    throw new Error(
      `For Python ${python.version}, ${what} could not be installed: ${messageOf(error)}\n` +
        "That needs the package index of pip's configuration once; after that, it needs no network.",
      { cause: error },
    );
  }
  writeFileSync(ready(folder), "");
}

/** The user's own settings of these clients: none of them may reach a test, least of all a real key. */
const CLIENT_SETTINGS = /^(LANGSMITH|LANGCHAIN|LANGGRAPH)_/i;
const PROXIES = /^(https?|all|no)_proxy$/i;

/** The environment of every child, cleared of what would lead it elsewhere. */
export function plainEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !CLIENT_SETTINGS.test(name) && !name.startsWith("OFFICIAL_")),
  );
}

/**
 * What the tests add to it: a request that would leave this machine is refused at once, and nothing is written among the sources.
 * @param folder Of the virtual environment.
 */
export function testEnvironment(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const nowhere = "http://127.0.0.1:9"; // The port named "discard": nothing listens there.
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !PROXIES.test(name))),
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: "127.0.0.1,localhost",
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
    LANGSMITH_TRACING: "false",
    PYTHONPYCACHEPREFIX: join(folder, "pycache"),
    // Where it is set, each process compiles all that it imports: three quarters of the time in which a client or a server starts.
    PYTHONDONTWRITEBYTECODE: "",
    PYTHONUNBUFFERED: "1",
    PYTHONUTF8: "1",
  };
}
