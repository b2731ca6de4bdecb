import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * The text of a file that belongs to this user; symbolic links are followed.
 *
 * @param rights The rights that other users must not have, as bits of the mode: 0o022 for writing.
 * @param refuse Creates the error: with the owner if that is another user, without one if others have such a right.
 */
export function readOwnFile(path: string, rights: number, refuse: (owner: number | undefined) => Error): string {
  const descriptor = openSync(path, "r");
  try {
    // The status of the opened file, because the path may lead to another file by now.
    const status = fstatSync(descriptor);
    const own = process.getuid?.();
    if (own !== undefined && status.uid !== own) throw refuse(status.uid);
    // The mode of a pipe or a terminal does not matter.
    if (own !== undefined && status.isFile() && (status.mode & rights) !== 0) throw refuse(undefined);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
