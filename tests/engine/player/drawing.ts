import fc from "fast-check";
import { FRONT, type Front } from "../../support/cli-stack";
import { earlierVersions, kindsOf } from "../../upgrade/package";
import { BY_HAND } from "./by-hand";
import { COMMANDS } from "./commands";
import { DECLARING, declaring } from "./declaring";
import { FAULTS } from "./faults";
import { KINDS, keepsHost, type KindName, type Made } from "./made-states";
import { isCommand, isDeclaring, TAKE_OVER, type Step, type Word } from "./play";
import { QUIRK_NAMES, type QuirkName } from "./platform";
import { find, HANDLES, isKept, isOffered, typeOfHandle, TYPES, wordsOf, type Handle, type Program } from "./program";
import { SITUATIONS, type Line, type Who } from "./stories";

/** A story: how it begins, and what is done. */
export interface Story {
  readonly seed?: number;
  /** The version of the package that it begins with, if an earlier one. */
  readonly from?: string;
  /** What the state is made of. */
  readonly made?: Made;
  readonly quirks: readonly QuirkName[];
  readonly steps: readonly Step[];
  /** The end begins with a refresh, even where nothing was changed by hand. */
  readonly refreshes: boolean;
  /** It has no end: the stack is left as its last step leaves it. */
  readonly isLeft?: true;
}
export type Begin = "empty" | "made" | { readonly version: string };

/** Words that mean nothing for dynamic resources, which have no imports, and are written in JavaScript alone. */
const NATIVE_ONLY: ReadonlySet<Word> = new Set<Word>([
  "rename in Pulumi, with import",
  "declare as YAML does, or no longer",
  "import",
]);
/** The command line is that of this checkout. */
const OF_THE_COMMAND_LINE: ReadonlySet<Word> = new Set<Word>(["drift", "inventory", "doctor"]);
const isSaidOn = (front: Front, word: Word): boolean => front === "native" || !NATIVE_ONLY.has(word);
export const wordsOn = (front: Front): Word[] =>
  [...DECLARING, ...BY_HAND, ...FAULTS, ...COMMANDS].filter((word) => isSaidOn(front, word));
export const isToldOn = (front: Front, { steps }: Story): boolean => steps.every(([word]) => isSaidOn(front, word));
/** The types of each earlier version. */
const KNOWN_TO = new Map(earlierVersions().map((version) => [version, kindsOf(version)]));

/** Said the more often where they apply. */
const FEW_APPLY: readonly Word[] = ["take a field out", "switch awaitRollout", "take nothing from another", "respell", "check the deployment"]; // prettier-ignore

type Below = (count: number) => number;
/** Draws numbers, the same of a seed each time. Without bias: fast-check prefers small numbers, which here would be the first words of each list. */
export function drawing(seed: number): Below {
  const [values] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (values === undefined) throw new Error(`no story of the seed ${seed}`);
  return (count) => (count <= 1 ? 0 : values((max: number) => fc.noBias(fc.nat({ max })), count - 1));
}

/** Writes a story: knows the program at each step, so that each word has something to work on. */
class Writer {
  program: Program = [];
  readonly steps: Step[] = [];
  /** An earlier version plays. */
  isEarlier = false;

  constructor(
    private readonly below: Below,
    readonly front: Front,
    /** The types that can be declared. */
    private handles: readonly Handle[],
  ) {}

  draw<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  takeOver(handles: readonly Handle[]): void {
    this.handles = handles;
    this.isEarlier = false;
  }

  /** One of the words that apply; none where none does. */
  say(words: readonly Word[], handle: Handle): void {
    const n = this.below(64);
    const after = (word: Word): Program | undefined =>
      isDeclaring(word) ? declaring(this.program, word, handle, n) : this.program;
    const fitting = words.filter(
      (word) =>
        isSaidOn(this.front, word) && !(this.isEarlier && OF_THE_COMMAND_LINE.has(word)) && after(word) !== undefined,
    );
    if (fitting.length === 0) return;
    const word = this.draw(fitting);
    this.program = after(word === "state move" ? "drop" : word) ?? this.program;
    this.steps.push([word, handle, n]);
  }

  private declared(): readonly Handle[] {
    const all = this.program.map(({ handle }) => handle);
    return all.length > 0 ? all : [this.handles[0] ?? "Deployment1"];
  }
  declareSome(): void {
    const handles = this.handles.filter((handle) =>
      this.chance(handle.endsWith("1") || handle === "Deployment2" ? 45 : 20),
    );
    const all = handles.length > 0 ? handles : [this.draw(this.handles)];
    for (const handle of all) if (find(this.program, handle) === undefined) this.say(["declare"], handle);
  }

  situation(lines: readonly Line[] = this.draw(Object.values(SITUATIONS))): void {
    const deployments = this.declared().filter((handle) => handle.startsWith("Deployment"));
    const free = this.handles.filter((handle) => find(this.program, handle) === undefined);
    const [a, d] = [this.draw(this.declared()), deployments.length > 0 ? this.draw(deployments) : undefined];
    const z = free.length > 0 ? this.draw(free) : undefined;
    const whom: Readonly<Record<Who, () => Handle | undefined>> = {
      a: () => a,
      d: () => d,
      c: () => find(this.program, "Deployment2")?.handle,
      z: () => z,
      from: () => find(this.program, a)?.use?.from,
    };
    for (const [words, who = "a"] of lines) {
      const handle = whom[who]();
      if (handle !== undefined) this.say(words, handle);
    }
  }

