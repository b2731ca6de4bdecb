import { randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile } from "../../emulator/base/own-file";
import { messageOf } from "../../provider/base/errors";
import { shellWord } from "../../provider/base/shell";
import { CliError, temporaryFolder, wrongUsage } from "../base/cli-error";

/** The API key of an emulator that the command line starts. */
export interface ChosenKey {
  readonly value: string;
  /** The file that holds the key, if any. */
  readonly file?: string;
  /** Removes the file of a key that was made for this run only. */
  readonly discard?: () => void;
}

interface KeyOptions {
  readonly apiKey?: string | undefined;
  readonly apiKeyFile?: string | undefined;
  /** The data file: a random key is kept beside it. */
  readonly data?: string | undefined;
}

/** The key from the options, else from the environment, else a random one. Throws a CliError that says which source is wrong. */
export function chooseKey(given: KeyOptions): ChosenKey {
  if (given.apiKey !== undefined) return { value: requireKey(given.apiKey, "--api-key") };
  if (given.apiKeyFile !== undefined) return readKey(given.apiKeyFile);
  const fromEnvironment = process.env.AGENT_PLATFORM_EMULATOR_API_KEY;
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    return { value: requireKey(fromEnvironment, "AGENT_PLATFORM_EMULATOR_API_KEY") };
  }
  return randomKey(given.data);
}

function requireKey(value: string, from: string, failed: (message: string) => Error = wrongUsage): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw failed(`The API key of ${from} is empty or has characters that do not fit into a header.`);
}

function readKey(file: string): ChosenKey {
  try {
    const text = readOwnFile(file, 0o077, (owner) =>
      owner === undefined
        ? new CliError(
            `Other users of this machine have access to the API key file ${file}: run chmod 600 ${shellWord(file)}`,
          )
        : new CliError(
            `The API key file ${file} belongs to another user (${owner}), who may know the key: make one of your own, and run chmod 600 on it.`,
          ),
    );
    const value = requireKey(text.trim(), file, (message) => new CliError(message));
    return { value, file };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`The API key file ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

// Beside the data file, so that a restart on the same data has the same key.
function randomKey(dataFile: string | undefined): ChosenKey {
  if (dataFile === undefined) {
    const folder = temporaryFolder("agent-platform-");
    return { ...newKey(join(folder, "api-key")), discard: () => rmSync(folder, { recursive: true, force: true }) };
  }
  const file = `${dataFile}.api-key`;
  if (existsSync(file)) return readKey(file);
  return newKey(file);
}

function newKey(file: string): ChosenKey {
  // A letter first: a key that begins with a dash looks like an option wherever it is pasted.
  const value = `k${randomBytes(24).toString("base64url")}`;
  writeFileSync(file, `${value}\n`, { mode: 0o600, flag: "wx" });
  return { value, file };
}
