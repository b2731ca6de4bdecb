import fc from "fast-check";
import type { World } from "../random/world";
import { beside, KINDS, programOf, untouched, type Kind, type Part } from "./kinds";
import { PLAYED, type Moments, type PlayedSlot, type Row } from "./stage";

/** The one command that is run on a made state. */
export const COMMANDS = [
  "up",
  "up --refresh",
  "refresh",
  "destroy",
  "up --target",
  "up --exclude",
  "destroy --target",
  "preview",
] as const;
export type CommandName = (typeof COMMANDS)[number];

/** One way in which a made state is special. */
export interface Edit {
  readonly slot: PlayedSlot;
  readonly kind: Kind;
}

/** A state as the engine could have left it, and the command that meets it. */
export interface MadeState {
  readonly seed: number;
  /** At most one of each resource. */
  readonly edits: readonly Edit[];
  readonly command: CommandName;
  /** What a command with a target names. */
  readonly aimedAt: PlayedSlot;
}

const ALL_KINDS = Object.keys(KINDS).filter((name): name is Kind => name in KINDS);
const OPTIONS: readonly string[] = ["up --target", "up --exclude", "destroy --target"] satisfies CommandName[];

/** Where the template is not in state, the deployment that uses it cannot be special by itself. */
const TAKES_ITS_DEPLOYMENT = /^(a create|a delete|a read|an import|the row)|no longer declared/;

/** The state of a seed: the same each time, on both plugins. */
export function madeStateOf(seed: number): MadeState {
  const [values] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (values === undefined) throw new Error(`no state of the seed ${seed}`);
  const draw = <T>(choices: readonly T[]): T => {
    const chosen = choices[values((max: number) => fc.noBias(fc.nat({ max })), choices.length - 1)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  };
  const one: Edit = { slot: draw(PLAYED), kind: draw(ALL_KINDS) };
  const other: Edit = { slot: draw(PLAYED.filter((slot) => slot !== one.slot)), kind: draw(ALL_KINDS) };
  const edits = PLAYED.flatMap((slot) => [one, other].filter((edit) => edit.slot === slot));
  const [before, after] = edits;
  const isTaken = before?.slot === "t1" && after?.slot === "d1" && TAKES_ITS_DEPLOYMENT.test(before.kind);
  return { seed, edits: isTaken ? edits.slice(0, 1) : edits, command: draw(COMMANDS), aimedAt: draw(PLAYED) };
}

/** Seeds whose states show the most: each kind on each resource, under each command, beside each other kind. */
export function tellingSeeds(count: number, from: number): number[] {
  const candidates = Array.from({ length: 30 * count }, (_, index) => madeStateOf(from + index));
  const seen = new Set<string>();
  const chosen: number[] = [];
  while (chosen.length < count) {
    const worth = (state: MadeState): number => {
      const fresh = shownBy(state).filter(([text]) => !seen.has(text));
      return fresh.reduce((sum, [, weight]) => sum + weight, 0);
    };
    const best = candidates.reduce((left, right) => (worth(right) > worth(left) ? right : left));
    shownBy(best).forEach(([text]) => seen.add(text));
    chosen.push(best.seed);
    candidates.splice(candidates.indexOf(best), 1);
  }
  return chosen.sort((left, right) => left - right);
}

function shownBy({ edits, command }: MadeState): (readonly [string, number])[] {
  return [
    ...edits.flatMap(({ slot, kind }) => [
      [`${kind} on ${slot}`, 4] as const,
      [`${kind} under ${command}`, 2] as const,
    ]),
    [
      edits
        .map(({ kind }) => kind)
        .sort()
        .join(" beside "),
      1,
    ],
  ];
}

/** The state in words. */
export function described({ seed, edits, command, aimedAt }: MadeState): string {
  const parts = edits.map(({ slot, kind }) => `${slot}: ${kind}`);
  return `seed ${seed}: ${parts.join("; ")}; then \`${command}${OPTIONS.includes(command) ? ` ${aimedAt}` : ""}\``;
}

/** A made state, put together. */
export interface Whole {
  readonly parts: readonly Part[];
  readonly world: World;
  readonly rows: readonly Row[];
}

/** Puts the rows of all resources into one state. */
export function assembled({ edits }: MadeState, moments: Moments): Whole {
  const parts: Part[] = [];
  for (const slot of PLAYED) {
    const edit = edits.find((each) => each.slot === slot);
    const at = { slot, moments };
    const [template] = parts;
    if (edit !== undefined) parts.push(KINDS[edit.kind](at));
    else parts.push(slot === "d1" && template !== undefined ? beside(template, at) : untouched(at));
  }
  const own = [
    ...parts.flatMap(({ before }) => (before === undefined ? [] : [before])),
    ...parts.flatMap(({ rows }) => rows),
    ...parts.flatMap(({ behind = [] }) => behind),
  ];
  const unique = own.filter(
    ({ urn, type }, index) => type.includes("agent") || own.findIndex((row) => row.urn === urn) === index,
  );
  const rows = withUrns([...moments.base.frame(), ...providersFor(unique, moments), ...unique], urnsOf(parts, moments));
  return { parts, world: programOf(parts), rows };
}

/** The other plugin's providers, where a row needs one. */
const providersFor = (rows: readonly Row[], { base, otherPlugin }: Moments): Row[] =>
  otherPlugin
    .frame()
    .filter(({ urn }) => base.frame().every((row) => row.urn !== urn))
    .filter(({ urn }) => rows.some(({ provider }) => provider?.startsWith(`${urn}::`) === true));

/** What stands for each URN; that of the other plugin is another one everywhere, or nowhere. */
function urnsOf(parts: readonly Part[], { base, otherPlugin }: Moments): Map<string, string> {
  const urns = new Map<string, string>();
  PLAYED.forEach((slot, index) => {
    const [ours, others] = [base.rows(slot)[0]?.urn ?? "", otherPlugin.rows(slot)[0]?.urn ?? ""];
    const moved = parts[index]?.urns ?? new Map<string, string>();
    if (moved.get(ours) !== others) urns.set(others, moved.get(ours) ?? ours);
    moved.forEach((to, from) => urns.set(from, to));
  });
  return urns;
}

function withUrns(rows: readonly Row[], urns: ReadonlyMap<string, string>): Row[] {
  const moved = (value: unknown): unknown => {
    if (typeof value === "string") return urns.get(value) ?? value;
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each)]));
  };
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(Object.entries(row).map(([name, each]) => [name, moved(each)])),
  }));
}
