import type { LogEntry } from "../../../emulator";
import type { CliStack } from "../../support/cli-stack";
import type { Ended } from "../../support/run-process";
import { currentVersion } from "../../upgrade/recorded";
import { BY_HAND, byHand, type ByHand } from "./by-hand";
import { COMMAND_ROWS, COMMANDS, pulumi, type Bench, type CommandName, type Commands, type Ran } from "./commands";
import { DECLARING, declaring, type Declaring } from "./declaring";
import { FAULT_ROWS, FAULTS, type FaultName } from "./faults";
import { isFull, Model, succeeded, type Passed } from "./model";
import { KEYS, type Platform } from "./platform";
import { find, fresh, isKept, programText, type Declaration, type Handle, type Program } from "./program";
import { PROMISES } from "./promises";
import { shownReview } from "./reviewing";
import type { EngineStack } from "./stack";
import { dropTwins, rowOf, see, type Seen } from "./state";

/** A promise that does not hold, and what was found. */
export class Broken extends Error {
  constructor(
    readonly promise: string,
    readonly found: readonly string[],
  ) {
    super(`${promise}: ${found.join("; ")}`);
  }
}

/** From here on this version of the package plays. */
export const TAKE_OVER = "this version takes over";
export type Word = Declaring | ByHand | FaultName | CommandName | typeof TAKE_OVER;
/** What is done, to which resource, and which of the choices there are. */
export type Step = readonly [word: Word, handle?: Handle, n?: number];

const isOf =
  <T extends Word>(words: readonly T[]) =>
  (word: Word): word is T =>
    words.some((each) => each === word);
export const [isDeclaring, isByHand, isFault, isCommand] = [
  isOf(DECLARING),
  isOf(BY_HAND),
  isOf(FAULTS),
  isOf(COMMANDS),
];

const isTarget = (arg: string): boolean => arg === "--target" || arg === "--target-replace";
const SEPARATE = /\n(?=const |new |pulumi\.runtime)/;

/** One story as it is played: the program, the stack, the platform, and the model of them. */
export class Play {
  program: Program = [];
  readonly model: Model;
  readonly key: { value: string } = { value: KEYS.first };
  seen: Seen = { rows: [], objects: [] };
  commands = 0;
  failed = 0;
  reviews = 0;
  /** The version of the package that is installed. */
  version = currentVersion();
  private readonly lines: string[] = [];
  private lastText = "";
  private readonly faults: { readonly name: FaultName; readonly off: () => void | Promise<void> }[] = [];
  isInSync = false;

  constructor(
    readonly blank: CliStack,
    readonly stack: EngineStack,
    readonly platform: Platform,
  ) {
    this.model = new Model(platform);
  }

  tell(line: string): void {
    this.lines.push(line);
  }
  get story(): string {
    return this.lines.join("\n");
  }

  /** Plays a step, where it applies. */
  async step([word, handle = "Deployment1", n = 0]: Step): Promise<void> {
    if (isCommand(word)) await this.command(word, handle, n);
    if (isByHand(word)) await this.byHand(word, handle, n);
    if (isFault(word)) this.strike(word, handle, n);
    const changed = isDeclaring(word) ? declaring(this.program, word, handle, n) : undefined;
    if (changed === undefined) return;
    this.program = changed.map((each) => this.withAdoptId(each));
    this.isInSync = false;
    this.tell(`  ${handle}: ${word}`);
  }

  /** The object that it has when `adopt` comes into the program, or one of its name. */
  withAdoptId({ adoptId: old, ...rest }: Declaration): Declaration {
    const declared: Declaration = { ...rest, ...(rest.adopt && old !== undefined && { adoptId: old }) };
    if (!declared.adopt || declared.adoptId !== undefined || !isKept(declared.type)) return declared;
    const seen = see(this.stack, this.platform);
    const adoptId = rowOf(seen, declared)?.id ?? this.platform.named(declared)?.id;
    return adoptId === undefined ? { ...declared, adopt: false } : { ...declared, adoptId };
  }

  private async byHand(word: ByHand, handle: Handle, n: number): Promise<void> {
    const { platform, program } = this;
    this.seen = see(this.stack, platform);
    const declared = find(program, handle) ?? fresh(handle);
    const touch = await byHand(word, { platform, seen: this.seen, declared, n });
    if (touch === undefined) return;
    this.seen = see(this.stack, platform);
    this.model.wasTouched(touch, this.seen);
    this.isInSync = false;
    this.tell(`  by hand, ${handle}: ${word} (${n})`);
  }

  private strike(name: FaultName, handle: Handle, n: number): void {
    const off = FAULT_ROWS[name].on(this.platform, find(this.program, handle), n);
    if (off === undefined) return;
    this.faults.push({ name, off });
    this.isInSync = false;
    this.tell(`  all the while: ${name} (${handle}, ${n})`);
  }

  /** Runs a command and judges everything that it did; undefined where it does not apply. */
  async command(name: CommandName, handle: Handle = "Deployment1", n = 0): Promise<Ran | undefined> {
    const all = await this.judgeEach((bench) => COMMAND_ROWS[name](bench, handle, n));
    const last = all.at(-1);
    if (last?.moves !== undefined) this.program = declaring(this.program, "drop", last.moves, 0) ?? this.program;
    this.platform.emulator.faults.clear();
    for (const { off } of this.faults.splice(0)) await off();
    for (const line of all.flatMap(({ advises = [] }) => advises)) await this.follow(line);
    return last;
  }

