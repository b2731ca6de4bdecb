import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { freePort } from "../../tools/base/loopback";
import { STACK_KEYS, makeWorkplace, type Workplace } from "../support/cli-stack";
import { packInto } from "../support/packed";
import { runProcess } from "../support/run-process";
import { blockOf, type Block } from "./blocks";
import { read, ROOT, type Recording } from "./pages";
import { startRegistry, type Registry } from "./registry";

/** How a block is typed. */
export interface Typed {
  /** What the reader writes for what is theirs: `<the key file>` and the like, or another text of the block. */
  readonly fill?: Readonly<Record<string, string>>;
  /** What they answer when a command asks for a value, in order. */
  readonly answers?: readonly string[];
  /** The exit code that the page says. */
  readonly code?: number;
}

/** A command that asks for a value, and takes it from standard input. */
const ASKS = /^(?:read -rs \w+|pulumi config set --secret \S+(?: --stack \S+)?$)/;
/** A name in angle brackets is the reader's own. */
const PLACEHOLDER = /<[a-z][^<>\n]*>/;
/**
 * No chapter looks at the preview before an `up` or a `destroy`, which takes as long as the command: only a page shows it. And once a first
 * stack has had a passphrase (`hurry`), the others have their keys elsewhere.
 */
const SHORTER =
  process.env["TEST_RUN"] === undefined
    ? []
    : [
        "pulumi() {",
        '  case "$1 $2" in "up "* | "destroy "*) set -- "$@" --skip-preview ;; "stack init") set -- "$@" $STACK_KEYS ;; esac',
        '  command pulumi "$@"',
        "}",
      ];
/** A line that says that something goes on, and no more; and what Pulumi says at the end of every destroy. */
const NO_NEWS = [
  /^@ |(?:creating|updating|deleting|refreshing) \(\d+s\)/,
  /^ +(?:pulumi:pulumi|agent-platform:index):\w+ +[\w-]+(?: running.*)?$/,
  /^[\w-]+: revision \S+ is [A-Z_]+$/,
  /^The resources in the stack have been deleted|^If you want to remove the stack completely/,
];

/**
 * Somebody who has an empty folder, the packed package and the pages. What they run is the text of a block: `bash` reads it as it stands, in the
 * folder and with the variables that the blocks before left. Only four things are written for them: what stands in angle brackets, the answer to
 * a command that asks for a value, a free port for 8080, and the walk's folder for `--local`, which is the home of whoever runs the test. Pulumi's own
 * question is answered with yes (`PULUMI_SKIP_CONFIRMATIONS`).
 */
export class Reader {
  readonly recordings = new Map<string, Recording>();
  /** The steps whose blocks have been run or written into a file. */
  readonly ran = new Set<string>();
  private port = 0;
  private terminals: ChildProcess[] = [];

  private constructor(
    private readonly workplace: Workplace,
    private readonly registry: Registry,
  ) {}

  static async open(): Promise<Reader> {
    // Outside the checkout, above which there would be a node_modules.
    const workplace = await makeWorkplace("walk", realpathSync(mkdtempSync(join(tmpdir(), "agent-platform-walk-"))));
    const reader = new Reader(workplace, await startRegistry(packInto(workplace.folder)));
    reader.port = await freePort();
    writeFileSync(reader.path(".cwd"), workplace.folder);
    writeFileSync(reader.path(".variables"), "", { mode: 0o600 });
    return reader;
  }

  async close(): Promise<void> {
    await this.closeTerminals();
    await this.registry.close();
    rmSync(join(this.workplace.folder, ".."), { recursive: true, force: true });
  }

  /** The address of the platform: what stands for http://127.0.0.1:8080. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** A file of the folder in which the reader is. */
  file(name: string): string {
    return isAbsolute(name) ? name : join(readFileSync(this.path(".cwd"), "utf8").trim(), name);
  }

  read(name: string): string {
    return readFileSync(this.file(name), "utf8");
  }

  write(name: string, text: string): void {
    writeFileSync(this.file(name), text);
  }

  /** Changes a file: the text has to be there. */
  edit(name: string, before: string, after: string): void {
    const text = this.read(name);
    if (!text.includes(before)) throw new Error(`${name} has no ${before}`);
    this.write(name, text.replace(before, after));
  }

  /** Writes a block into a file, as the page says. */
  save(step: string, name: string): void {
    this.write(name, this.take(step).code);
  }

  /** The block of a step, which counts as run from now on. */
  take(step: string): Block {
    this.ran.add(step);
    return blockOf(step);
  }

  /** Runs a block: what it prints. A recorded one is kept for the page. */
  async run(step: string, typed: Typed = {}): Promise<string> {
    const { code: text, mark } = this.take(step);
    if (mark?.kind !== "recorded") return this.shell(text, typed);
    const command = this.filled(/^\$ (.*)/.exec(text)?.[1] ?? "", typed);
    const output = await this.shell(command, { ...typed, fill: {} });
    this.recordings.set(step, { command: this.shown(command), output: this.shown(output) });
    return output;
  }

  /** Runs a command that stands in the words of a page. */
  async type(page: string, command: string, typed?: Typed): Promise<string> {
    const words = read(join(ROOT, page)).replace(/\s+/g, " ");
    if (!words.includes(`\`${command}\``)) throw new Error(`${page} does not say ${command}`);
    return this.shell(command, typed);
  }

  /** Runs what the page leaves to the reader. */
  async shell(text: string, typed: Typed = {}): Promise<string> {
    const script = [this.keeping(), this.script(text, typed)];
    const { code, output } = await runProcess("bash", ["-c", script.join("\n")], this.workplace.folder, {
      environment: this.environment(),
    });
    if (code !== (typed.code ?? 0)) throw new Error(`${text}\nended with ${code}:\n${output}`);
    return output;
  }

