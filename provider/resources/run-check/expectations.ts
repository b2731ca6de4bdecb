import { createContext, Script, type Context } from "node:vm";
import { AgentPlatformError } from "../../base/errors";
import { isObject, isParsedJson, isUnsafe, sameJson, type Json } from "../../base/json";
import { nodeOf, textOf, type RunEvent, type StreamMode } from "../../streaming/events";

import { valueAt } from "../../lifecycle/fields/fields";
import { type Expectations, parsePath } from "./fields";
import { durationMs, showDuration } from "../../base/time";

type Expected = NonNullable<Expectations["values"]>[number];

/** The modes whose events are judged. */
function judgedModes({ modes = [], nodes = [], values = [] }: Expectations): StreamMode[] {
  const needed = new Set([...modes, ...values.map(({ mode }) => mode)]);
  // Token events also name nodes, but only those that call a model.
  if (nodes.length > 0) needed.add("updates");
  return needed.size === 0 ? ["values"] : [...needed];
}

/** The modes to request: the judged ones, and updates, because no other mode shows every interrupt (docs/internals/platform.md, Stream modes). */
export const modesFor = (expected: Expectations): StreamMode[] => [
  ...new Set<StreamMode>([...judgedModes(expected), "updates"]),
];

/**
 * Whether the run stops here to wait for a person. An interrupt before or after a node has an empty list of questions. An interrupt of a subgraph does not
 * count, because the graph may answer it; if it does not, the graph itself stops.
 */
const isInterrupt = (event: RunEvent): boolean =>
  ["values", "updates"].includes(event.mode === "other" ? event.event : event.mode) &&
  event.namespace.length === 0 &&
  isObject(event.data) &&
  Object.hasOwn(event.data, "__interrupt__");

/** Judges a run event by event. Has no clock (each event comes with its time) and keeps no events. */
export class Judgement {
  private readonly modes = new Set<string>();
  private readonly nodes = new Set<string>();
  private readonly met = new Set<Expected>();
  private readonly matcher = new Matcher();
  /** Kept where they are judged as a whole. */
  private tokens: string | undefined;
  /** Milliseconds until the first event that is judged. */
  firstMs: number | undefined;
  private isInterrupted = false;
  private readonly judged: readonly StreamMode[];

  constructor(private readonly expected: Expectations) {
    this.judged = judgedModes(expected);
    if (expected.values?.some(isOfTokens)) this.tokens = "";
  }

  /** @param afterMs Milliseconds since the request was sent. @returns False for an update that is not judged. */
  see(event: RunEvent, afterMs: number): boolean {
    const stops = isInterrupt(event);
    if (event.mode === "updates" && !stops && !this.judged.includes("updates")) return false;
    this.isInterrupted ||= stops;
    this.firstMs ??= afterMs;
    this.modes.add(event.mode);
    if (event.mode === "updates") Object.keys(event.data).forEach((node) => this.nodes.add(node));
    if (event.mode === "messages-tuple") {
      this.nodes.add(nodeOf(event.data[1]) ?? "");
      if (this.tokens !== undefined) this.tokens += textOf(event.data[0]);
      if ((this.tokens?.length ?? 0) > MOST_TOKENS) throw new AgentPlatformError(TOO_MANY_TOKENS);
    }
    for (const each of this.expected.values ?? []) {
      if (event.mode !== each.mode || isOfTokens(each) || this.met.has(each)) continue;
      if (isMet(each, event.data, this.matcher)) this.met.add(each);
    }
    return true;
  }

  /**
   * The expectations that were not met; if empty, the run passes. `showsData`: messages may contain values, not only their paths. Throws if the run waits
   * for a person: it has not ended, so it cannot be judged.
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
      ...unmet.map(({ each, position }) =>
        showsData ? showUnmet(each) : `expect.values[${position}] was never met by the data of mode ${each.mode}`,
      ),
      ...late("the first event", this.firstMs ?? totalMs, firstEventWithin),
      ...late("the run", totalMs, totalWithin),
    ];
  }

  /** Every run must have at least one requested event, even if nothing else is expected. */
  private sawAnything(): boolean {
    return this.isInterrupted || this.judged.some((mode) => this.modes.has(mode));
  }

  /** Tokens are parts of a text: without a path, the text is judged as a whole. */
  private isMet(each: Expected): boolean {
    return isOfTokens(each) ? isMet(each, this.tokens, this.matcher) : this.met.has(each);
  }
}

const isOfTokens = ({ mode, path }: Expected): boolean => mode === "messages-tuple" && path === undefined;

const TOO_MANY_TOKENS =
  "it sent more than 16 MiB of tokens, too many to judge them as one text: expect something of another mode";
const WAITS =
  "it waits for a person (an interrupt), so it has not come to its end. If it should, set expect.interrupt to true; otherwise use an input that needs no " +
  "answer from a person";
const DOES_NOT_WAIT = "it came to its end, and did not wait for a person (an interrupt)";

function isMet({ path, equals, matches }: Expected, data: unknown, matcher: Matcher): boolean {
  if (!isParsedJson(data)) return false;
  const at = path === undefined ? data : valueAt(data, parsePath(path) ?? []);
  if (at === undefined) return false;
  if (equals !== undefined) return sameJson(at, equals);
  return matcher.isMatched(matches ?? "", typeof at === "string" ? at : textOfData(at));
}

/** Without the digits of whole numbers that were rounded when they were read. */
const textOfData = (data: Json): string =>
  JSON.stringify(data, (_name, each: Json) => (isUnsafe(each) ? "a number beyond 2^53" : each));

/** How long all slow matches of a check may take together: only an expression that backtracks takes that long, even on the longest answer. */
const MATCHES_MS = 1_000;
/** A match that is faster does not count: a stream has thousands of events. */
const FAST_MS = 20;
/** The longest text of tokens that is judged as a whole. */
const MOST_TOKENS = 16 * 1024 * 1024;

const MATCH = new Script('new RegExp(matches, "u").test(text)');
// Shared, because a stream has thousands of events, and creating a context takes ten times as long as a match.
let operands: Context | undefined;

/** The expressions of one check. The program chooses them and the agent the texts, so a match could take forever without a limit. */
class Matcher {
  private leftMs = MATCHES_MS;

  isMatched(matches: string, text: string): boolean {
    const began = performance.now();
    try {
      operands = Object.assign((operands ??= createContext({})), { matches, text });
      return MATCH.runInContext(operands, { timeout: Math.ceil(this.leftMs) }) === true;
    } catch (cause) {
      if (!isTimeout(cause)) throw cause;
      throw new AgentPlatformError(
        `the matches in expect.values took longer than ${showDuration(MATCHES_MS)} on what the agent sent: make them simpler, with no repetition inside another one`,
        { cause },
      );
    } finally {
      const tookMs = performance.now() - began;
      if (tookMs > FAST_MS) this.leftMs = Math.max(1, this.leftMs - tookMs);
    }
  }
}

const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

function showUnmet({ mode, path, equals, matches }: Expected): string {
  const where = path === undefined ? `the data of mode ${mode}` : `${path} of mode ${mode}`;
  return `${where} ${equals === undefined ? `never matched /${matches ?? ""}/` : `was never ${JSON.stringify(equals)}`}`;
}

function late(what: string, tookMs: number, within: string | undefined): string[] {
  const limitMs = within === undefined ? undefined : durationMs(within);
  if (limitMs === undefined || tookMs <= limitMs) return [];
  return [`${what} took ${(tookMs / 1000).toFixed(1)}s, more than ${showDuration(limitMs)}`];
}
