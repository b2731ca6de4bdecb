import type { LogEntry } from "../../../emulator";
import { runProcess, type Ended } from "../../support/run-process";
import { currentVersion } from "../../upgrade/recorded";
import { BY_HAND, byHand, type ByHand } from "./by-hand";
import { COMMANDS, plain, run, type Bench, type CommandName, type Ran } from "./commands";
import { DECLARING, declaring, type Declaring } from "./declaring";
import { FAULTS, faultOf, type FaultName } from "./faults";
import { isFull, Model, succeeded } from "./model";
import { KEYS, type Platform } from "./platform";
import { find, fresh, isKept, nameOf, programText, type Declaration, type Handle, type Program } from "./program";
import { PROMISES, type Judged } from "./promises";
import { shownReview } from "./reviewing";
import type { EngineHome, EngineStack } from "./stack";
import { rowOf, see, withoutTwins, type Seen } from "./state";

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
  /** How often each word was played. */
  readonly played = new Map<string, number>();
  private readonly lines: string[] = [];
  private lastText = "";
  private faults: { readonly name: FaultName; readonly off: () => void | Promise<void> }[] = [];
  isInSync = false;

  constructor(
    readonly home: EngineHome,
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
  count(word: string): void {
    this.played.set(word, (this.played.get(word) ?? 0) + 1);
  }

  /** Plays a step; false where it does not apply here. */
  async step([word, handle = "Deployment1", n = 0]: Step): Promise<boolean> {
    const isPlayed = await this.played1(word, handle, n);
    if (isPlayed) this.count(word);
    return isPlayed;
  }

  private async played1(word: Word, handle: Handle, n: number): Promise<boolean> {
    if (isCommand(word)) return (await this.command(word, handle, n)) !== undefined;
    if (isDeclaring(word)) {
      const changed = declaring(this.program, word, handle, n);
      if (changed === undefined) return false;
      this.program = changed.map((each) => this.withAdoptId(each));
      this.isInSync = false;
      this.tell(`  ${handle}: ${word}`);
      return true;
    }
    if (isByHand(word)) return this.byHand(word, handle, n);
    if (isFault(word)) return this.strike(word, handle, n);
    return false;
  }

  /** The object that it has when `adopt` comes into the program, or one of its name. */
  withAdoptId({ adoptId: old, ...rest }: Declaration): Declaration {
    const declared: Declaration = { ...rest, ...(rest.adopt && old !== undefined && { adoptId: old }) };
    if (!declared.adopt || declared.adoptId !== undefined || !isKept(declared.type)) return declared;
    const seen = see(this.stack, this.platform);
    const held = rowOf(seen, declared)?.id;
    const named = seen.objects.find(({ type, name }) => type === declared.type && name === nameOf(declared))?.id;
    const adoptId = held ?? named;
    return adoptId === undefined ? { ...declared, adopt: false } : { ...declared, adoptId };
  }

  private async byHand(word: ByHand, handle: Handle, n: number): Promise<boolean> {
    const { platform, program } = this;
    this.seen = see(this.stack, platform);
    const declared = find(program, handle) ?? fresh(handle);
    const touch = await byHand(word, { platform, program, seen: this.seen, declared, n });
    if (touch === undefined) return false;
    this.seen = see(this.stack, platform);
    this.model.wasTouched(touch, this.seen);
    this.isInSync = false;
    this.tell(`  by hand, ${handle}: ${word} (${n})`);
    return true;
  }

  private strike(name: FaultName, handle: Handle, n: number): boolean {
    const off = faultOf(name).on(this.platform, find(this.program, handle), n);
    if (off === undefined) return false;
    this.faults.push({ name, off });
    this.isInSync = false;
    this.tell(`  all the while: ${name} (${handle}, ${n})`);
    return true;
  }

  /** Runs a command and judges everything that it did; undefined where it does not apply. */
  async command(name: CommandName, handle: Handle = "Deployment1", n = 0): Promise<Ran | undefined> {
    const advised: string[] = [];
    const last = await this.judgeEach((bench) => run(name, bench, handle, n), advised);
    if (last?.moves !== undefined) this.program = declaring(this.program, "drop", last.moves, 0) ?? this.program;
    const faults = this.faults;
    this.faults = [];
    for (const { off } of faults) await off();
    this.platform.emulator.faults.clear();
    for (const line of advised) await this.follow(line);
    return last;
  }

  /** The second `up` of the end: it has to find nothing to do. */
  again(): Promise<Ran | undefined> {
    const flags = ["--yes", "--diff", "--expect-no-changes"];
    return this.judgeEach((bench) => plain({ applies: true }, "up", ...flags)(bench, "Deployment1", 0), []);
  }

  /** Runs a command as a message has it. */
  async follow(line: string): Promise<Ended> {
    const words = [...line.matchAll(/'[^']*'|"[^"]*"|\S+/g)]
      .map(([word]) => word.replace(/^(['"])(.*)\1$/, "$2"))
      .slice(1);
    const writes = ["up", "refresh", "destroy", "import"].includes(words[0] ?? "") ? ["--yes", "--skip-preview"] : [];
    const flags = words[0] === "state" ? ["--yes"] : writes;
    const { stack } = this;
    let ended: Ended | undefined;
    await this.judgeEach(async function* () {
      ended = await stack.run([...words, ...flags]);
      const kind = words[0] === "up" ? { applies: true as const } : {};
      const targets = words.includes("--target") ? { targets: words.slice(words.indexOf("--target") + 1) } : {};
      const refreshes = words[0] === "refresh" || words.includes("--refresh") ? { refreshes: true as const } : {};
      const forgets = words[1] === "delete" ? { forgets: true as const } : {};
      yield { ...kind, ...targets, ...refreshes, ...forgets, line: `${line}, as advised`, ended };
    }, []);
    return ended ?? runProcess("false", [], stack.folder, {});
  }

  /** Judges each of these commands, and returns the last. */
  private async judgeEach(
    commands: (bench: Bench) => AsyncGenerator<Ran, void, undefined>,
    advised: string[],
  ): Promise<Ran | undefined> {
    const { home, stack, platform, key } = this;
    stack.write(programText(this.program));
    this.tellProgram();
    this.seen = see(stack, platform);
    const struck = this.faults.map(({ name }) => name);
    // Where everything is applied already, nothing would be reviewed.
    const isCalm = !this.isInSync && struck.every((name) => name.startsWith("the next revision"));
    const bench = { home, stack, platform, program: this.program, key, isCalm, isInSync: this.isInSync };
    const runs = commands({ ...bench, seen: this.seen });
    let last: Ran | undefined;
    for (;;) {
      const before = (this.seen = see(stack, platform));
      const since = platform.last;
      const disturbed = this.model.disturbance(this.program, before);
      const next = await runs.next();
      if (next.done === true) return last;
      last = next.value;
      await this.mend(last.ended);
      advised.push(...(last.advises ?? []));
      const mayFail =
        last.foreignKey === true ? "it was another tenant's key" : struck.length > 0 ? struck.join(" and ") : disturbed;
      this.judge(last, before, since, mayFail);
    }
  }

  /** Some commands with a target leave a state that no command takes; this is the way out (docs/internals/engine.md, trap 53). */
  private async mend({ output }: Ended): Promise<void> {
    if (!/it was already written, but is invalid|snapshot integrity error/.test(output)) return;
    const { stack } = this;
    const text = stack.stateText();
    const kept = withoutTwins(text);
    if (kept !== text) stack.putState(kept);
    const { code } = await stack.run(["state", "repair", "--yes"]);
    this.tell(
      `  the engine has put the state out of order: export, import and pulumi state repair  -> exit code ${code}`,
    );
  }

  private judge(ran: Ran, before: Seen, since: number, mayFail: string | undefined): void {
    const { model, program, platform, faults } = this;
    const after = see(this.stack, platform);
    this.tellCommand(ran, since, mayFail);
    this.commands++;
    if (ran.review !== undefined) this.reviews++;
    if (!succeeded(ran)) this.failed++;
    if (ran.destroys ?? ran.forgets) this.isInSync = false;
    const isBlind = faults.some(({ name }) => faultOf(name).isBlind);
    model.wasRun(ran, program, before, after, isBlind, since);
    this.seen = after;
    const wasStruck = faults.length > 0;
    const isSeen = model.gone.size + model.hands.size === 0;
    if (ran.applies && isFull(ran)) this.isInSync = succeeded(ran) && !wasStruck && isSeen;
    const judged: Judged = { ran, program, before, after, model, platform, since, wasStruck, mayFail };
    for (const [name, promised] of Object.entries(PROMISES)) {
      const found = promised(judged);
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