  /**
   * From here on, commands check no types (tests/docs/pages.test.ts checks those of all pages at once), and derive no key from a passphrase. Here they
   * have done both.
   */
  async hurry(): Promise<void> {
    await this.shell("export PULUMI_NODEJS_TRANSPILE_ONLY=true");
    if (SHORTER.length === 0) return;
    await this.shell(
      `pulumi stack change-secrets-provider hashivault://tests\nexport STACK_KEYS="${STACK_KEYS.join(" ")}"`,
    );
  }

  /** Runs a block in a terminal of its own, until it prints this; the platform is on another port from then on. */
  async inAnotherTerminal(step: string, until: RegExp, typed: Typed = {}): Promise<string> {
    const child = spawn("bash", ["-c", this.script(this.take(step).code, typed)], {
      cwd: this.workplace.folder,
      env: this.environment(),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.terminals.push(child);
    let said = "";
    return new Promise((resolve, reject) => {
      const hear = (text: Buffer): void => {
        said += text.toString();
        if (until.test(said)) resolve(said);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", (code) => reject(new Error(`${step} ended with ${code ?? "a signal"}:\n${said}`)));
    });
  }

  /** Ctrl-C in all other terminals. */
  async closeTerminals(): Promise<void> {
    for (const child of this.terminals.splice(0)) {
      if (child.pid === undefined || child.exitCode !== null) continue;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-child.pid, "SIGINT");
      await ended;
    }
  }

  /** Goes back to the folder in which it all began. */
  leave(): void {
    writeFileSync(this.path(".cwd"), this.workplace.folder);
  }

  /** What the state file of a stack has. */
  state(project: string, stack: string): string {
    return readFileSync(this.path(join(".pulumi", "stacks", project, `${stack}.json`)), "utf8");
  }

  private path(name: string): string {
    return join(this.workplace.folder, name);
  }

  private filled(text: string, { fill = {} }: Typed): string {
    let filled = text
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${this.port}`)
      .replaceAll("--port 8080", `--port ${this.port}`)
      .replaceAll("pulumi login --local", `pulumi login file://${quoted(this.workplace.folder)}`);
    for (const [name, value] of Object.entries(fill)) {
      if (!filled.includes(name)) throw new Error(`no ${name} in ${text}`);
      filled = filled.replaceAll(name, value);
    }
    const open = PLACEHOLDER.exec(filled.replace(/(?:^|\s)#.*$/gm, ""));
    if (open !== null) throw new Error(`${open[0]} is not filled in:\n${text}`);
    return filled;
  }

  private script(text: string, typed: Typed): string {
    const answers = [...(typed.answers ?? [])];
    const lines = this.filled(text, typed)
      .split("\n")
      .map((line) => (ASKS.test(line) ? line.replace(ASKS, (asks) => `${asks} <<< ${quoted(answers.shift())}`) : line));
    if (answers.length > 0) throw new Error(`nothing asks for ${answers.join()} in:\n${text}`);
    const [variables, folder] = [quoted(this.path(".variables")), quoted(this.path(".cwd"))];
    return ["set -eo pipefail", `. ${variables}; cd "$(cat ${folder})"`, ...SHORTER, ...lines].join("\n");
  }

  /** Makes the shell leave its folder and its variables for the next one. */
  private keeping(): string {
    const [variables, folder] = [this.path(".variables"), this.path(".cwd")];
    return `trap 'code=$?; pwd > "${folder}"; (umask 077; export -p > "${variables}"); exit $code' EXIT`;
  }

  /** A machine on which nobody has worked yet, but for npm's settings and the caches of npm and Go. */
  private environment(): NodeJS.ProcessEnv {
    const { environment } = this.workplace;
    const own = Object.entries(environment).filter(
      ([name]) => !/^(?:npm_.*|INIT_CWD|PULUMI_(?:BACKEND_URL|CONFIG_PASSPHRASE))$/.test(name),
    );
    const path = environment["PATH"]
      ?.split(delimiter)
      .filter((folder) => !folder.startsWith(join(ROOT, "node_modules")));
    return {
      ...Object.fromEntries(own),
      PATH: path?.join(delimiter),
      HOME: this.workplace.folder,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      npm_config_registry: this.registry.url,
      npm_config_cache: environment["npm_config_cache"] ?? join(homedir(), ".npm"),
      npm_config_userconfig: environment["npm_config_userconfig"] ?? join(homedir(), ".npmrc"),
      GOPATH: environment["GOPATH"] ?? join(homedir(), "go"),
      GOCACHE: environment["GOCACHE"] ?? join(homedir(), ".cache", "go-build"),
    };
  }

  /** Without this machine's folders and ports, and without the lines that say only that something goes on. */
  private shown(text: string): string {
    return (
      text
        .replaceAll(this.workplace.folder, "~")
        .replaceAll(this.url, "http://127.0.0.1:8080")
        .replaceAll(`--port ${this.port}`, "--port 8080")
        .split("\n")
        .filter((line) => !NO_NEWS.some((each) => each.test(line.trimEnd())))
        // The diagnostics below have the error, too.
        .map((line) => line.replace(/(\*\*\w+ failed\*\*.*; error: ).*/, "$1…"))
        // What npm has to say of the settings of whoever runs the test.
        .filter((line) => !line.startsWith("npm warn "))
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim()
    );
  }
}

function quoted(text: string | undefined): string {
  if (text === undefined) throw new Error("a command asks for a value, and the walk has no answer");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