  /** The second `up` of the end: it has to find nothing to do. */
  async again(): Promise<Ran | undefined> {
    const { stack } = this;
    const [ran] = await this.judgeEach(async function* () {
      const args = ["up", "--diff", "--expect-no-changes", "--skip-preview"];
      yield { applies: true, line: `pulumi ${args.join(" ")}`, ended: await stack.run([...args, "--yes"]) };
    });
    return ran;
  }

  /** Runs a command as a message has it. */
  async follow(line: string): Promise<void> {
    const words = [...line.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) => word.replace(/^(['"])(.*)\1$/, "$2"));
    const [, command, ...args] = words;
    const kind = {
      line: `${line}, as advised`,
      ...(command === "up" && { applies: true as const }),
      ...(args.some(isTarget) && { targets: args.slice(args.findIndex(isTarget) + 1) }),
      ...((command === "refresh" || args.includes("--refresh")) && { refreshes: true as const }),
      ...(args[0] === "delete" && { forgets: true as const }),
    };
    await this.judgeEach((bench) => pulumi(bench, kind, ...words.slice(1)));
  }

  /** Nothing strikes, or nothing but revisions; where everything is applied already, there is nothing to review. */
  get isCalm(): boolean {
    return !this.isInSync && this.faults.every(({ name }) => name.startsWith("the next revision"));
  }

  get isUnstruck(): boolean {
    return this.faults.length === 0;
  }

  /** Judges each of these commands. */
  async judgeEach(commands: (bench: Bench) => Commands<unknown>): Promise<Ran[]> {
    const { stack, platform } = this;
    stack.write(programText(this.program));
    this.tellProgram();
    this.seen = see(stack, platform);
    const struck = this.faults.map(({ name }) => name).join(" and ");
    const runs = commands(this);
    for (const all: Ran[] = []; ;) {
      const before = (this.seen = see(stack, platform));
      const since = platform.last;
      const disturbed = this.model.disturbance(this.program, before);
      const next = await runs.next();
      if (next.done === true) return all;
      const ran = next.value;
      all.push(ran);
      await this.mend(ran.ended);
      platform.passed("commands");
      const mayFail = ran.foreignKey === true ? "it was another tenant's key" : struck || disturbed;
      this.judge({ ran, program: this.program, before, after: see(stack, platform), since }, mayFail);
    }
  }

  /** Some commands with a target leave a state that no command takes; this is the way out (docs/internals/engine.md, trap 53). */
  private async mend({ output }: Ended): Promise<void> {
    if (!/it was already written, but is invalid|snapshot integrity error/.test(output)) return;
    dropTwins(this.stack);
    const { code } = await this.stack.run(["state", "repair", "--yes"]);
    this.tell(`  the engine has put the state out of order: export, import and state repair  -> exit code ${code}`);
  }

  private judge(passed: Passed, mayFail: string | undefined): void {
    const { model, platform, faults } = this;
    const { ran, after, since } = passed;
    this.tellCommand(ran, since, mayFail);
    this.commands++;
    if (ran.review !== undefined) this.reviews++;
    if (!succeeded(ran)) this.failed++;
    if (ran.destroys ?? ran.forgets) this.isInSync = false;
    model.wasRun(
      passed,
      faults.some(({ name }) => FAULT_ROWS[name].isBlind),
    );
    this.seen = after;
    const wasStruck = faults.length > 0;
    const isSeen = model.gone.size + model.hands.size === 0;
    if (ran.applies && isFull(ran)) this.isInSync = succeeded(ran) && !wasStruck && isSeen;
    for (const [name, promised] of Object.entries(PROMISES)) {
      const found = promised({ ...passed, model, platform, wasStruck, mayFail });
      if (found.length > 0) throw new Broken(name, found);
    }
  }

  /** The program, where it differs from that of the command before. */
  private tellProgram(): void {
    const text = programText(this.program).trim();
    if (text !== this.lastText)
      this.tell(indented(`the program:\n${text.split(SEPARATE).join("\n") || "// nothing"}`, 2));
    this.lastText = text;
  }

  private tellCommand({ line, ended, review }: Ran, since: number, mayFail: string | undefined): void {
    if (review !== undefined) this.tell(indented(`the review says:\n${shownReview(review) || "nothing"}`, 4));
    const how = ended.cut ? "killed" : ended.hung ? "did not end" : `exit code ${ended.code}`;
    this.tell(`  $ ${line}  -> ${how}${ended.code === 0 || mayFail === undefined ? "" : ` (${mayFail})`}`);
    const messages = ended.output.indexOf("Diagnostics:");
    if (messages >= 0) this.tell(indented(shortened(ended.output.slice(messages), 2500), 6));
    else if (ended.code !== 0) this.tell(indented(shortened(ended.output, 1500), 6));
    const telling = this.platform.emulator.requests.filter(
      ({ seq, method, fault }) => seq > since && (method !== "GET" || fault !== null),
    );
    const counts = new Map<string, number>();
    for (const text of telling.map(requestLine)) counts.set(text, (counts.get(text) ?? 0) + 1);
    for (const [text, count] of counts) this.tell(indented(count > 1 ? `${text} (${count} times)` : text, 6));
  }
}

function requestLine({ method, path, status, fault, requestBody }: LogEntry): string {
  const body = requestBody === null ? "" : ` ${JSON.stringify(requestBody)}`;
  const struck = fault === null ? "" : ` (fault: ${fault})`;
  return `${method} ${path}${shortened(body, 300)} -> ${status ?? "no answer"}${struck}`;
}
const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} ...` : text;
const indented = (text: string, by: number): string =>
  text.trim().split("\n").filter((line) => line.trim() !== "").map((line) => " ".repeat(by) + line).join("\n"); // prettier-ignore
