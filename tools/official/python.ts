import { execFileSync } from "node:child_process";
import { leniently } from "../../provider/base/errors";
import { isAtLeast } from "../../provider/base/version";

/** The oldest Python that the clients run on. */
export const OLDEST_PYTHON = "3.10";

/** A Python that can make virtual environments. */
export interface Python {
  readonly command: string;
  /** "3.12.4" */
  readonly version: string;
}

const COMMANDS = ["python3", "python", ...[14, 13, 12, 11, 10].map((minor) => `python3.${minor}`)];
// ensurepip: without it, as on a Debian without python3-venv, `python -m venv` fails.
const QUESTION = "import ensurepip, platform, venv; print(platform.python_version())";

/** The first Python on PATH that is new enough; undefined where there is none. */
export function findPython(env: NodeJS.ProcessEnv): Python | undefined {
  for (const command of COMMANDS) {
    const version = versionOf(command, env);
    if (version !== undefined && isAtLeast(version, OLDEST_PYTHON)) return { command, version };
  }
  return undefined;
}

/** Undefined if it is not there, not a Python 3, or without venv. */
function versionOf(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const options = { env, encoding: "utf8", stdio: "pipe", timeout: 20_000 } as const;
  return leniently(() => execFileSync(command, ["-c", QUESTION], options).trim());
}
