import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { startEmulator, type Emulator } from "../../emulator";
import { makeWorkplace, type Workplace } from "../support/cli-stack";
import { runProcess } from "../support/run-process";

const ROOT = join(__dirname, "..", "..");
const CLI = join(ROOT, "dist", "cli", "main.js");

/** A line that says that something goes on, and no more. */
const GOING_ON = /^@ |(?:creating|updating|deleting|refreshing) \(\d+s\)/;
const Items = z.looseObject({ resources: z.array(z.looseObject({ id: z.string() })).default([]) });

/** A block of a page: the command as a reader types it, and what it printed. */
export interface Recording {
  readonly command: string;
  readonly output: string;
}

/** The place where the commands of the pages are played: a project, an emulator and a shell. */
export class Stage {
  readonly recordings = new Map<string, Recording>();
  private project: string;

  private constructor(
    private readonly workplace: Workplace,
    readonly emulator: Emulator,
  ) {
    this.project = join(workplace.folder, "support");
    mkdirSync(this.project);
  }

  static async open(): Promise<Stage> {
    const emulator = await startEmulator({ buildSeconds: 2, unknownRoute: "404" });
    return new Stage(await makeWorkplace("docs"), emulator);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.workplace.folder, { recursive: true, force: true });
  }

  /** The folder of the commands that follow. */
  cd(folder: string): void {
    this.project = join(this.workplace.folder, folder);
    mkdirSync(this.project, { recursive: true });
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.project, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.project, file), "utf8");
  }

  /** Changes the program: the text has to be there. */
  edit(file: string, before: string, after: string): void {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    this.write(file, text.replace(before, after));
  }

  /** Runs a command that no page shows the output of. */
  async run(command: string, input = ""): Promise<string> {
    const { code, output } = await this.played(command, input);
    if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
    return output;
  }

  /** Runs a command, and keeps what it printed for the pages. @param code The exit code that the page says. */
  async record(name: string, command: string, { code = 0, input = "" } = {}): Promise<string> {
    const ended = await this.played(command, input);
    if (ended.code !== code) throw new Error(`${name}: ${command} ended with ${ended.code}:\n${ended.output}`);
    const output = this.shown(ended.output);
    this.recordings.set(name, { command: this.shown(command), output });
    console.log(`--- ${name}\n$ ${command}\n${output}`);
    return output;
  }

  /** A request of somebody else, with the same key. A list is answered as its items. */
  async platform(method: string, path: string, body?: object): Promise<readonly { readonly id: string }[]> {
    const headers = { "x-api-key": this.emulator.apiKey, "content-type": "application/json" };
    const answer = await fetch(this.emulator.url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
    return Items.parse(await answer.json()).resources;
  }

  /** Waits until the revisions that are on their way have ended. */
  settled = (): Promise<void> => pause(3000);

  /** The words of a command, as a shell splits them; `npx agent-platform` is the command line of this checkout. */
  private played(command: string, input: string): Promise<{ readonly code: number; readonly output: string }> {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    const isOurs = words[0] === "npx";
    const [program, args] = isOurs
      ? [process.execPath, [CLI, ...words.slice(2)]]
      : [this.workplace.pulumi, ["--non-interactive", ...words.slice(1)]];
    return runProcess(program, args, this.project, { input, environment: this.environment() });
  }

  private environment(): NodeJS.ProcessEnv {
    const { url, apiKey } = this.emulator;
    return { ...this.workplace.environment, AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey };
  }

  /** Without this machine's folders and ports, and without the lines that say only that something goes on. */
  private shown(text: string): string {
    return text
      .replaceAll(this.workplace.folder, "~")
      .replaceAll(this.emulator.url, "http://127.0.0.1:8080")
      .split("\n")
      .filter((line) => !GOING_ON.test(line) || line.includes(" is BUILDING"))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }
}
