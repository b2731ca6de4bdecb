import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli/base/cli-error";
import { noteSecrets } from "../provider/base/masker";

/** A worker, as far as the key of sealed values depends on it. */
interface KeyPlace {
  readonly database: { readonly isEmbedded: boolean };
  readonly root: string;
}

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
export function seal(value: string, place: KeyPlace): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", scryptSync(keyOf(place), salt, 32), nonce);
  const closed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return [salt, nonce, cipher.getAuthTag(), closed].map((part) => part.toString("base64")).join(".");
}

/** The value again. Throws CliError if this worker has another key. */
export function open(sealed: string, place: KeyPlace): string {
  const [salt, nonce, tag, closed] = sealed.split(".").map((part) => Buffer.from(part, "base64"));
  if (salt === undefined || nonce === undefined || tag === undefined || closed === undefined)
    throw new CliError("the run has no sealed value any more: start the rotation again");
  const decipher = createDecipheriv("aes-256-gcm", scryptSync(keyOf(place), salt, 32), nonce).setAuthTag(tag);
  try {
    const value = Buffer.concat([decipher.update(closed), decipher.final()]).toString("utf8");
    noteSecrets(value);
    return value;
  } catch {
    throw new CliError("FLEET_KEY is not the one that the rotation was started with: set the same for each worker");
  }
}
