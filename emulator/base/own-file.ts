import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * The text of a file of this user's; a symbolic link counts as what it leads to.
 *
 * @param rights What others may not do with it, as bits of its mode: 0o022 is to write it.
 * @param refuse Makes the error that is thrown, for the user who owns it, or for one of these rights.
 */
export function readOwnFile(path: string, rights: number, refuse: (owner: number | undefined) => Error): string {
  const descriptor = openSync(path, "r");
  try {
    // Of what was opened: the path may lead elsewhere by now.
    const status = fstatSync(descriptor);
    const own = process.getuid?.();
    if (own !== undefined && status.uid !== own) throw refuse(status.uid);
    // The mode of a pipe or a terminal says nothing.
    if (own !== undefined && status.isFile() && (status.mode & rights) !== 0) throw refuse(undefined);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
