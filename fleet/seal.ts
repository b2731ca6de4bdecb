import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli/base/cli-error";
import { noteSecrets } from "../provider/base/masker";
import type { Worker } from "./worker";

/** A worker, as far as the key of sealed values depends on it. */
type KeyPlace = Pick<Worker, "root"> & { readonly database: Pick<Worker["database"], "isEmbedded"> };

/**
 * The key of what must not be readable in the database. Each worker of a database needs the same FLEET_KEY; with the embedded one, the key is a file
 * beside it.
 */
function keyOf({ database, root }: KeyPlace): string {
  const { FLEET_KEY: given } = process.env;
  if (given !== undefined && given.length >= 16) return given;
  if (!database.isEmbedded)
    throw new CliError(
      "FLEET_KEY is missing: with --database, rotate seals the value for the workers, so set it to the same 16 characters or more for each of them",
    );
  const file = join(root, ".state", "fleet", "key");
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8");
}

/** Seals a value for the database (AES-256-GCM). */
export function sealed(value: string, place: KeyPlace): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", scryptSync(keyOf(place), salt, 32), nonce);
  const closed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), closed]).toString("base64");
}

/** The value again. Throws CliError if this worker has another key. */
export function opened(text: string, place: KeyPlace): string {
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

/** The value that a run was started with. */
export async function valueOf(run: string, worker: Worker): Promise<string> {
  const { rows } = await worker.database.pool.query<{ value: string }>(
    "SELECT value FROM fleet.sealed WHERE run = $1",
    [run],
  );
  if (rows[0] === undefined) throw new CliError("the run has no sealed value any more: start the rotation again");
  return opened(rows[0].value, worker);
}