  /** Anything at all. */
  free(): void {
    const any = (): Handle => this.draw([...this.declared(), ...this.declared(), ...this.handles]);
    for (let left = this.draw([0, 1, 1, 2, 2, 3, 4]); left > 0; left--) {
      const handle = any();
      if (find(this.program, handle) === undefined) this.say(["declare"], handle);
      else if (this.chance(15)) this.say(FEW_APPLY, handle);
      else this.say(DECLARING.filter((word) => word !== "drop" || this.chance(30)), handle); // prettier-ignore
    }
    if (this.chance(35)) this.say(BY_HAND, any());
    if (this.chance(25)) this.say(FAULTS, any());
    this.say(this.chance(50) ? ["up", "up", "up --refresh"] : COMMANDS, any());
  }

  rest(commands: number): void {
    const count = (): number => this.steps.filter(([word]) => isCommand(word)).length;
    const most = count() + commands;
    while (count() < most) {
      if (this.chance(55)) this.situation();
      else this.free();
    }
  }
}

const handlesOf = (quirks: readonly QuirkName[], version?: string): Handle[] =>
  HANDLES.filter((handle) => {
    const type = typeOfHandle(handle);
    // An address that comes after DEPLOYED is not waited for.
    if (quirks.includes("names the active revision late") && isKept(type)) return false;
    if (version !== undefined && KNOWN_TO.get(version)?.includes(type) !== true) return false;
    return !quirks.includes("offers what is documented") || isOffered(type);
  });

const FIRST: readonly Handle[] = TYPES.map((type): Handle => `${type}1`);
/** One or the other. */
const LATE = ["names a revision late, null until then", "names a revision late, the old one until then"] as const;

/** The story of a seed. @param commands About how many there are before the end. */
export function storyOf(seed: number, begin: Begin, commands: number, front: Front = FRONT): Story {
  const below = drawing(seed);
  const first = new Writer(below, front, HANDLES);
  if (begin === "made") return madeOf(seed, below, first);
  const all = QUIRK_NAMES.filter(() => first.chance(10));
  const quirks = all.filter((name) => name !== LATE[1] || !all.includes(LATE[0]));
  const from = begin === "empty" ? undefined : begin.version;
  const writer = new Writer(below, front, handlesOf(quirks, from));
  writer.isEarlier = from !== undefined;
  writer.declareSome();
  writer.say(["up"], HANDLES[0] ?? "Deployment1");
  if (from !== undefined) {
    if (writer.chance(50)) writer.rest(1);
    // What leaves something unfinished is what an upgrade has to understand.
    if (writer.chance(80)) writer.situation(writer.draw(UNFINISHED.map((name) => SITUATIONS[name] ?? [])));
    writer.steps.splice(-1, 0, [TAKE_OVER]);
    writer.takeOver(handlesOf(quirks));
  }
  writer.rest(commands);
  return { seed, ...(from !== undefined && { from }), quirks, steps: writer.steps, refreshes: writer.chance(40) };
}

const UNFINISHED: readonly string[] = [
  "a revision does not serve",
  "a rename by adopt does not end",
  "an object of the name is adopted",
  "an object that the state has lost is imported",
  "a run is killed, and the program changes before the next",
];

/** One command that meets a state with specialities. */
function madeOf(seed: number, below: Below, writer: Writer): Story {
  const special = FIRST.filter(() => writer.chance(70));
  const handles = special.length > 0 ? special : [writer.draw(FIRST)];
  const drawn = handles.map((handle): readonly [Handle, KindName] => {
    const fitting = wordsOf(KINDS).filter((kind) => KINDS[kind].fits?.(typeOfHandle(handle)) !== false);
    return [handle, writer.draw(fitting)];
  });
  // Where the deployment is not in state, what its agent keeps cannot be special by itself.
  const hasHost = keepsHost(Object.fromEntries(drawn));
  const made: Made = Object.fromEntries(drawn.filter(([handle]) => hasHost || !isKept(typeOfHandle(handle))));
  const aimed = writer.draw(FIRST);
  return { seed, made, quirks: [], steps: [[writer.draw(MEETING), aimed, below(64)]], refreshes: false };
}
/** What meets a state that was made. */
const MEETING: readonly Word[] = ["up", "up --refresh", "refresh", "destroy", "up --target", "up --exclude", "destroy --target", "preview"]; // prettier-ignore

/** All that a story shows: its words, and its quirks and kinds. */
export const wordsIn = ({ steps, quirks, made }: Story): string[] => [
  ...steps.map(([word]) => word),
  ...quirks,
  ...Object.values(made ?? {}),
];

/** Of many seeds, those whose stories show the most words that none before has shown. */
export function telling(
  count: number,
  seeds: readonly number[],
  storyAt: (seed: number) => Story,
  seen: Set<string> = new Set(),
): number[] {
  const candidates = new Map(seeds.map((seed) => [seed, storyAt(seed)]));
  const chosen: number[] = [];
  while (chosen.length < count && candidates.size > 0) {
    const worth = (story: Story): number => new Set(wordsIn(story).filter((word) => !seen.has(word))).size;
    const [best] = [...candidates].reduce((left, right) => (worth(right[1]) > worth(left[1]) ? right : left));
    wordsIn(candidates.get(best) ?? storyAt(best)).forEach((word) => seen.add(word));
    candidates.delete(best);
    chosen.push(best);
  }
  return chosen;
}
