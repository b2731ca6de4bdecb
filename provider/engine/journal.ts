import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AgentPlatformError, messageOf } from "../base/errors";
import { hasProcess, ownFolder } from "../base/own-folder";
import type { Journal } from "../lifecycle/identity/ownership";
import { isGone } from "./liveness";

/**
 * A journal that all plugins of one run of the engine share: a file, named for the engine's port, in a folder that only this user can enter.
 * A line is appended in one write, and those before it are read from there: so every process has the same lines in the same order.
 * A port is used again, and a plugin lives as long as its run: a file whose writers have all ended is of an engine that is gone, and the next file begins.
 */
export function engineJournal(engine: string | undefined, folder?: string): Journal {
  let open: OpenFile | undefined;
  return (entry) => {
    try {
      open ??= openFile(ownFolder(folder), portOf(engine));
      return open.add(entry);
    } catch (error) {
      throw new AgentPlatformError(
        `the plugins of this run cannot tell each other which resource has which object (${messageOf(error)}), so nothing more is made, adopted or ` +
          "deleted. Set TMPDIR to a folder that only you can write to",
        { cause: error },
      );
    }
  };
}

function portOf(address: string | undefined): string {
  const port = /:(\d+)$/.exec(address ?? "")?.[1];
  if (port === undefined) throw new AgentPlatformError("the engine has not said where it listens");
  return port;
}

/** Tells the lines of this process from those of all others. */
const AUTHOR = `${process.pid}.${randomBytes(6).toString("hex")}`;
let written = 0;
/** The last line of a file that is over. Plugins that start at once then all go on in the next one. */
const OVER = "over";

function openFile(folder: string, port: string): OpenFile {
  for (let number = 1; ; number++) {
    const file = new OpenFile(join(folder, `${port}-${number}`));
    if (file.isOver()) {
      file.close();
      continue;
    }
    removeStale(folder, port).catch(() => undefined);
    return file;
  }
}

/** Whether the process that wrote a line may still live. */
function isAlive(author: string): boolean {
  const pid = Number.parseInt(author, 10);
  // Another process may have had the number of this one.
  return author === AUTHOR || (pid > 0 && pid !== process.pid && hasProcess(pid));
}

class OpenFile {
  private readonly descriptor: number;
  private readUpTo = 0;

  constructor(path: string) {
    const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
    // Windows has no O_NOFOLLOW, and needs a privilege to make links.
    this.descriptor = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  }

  /** Whether an engine that is gone has left it. */
  isOver(): boolean {
    const lines = readFileSync(this.descriptor, "utf8").split("\n");
    const authors = lines.filter((line) => line !== "").map((line) => line.split("-", 1).join());
    if (authors.includes(OVER)) return true;
    if (authors.length === 0 || authors.some(isAlive)) return false;
    writeSync(this.descriptor, `\n${OVER}\n`);
    return true;
  }

  /** Adds a line, and returns the entries up to it. Others may have written behind it by now: their lines are left for the next call. */
  add(entry: string): readonly string[] {
    const own = Buffer.from(`${AUTHOR}-${++written} ${entry}\n`);
    // Half a line would run into the next one, which nobody could read then.
    if (writeSync(this.descriptor, own) !== own.length) throw new AgentPlatformError("the disk is full");
    const { size, nlink } = fstatSync(this.descriptor);
    if (nlink === 0) throw new AgentPlatformError("the file is gone");
    const added = Buffer.alloc(size - this.readUpTo);
    readSync(this.descriptor, added, 0, added.length, this.readUpTo);
    const at = added.indexOf(own);
    if (at < 0) throw new AgentPlatformError("the file does not have what was written");
    const end = at + own.length;
    this.readUpTo += end;
    const lines = added.toString("utf8", 0, end).split("\n").slice(0, -1);
    return lines.map((line) => line.slice(line.indexOf(" ") + 1));
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Engines that are gone leave their files; a file that stays does no harm. */
async function removeStale(folder: string, own: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [port = ""] = name.split("-");
    if (port !== own && (await isGone(`127.0.0.1:${port}`))) rmSync(join(folder, name), { force: true });
  }
}
