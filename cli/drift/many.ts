import type { EngineEvents } from "../base/engine-events";
import type { Target } from "../base/pulumi";
import { inParallel } from "../base/stacks";
import type { StackState } from "../base/stack-state";
import { messageOf } from "../../provider/base/errors";
import { createSession } from "../../provider/lifecycle/session";
import { nameInUrn } from "../../provider/base/engine-format";
import { compareStack, uncomparedIn } from "./engine";
import { type Readable, readableIn, readStack, type Shared } from "./read";
import { type DriftOutcome, KEPT, outcomeOf, type Report, reportOf, type StackObject } from "./report";

/** An object with declared fields that are encrypted in its state, and so were not compared. */
export interface Encrypted extends StackObject {
  readonly fields: readonly string[];
}

/** One of many stacks: as its own report has it, or why it could not be compared. */
export type StackRow =
  | (Report & {
      readonly outcome: DriftOutcome;
      /** Why an engine has compared it, which takes a hundred times as long; absent where the states were enough. */
      readonly engine?: string;
      readonly encrypted?: readonly Encrypted[];
    })
  | { readonly stack: string; readonly outcome: "failed"; readonly reason: string; readonly engine?: string };

/** The output of `pulumi-agent-platform drift --stacks --format json`. Keys may be added; these stay, or `version` changes. */
export interface ManyReport {
  readonly version: 1;
  /** In the order of their names. */
  readonly stacks: readonly StackRow[];
}

/** A stack to compare: its name, as reports have it, and its full one, as the engine has it (`organization/shop/prod`). */
interface NamedStack {
  readonly name: string;
  readonly fullName: string;
}

/** The stacks by their names within a project, if no two have the same; otherwise by their full ones. */
export function namedStacks(fullNames: readonly string[], isWide: boolean): NamedStack[] {
  const shortOf = (fullName: string): string => fullName.split("/").at(-1) ?? fullName;
  const isClear = new Set(fullNames.map(shortOf)).size === fullNames.length;
  return fullNames.map((fullName) => ({ name: isWide || !isClear ? fullName : shortOf(fullName), fullName }));
}

/** Stacks that are read at a time: none takes a processor for itself. */
const READ_AT_ONCE = 32;

/**
 * Compares each stack with the platform: by its state and the provider's own read, or by an engine where only that can. One that fails is a row, and the
 * others go on.
 * @param parallel Processes of `pulumi` at a time.
 * @param watch Called after each stack.
 */
export async function compareAll(
  stacks: readonly NamedStack[],
  readState: (stack: string) => Promise<StackState>,
  parallel: number,
  target: Target,
  watch: (row: StackRow, warnings: readonly string[]) => void,
): Promise<ManyReport> {
  const shared: Shared = { session: createSession({ environment: target.environment }), silent: new Map() };
  const rows = new Map<string, StackRow>();
  const compare = async (name: string, engine: string | undefined, act: () => Promise<Compared>): Promise<void> => {
    const { row, told } = await compareOne(name, act);
    const whole = engine === undefined ? row : { ...row, engine };
    rows.set(name, whole);
    watch(whole, told);
  };
  // All states first: lists are kept for seconds, and serve every stack.
  const read = await inParallel(stacks, parallel, async ({ name, fullName }) => {
    const state = await readState(fullName).catch((error: unknown) => messageOf(error));
    if (typeof state === "string") return { name, fullName, engine: "its state cannot be read by itself" };
    const objects = readableIn(state, target.environment);
    if (typeof objects === "string") return { name, fullName, engine: objects };
    return { name, fullName, objects, goes: uncomparedIn(state) };
  });
  await inParallel(read, READ_AT_ONCE, async ({ name, objects, goes = [] }) => {
    if (objects === undefined) return;
    await compare(name, undefined, async () => {
      const events = await readStack(objects, shared);
      return { ...events, warnings: [...events.warnings, ...goes], encrypted: objects.flatMap(encryptedOf) };
    });
  });
  const byEngine = read.flatMap(({ engine, ...named }) => (engine === undefined ? [] : [{ ...named, engine }]));
  await inParallel(byEngine, parallel, ({ name, fullName, engine }) =>
    compare(name, engine, () => compareStack(fullName, target)),
  );
  return { version: 1, stacks: stacks.flatMap(({ name }) => rows.get(name) ?? []) };
}

/** Another revision serves, which can have been made for a secret. */
const NOT_SURE = "another revision serves: `drift --stack <name>` tells whether what is encrypted here differs, too";

/** The row of a stack, and the sentences about it. */
export async function compareOne(
  stack: string,
  act: () => Promise<Compared>,
): Promise<{ row: StackRow; told: readonly string[] }> {
  try {
    const { encrypted = [], ...events } = await act();
    const report = reportOf(stack, events);
    const unsure = new Set(encrypted.map(({ urn }) => urn));
    const drifted = report.drifted.map((object) =>
      object.next === KEPT && unsure.has(object.urn) ? { ...object, next: NOT_SURE } : object,
    );
    const row = { outcome: outcomeOf(report), ...report, drifted, ...(encrypted.length > 0 && { encrypted }) };
    return { row, told: [...events.warnings, ...events.errors] };
  } catch (error) {
    return { row: { stack, outcome: "failed", reason: messageOf(error) }, told: [] };
  }
}

type Compared = Pick<EngineEvents, "outcomes" | "warnings" | "errors"> & { readonly encrypted?: readonly Encrypted[] };

function encryptedOf({ resource: { urn, type, id }, encrypted }: Readable): Encrypted[] {
  return encrypted.length === 0 ? [] : [{ urn, type, name: nameInUrn(urn), id, fields: encrypted }];
}
