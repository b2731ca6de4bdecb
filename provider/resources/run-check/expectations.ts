import { createContext, Script, type Context } from "node:vm";
import { AgentPlatformError } from "../../base/errors";
import { isObject, isParsedJson, isUnsafe, sameJson, type Json } from "../../base/json";
import { nodeOf, textOf, type RunEvent, type StreamMode } from "../../streaming/events";

import { jsonAt, parsePath } from "./path";
import type { Expectations } from "./fields";
import { durationMs, showDuration } from "../../base/time";

type Expected = NonNullable<Expectations["values"]>[number];

/** The modes whose events are judged. */
function judgedModes({ modes = [], nodes = [], values = [] }: Expectations): StreamMode[] {
  const needed = new Set([...modes, ...values.map(({ mode }) => mode)]);
  // Tokens name nodes too, but only those that call a model.
  if (nodes.length > 0) needed.add("updates");
  return needed.size === 0 ? ["values"] : [...needed];
}

/** The modes to request: those, and updates, since no other mode shows every interrupt (docs/internals/platform.md, Stream modes). */
export const modesFor = (expected: Expectations): StreamMode[] => [
  ...new Set<StreamMode>([...judgedModes(expected), "updates"]),
];

/**
 * Whether the run stops here to wait for a person. Before or after a node, it asks nothing: the list of questions is empty. What a subgraph asks, the graph
 * may answer itself; if it does not, the graph stops, too.
 */
const isInterrupt = (event: RunEvent): boolean =>
  ["values", "updates"].includes(event.mode === "other" ? event.event : event.mode) &&
  event.namespace.length === 0 &&
  isObject(event.data) &&
  Object.hasOwn(event.data, "__interrupt__");

/** Judges a run as its events come. Pure: told the time, keeps no events. */
export class Judgement {
  private readonly modes = new Set<string>();
  private readonly nodes = new Set<string>();
  private readonly met = new Set<Expected>();
  private tokens = "";
  private firstMs: number | undefined;
  private isInterrupted = false;
  private readonly judged: readonly StreamMode[];

  constructor(private readonly expected: Expectations) {
    this.judged = judgedModes(expected);
  }

  /** @param afterMs Since the request was sent. @returns False for an update that is of no interest. */
  see(event: RunEvent, afterMs: number): boolean {
    const stops = isInterrupt(event);
    if (event.mode === "updates" && !stops && !this.judged.includes("updates")) return false;
    this.isInterrupted ||= stops;
    this.firstMs ??= afterMs;
    this.modes.add(event.mode);
    if (event.mode === "updates") Object.keys(event.data).forEach((node) => this.nodes.add(node));
    if (event.mode === "messages-tuple") {
      this.nodes.add(nodeOf(event.data[1]) ?? "");
      this.tokens += textOf(event.data[0]);
    }
    for (const each of this.expected.values ?? []) {
      if (event.mode === each.mode && isMet(each, event.data)) this.met.add(each);
    }
    return true;
  }

  /**
   * What was expected and did not come; if empty, the run passes. `showsData`: messages may show values, not just name them. Throws for a run that waits for
   * a person: before it has come to its end, nothing can be said of it.
   */
  problems(totalMs: number, showsData: boolean): string[] {
    const { modes = [], nodes = [], values = [], interrupt, firstEventWithin, totalWithin } = this.expected;
    if (this.isInterrupted && interrupt !== true) throw new AgentPlatformError(WAITS);
    const unmet = values.flatMap((each, position) => (this.isMet(each) ? [] : [{ each, position }]));
    return [
      ...(this.sawAnything() ? [] : [`the run showed nothing: no event of mode ${this.judged.join(" or ")} arrived`]),
      ...(interrupt === true && !this.isInterrupted ? [DOES_NOT_WAIT] : []),
      ...modes.filter((mode) => !this.modes.has(mode)).map((mode) => `no event of mode ${mode}`),
      ...nodes.filter((node) => !this.nodes.has(node)).map((node) => `node ${node} was not reached`),
      ...unmet.map(({ each, position }) => (showsData ? showUnmet(each) : nameUnmet(each, position))),
      ...late("the first event", this.firstMs ?? totalMs, firstEventWithin),
      ...late("the run", totalMs, totalWithin),
    ];
  }

  /** A run that did its work has shown at least one requested event, even if nothing else is expected of it. */
  private sawAnything(): boolean {
    return this.isInterrupted || this.judged.some((mode) => this.modes.has(mode));
  }

  /** Tokens are parts of a text: without a path, the text is judged as a whole. */
  private isMet(each: Expected): boolean {
    if (this.met.has(each)) return true;
    return each.mode === "messages-tuple" && each.path === undefined && isMet(each, this.tokens);
  }
}

const WAITS =
  "it waits for a person (an interrupt), so it has not come to its end. If it should, set expect.interrupt to true; otherwise use an input that needs no " +
  "answer from a person";
const DOES_NOT_WAIT = "it came to its end, and did not wait for a person (an interrupt)";

function isMet({ path, equals, matches }: Expected, data: unknown): boolean {
  if (!isParsedJson(data)) return false;
  const at = path === undefined ? data : jsonAt(data, parsePath(path) ?? []);
  if (at === undefined) return false;
  if (equals !== undefined) return sameJson(at, equals);
  return isMatched(matches ?? "", typeof at === "string" ? at : textOfData(at));
}

/** Without the digits of whole numbers that were rounded when they were read. */
const textOfData = (data: Json): string =>
  JSON.stringify(data, (_name, each: Json) => (isUnsafe(each) ? "a number beyond 2^53" : each));

/** Longer than any expression takes that does not backtrack, on the longest answer. */
const MATCH_MS = 1_000;

const MATCH = new Script('new RegExp(matches, "u").test(text)');
// One for all: a stream has thousands of events, and a context of its own takes ten times as long as the match.
let operands: Context | undefined;

/** The expression is the program's, the text the agent's: together they could keep the plugin busy for ever. */
function isMatched(matches: string, text: string): boolean {
  try {
    operands = Object.assign((operands ??= createContext({})), { matches, text });
    return MATCH.runInContext(operands, { timeout: MATCH_MS }) === true;
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new AgentPlatformError(
      `a matches in expect.values took longer than ${showDuration(MATCH_MS)} on what the agent sent: make it simpler, with no repetition inside another one`,
      { cause },
    );
  }
}

const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

function showUnmet({ mode, path, equals, matches }: Expected): string {
  const where = path === undefined ? `the data of mode ${mode}` : `${path} of mode ${mode}`;
  return `${where} ${equals === undefined ? `never matched /${matches ?? ""}/` : `was never ${JSON.stringify(equals)}`}`;
}

function nameUnmet({ mode }: Expected, position: number): string {
  return `expect.values[${position}] was never met by the data of mode ${mode}`;
}

function late(what: string, tookMs: number, within: string | undefined): string[] {
  const limitMs = within === undefined ? undefined : durationMs(within);
  if (limitMs === undefined || tookMs <= limitMs) return [];
  return [`${what} took ${(tookMs / 1000).toFixed(1)}s, more than ${showDuration(limitMs)}`];
}
