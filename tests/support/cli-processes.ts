import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { compiledSources } from "./compiled-sources";

/** How a command line ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Command lines in processes of their own, as the sources are now. */
export class CliProcesses {
  private readonly folder = compiledSources();
  private readonly running: ChildProcessWithoutNullStreams[] = [];
  /** The file that Node runs. */
  readonly program = join(this.folder, "cli/main.js");

  start(words: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [this.program, ...words], {
      env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...env },
    });
    this.running.push(child);
    return child;
  }

  killAll(): void {
    for (const child of this.running.splice(0)) child.kill("SIGKILL");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What it printed from now on, once it has ended. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  await once(child, "close");
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}
