import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { CliError } from "../base/cli-error";

const note = z.object({
  url: z.string(),
  contract: z.enum(["extended", "documented"]),
  /** Its whole path; a key that came from an option or a variable is in no file. */
  keyFile: z.string().optional(),
});

/** What another terminal needs to know of an emulator that runs. */
export type RunningEmulator = z.infer<typeof note>;

const FOLDER = "agent-platform-emulator-";
const FILE = "emulator.json";

/** Leaves a note for `--env`, without the key. @returns What removes it. */
export function leaveNote(port: number, running: RunningEmulator): () => void {
  try {
    // The port is ours now: another note about it is of an emulator that was killed.
    for (const old of notes().filter((each) => each.port === port)) remove(old.folder);
    // mkdtemp: nobody else can write into the folder, or take its name before us.
    const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${port}-`));
    writeFileSync(join(folder, FILE), JSON.stringify(running), { mode: 0o600 });
    return () => remove(folder);
  } catch {
    // An emulator also runs where no temporary folder can be written: `--env` does not find it.
    return () => undefined;
  }
}

/** The emulator of this user on that port; without one, the only one that runs. Throws CliError where none is meant, or more than one. */
export async function findRunning(port: number | undefined): Promise<RunningEmulator> {
  const candidates = notes();
  const listening = await Promise.all(candidates.map((each) => isListening(each.port)));
  const running = candidates.filter((_each, at) => listening[at]);
  const meant = running.filter((each) => port === undefined || each.port === port);
  const [only, other] = meant;
  if (only !== undefined && other === undefined) return only.running;
  const ports = running.map((each) => each.port).join(", ");
  if (only !== undefined) throw new CliError(`--env: several emulators run: choose one with --port (${ports})`);
  const where = port === undefined ? "" : ` on port ${port}`;
  const others = ports === "" ? "" : ` (there are emulators on ${ports})`;
  const start = `pulumi-agent-platform emulator --port ${port ?? 8080}`;
  throw new CliError(`--env: no emulator of yours runs${where}${others}. Start one in another terminal: ${start}`);
}

interface Note {
  readonly folder: string;
  readonly port: number;
  readonly running: RunningEmulator;
}

/** The notes of this user: a shell runs what is made of them, so those of others do not count. */
function notes(): Note[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    const port = Number(new RegExp(`^${FOLDER}(\\d{1,5})-`).exec(name)?.[1]);
    if (Number.isNaN(port)) return [];
    const folder = join(tmpdir(), name);
    try {
      const status = lstatSync(folder);
      if (!status.isDirectory() || status.uid !== (process.getuid?.() ?? status.uid)) return [];
      return [{ folder, port, running: note.parse(JSON.parse(readFileSync(join(folder, FILE), "utf8"))) }];
    } catch {
      // Its emulator is just starting or ending.
      return [];
    }
  });
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** An emulator that was killed has left its note. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
