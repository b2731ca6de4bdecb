import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliError } from "../cli/base/cli-error";
import { noteSecrets } from "../provider/base/masker";
import type { Worker } from "./worker";

/** Where sealed values are, and the key: beside which fleet file, in which database. */
type Place = Pick<Worker, "root" | "database">;

const SHORTEST = 16;
const keyFileIn = (root: string): string => join(root, ".state", "fleet", "key");

/**
 * The key of what must not be readable in the database. Each worker of a database needs the same FLEET_KEY; with the embedded one, the key is a file
 * beside it.
 */
function keyOf({ database, root }: Place): string {
  const { FLEET_KEY: given } = process.env;
  if (given !== undefined && given.length >= SHORTEST) return given;
  if (!database.isEmbedded)
    throw new CliError(
      "FLEET_KEY is missing or too short: with --database, rotate seals the value for the workers, so set it to the same 16 characters or more for each of them",
    );
  const file = keyFileIn(root);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  // A full disk can have cut it off.
  if (kept.length >= SHORTEST) return kept;
  const key = randomBytes(32).toString("base64");
  writeFileSync(file, key, { mode: 0o600 });
  return key;
}

/** Seals a value for the database (AES-256-GCM). */
export function sealed(value: string, place: Place): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", scryptSync(keyOf(place), salt, 32), nonce);
  const closed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), closed]).toString("base64");
}

/** The value again. Throws CliError if this worker has another key. */
export function opened(text: string, place: Place): string {
  const all = Buffer.from(text, "base64");
  const key = scryptSync(keyOf(place), all.subarray(0, 16), 32);
  const decipher = createDecipheriv("aes-256-gcm", key, all.subarray(16, 28)).setAuthTag(all.subarray(28, 44));
  try {
    const value = Buffer.concat([decipher.update(all.subarray(44)), decipher.final()]).toString("utf8");
    noteSecrets(value);
    return value;
  } catch {
    throw new CliError("FLEET_KEY is not the one that the rotation was started with: set the same for each worker");
  }
}

/** The value that a run was started with; undefined if it has been forgotten. Throws CliError if this worker has another key. */
export async function valueOf(run: string, place: Place): Promise<string | undefined> {
  const text = "SELECT value FROM fleet.sealed WHERE run = $1";
  const [row] = (await place.database.pool.query<{ value: string }>(text, [run])).rows;
  return row && opened(row.value, place);
}

/** Forgets the sealed values, once no run needs one; what an embedded database leaves of them on its disk nobody can open without the key. */
export async function forgetValues({ database, root }: Place): Promise<void> {
  await database.pool.query("DELETE FROM fleet.sealed");
  if (database.isEmbedded) rmSync(keyFileIn(root), { force: true });
}
