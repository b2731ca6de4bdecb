import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isObject } from "../../../provider/base/json";
import { PLAYED, type ObjectType } from "../../conformance/cases";
import { FRONT, ok, type CliStack } from "../../support/cli-stack";
import { byHand } from "./by-hand";
import { KEYS, keyOf, Platform } from "./platform";
import type { Play } from "./play";
import {
  bodyOf,
  caseOf,
  fresh,
  HOST,
  isKept,
  programText,
  TEAM,
  tableOf,
  TYPES,
  urnOf,
  withTexts,
  type Declaration,
  type Handle,
  type Program,
} from "./program";
import { EngineStack } from "./stack";
import { idsIn, keyOfRow, objectOf, putRows, readState, Row, rowsOf, see, unheld, type StateFile } from "./state";

// States as the engine could have left them, put together from the rows and objects of a few moments.

const ObjectRecord = z.looseObject({
  id: z.string(),
  provider_id: z.string().optional(),
  agent_id: z.string().optional(),
  key: z.string().optional(),
  deployment_id: z.string().optional(),
});
const Stored = z.record(z.string(), z.array(ObjectRecord));

/** State and platform after one `up`. */
interface Moment {
  readonly file: StateFile;
  readonly stored: z.output<typeof Stored>;
  readonly kept: readonly (readonly [string, unknown])[];
}
interface Moments {
  readonly base: Moment;
  /** The same objects, in state under the other plugin's types. */
  readonly otherPlugin: Moment;
  /** Every object changed in place. */
  readonly inPlace: Moment;
  /** Each object replaced by one of another name: that of the deployment takes what its agent keeps with it. */
  readonly replaced: Moment;
  readonly replacedHost: Moment;
}
const rowsAt = ({ file }: Moment, handle: Handle): Row[] =>
  file.checkpoint.latest.resources.filter(({ urn }) => urn.endsWith(`::${handle.toLowerCase()}`));
const frameOf = ({ file }: Moment): Row[] =>
  file.checkpoint.latest.resources.filter(({ type }) => type.startsWith("pulumi:"));

/** The program whose first `up` every made state comes from. */
const BASE: Program = TYPES.map((type): Handle => `${type}1`)
  .map((handle) => fresh(handle))
  .sort((one) => (one.handle === HOST ? -1 : 0));

const hasFields = (type: ObjectType): boolean => Object.keys(PLAYED[type].fields).length > 0;
const isReplaceable = (type: ObjectType): boolean =>
  PLAYED[type].fixed !== undefined || caseOf(type)?.renamed !== undefined;
const fixedTo = ({ type }: Declaration, n: number): number => (PLAYED[type].fixed ? n : 0);

const inPlace = (declared: Declaration): Declaration => {
  const [field] = Object.keys(PLAYED[declared.type].fields);
  return field === undefined ? declared : { ...declared, fields: { [field]: 1 } };
};
const replaced = (declared: Declaration): Declaration =>
  isReplaceable(declared.type) ? { ...declared, named: declared.named + 10, fixed: fixedTo(declared, 1) } : declared;

/** What the engine had begun when it was cut off. */
interface Pending {
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
  readonly resource: Row;
}
/** What a made state holds of one resource. */
interface Part {
  readonly rows: readonly Row[];
  /** Rows that stand behind those of all resources: replaced, and still to be deleted. */
  readonly behind?: readonly Row[];
  readonly before?: Row;
  readonly pending?: readonly Pending[];
  /** The objects of these moments. */
  readonly objects: readonly Moment[];
  readonly declared: Declaration | undefined;
  /** What an object without a row is: of a run that was cut off or forgotten by the state, or made by somebody. */
  readonly stray?: "loose" | "foreign";
  /** URNs that stand in all rows in place of others. */
  readonly urns?: ReadonlyMap<string, string>;
  /** An update was cut off, so that the object may be as it was, or as declared. */
  readonly isUnsettled?: true;
}
interface At {
  readonly declared: Declaration;
  readonly moments: Moments;
  readonly rows: readonly Row[];
  /** Its rows where it was changed in place, where it was replaced, and under the other plugin's types. */
  readonly changed: readonly Row[];
  readonly next: readonly Row[];
  readonly others: readonly Row[];
  /** The moment at which it was replaced. */
  readonly later: Moment;
}
interface Kind {
  readonly part: (at: At) => Partial<Part>;
  readonly fits?: (type: ObjectType) => boolean;
  /** What an agent keeps can be in the state beside it. */
  readonly staysHost?: true;
}

/** The row of the resource itself, as it stands in an operation. */
function begun(type: Pending["type"], [row]: readonly Row[]): Pending[] {
  if (row === undefined) throw new Error("no row");
  const { id: _id, outputs: _outputs, ...unmade } = row;
  return [{ type, resource: type === "creating" ? unmade : row }];
}
const each = (rows: readonly Row[], fields: Readonly<Record<string, unknown>>): Row[] =>
  rows.map((row) => ({ ...row, ...fields }));
/** Only the resource itself: a deployment's Rollout is deleted first, and made last. */
const first = (rows: readonly Row[]): Row[] => rows.slice(0, 1);
const firstWith = (rows: readonly Row[], fields: Readonly<Record<string, unknown>>): Row[] => [
  ...each(first(rows), fields),
  ...rows.slice(1),
];
const COMPONENT = `urn:pulumi:test::test::${TEAM}::team`;
const under = (rows: readonly Row[], moved: (urn: string) => string): Map<string, string> =>
  new Map(rows.map(({ urn }) => [urn, moved(urn)]));

type Parts = Kind["part"];
/** What an agent keeps stands beside it. */
const beside = (part: Parts): Kind => ({ part, staysHost: true });
const updating = (more: (at: At) => Partial<Part>): Kind => ({
  part: (at) => ({ pending: begun("updating", at.changed), declared: inPlace(at.declared), ...more(at) }),
  fits: hasFields,
  staysHost: true,
});
const deleting = (more: Partial<Part>): Kind => ({
  part: ({ rows }) => ({ rows: first(rows), pending: begun("deleting", rows), ...more }),
});
const replacing = (part: Parts): Kind => ({
  part: (at) => ({ declared: replaced(at.declared), ...part(at) }),
  fits: isReplaceable,
});
const GONE = { declared: undefined };

/** The ways in which a state can be other than an `up` that ended left it; what a row leaves out is as that `up` left it. */
export const KINDS = tableOf<Kind>()({
  "a create, cut off before its request": {
    part: ({ rows }) => ({ rows: [], objects: [], pending: begun("creating", rows) }),
  },
  "a create, cut off after its request": {
    part: ({ rows }) => ({ rows: [], pending: begun("creating", rows), stray: "loose" }),
  },
  "an update, cut off before its request": updating(() => ({})),
  "an update, cut off after its request": updating(({ moments }) => ({
    objects: [moments.inPlace],
    isUnsettled: true,
  })),
  "a delete, cut off before its request": deleting(GONE),
  "a delete, cut off after its request": deleting({ ...GONE, objects: [] }),
  "a delete, cut off before its request, of what is declared again": deleting({}),
  "a delete, cut off after its request, of what is declared again": deleting({ objects: [] }),
  "a read of somebody's object, cut off": {
    part: ({ rows }) => ({ rows: [], pending: begun("reading", each(rows, { external: true })), stray: "foreign" }),
  },
  "an import, cut off, of an object that the program then adopts": {
    part: ({ rows, declared }) => ({
      rows: [],
      pending: begun("importing", rows),
      declared: { ...declared, adopt: true },
      stray: "foreign",
    }),
  },
  "a replacement, cut off between delete and create": replacing(({ rows, declared }) => ({
    rows: each(rows, { pendingReplacement: true }),
    objects: [],
    declared: { ...declared, fixed: fixedTo(declared, 2) },
  })),
  "a replacement, cut off after the request of the create": replacing(({ rows, later, next }) => ({
    rows: each(rows, { pendingReplacement: true }),
    objects: [later],
    pending: begun("creating", next),
    stray: "loose",
  })),
  "replaced, and the old object still to be deleted": replacing(({ rows, later, next, moments }) => ({
    rows: next,
    behind: each(rows, { delete: true }),
    objects: [moments.base, later],
  })),
  "replaced, and the old object deleted, but not its row": replacing(({ rows, later, next }) => ({
    rows: next,
    behind: each(first(rows), { delete: true }),
    objects: [later],
  })),
  "the row is lost": { part: () => ({ rows: [], stray: "loose" }) },
  "the row is lost, and the declaration gone": { part: () => ({ rows: [], stray: "loose", ...GONE }) },
  "the object is gone": { part: () => ({ objects: [] }) },
  "in state under another name": beside(({ rows, declared }) => ({
    urns: under(rows, (urn) => `${urn}-2`),
    declared: { ...declared, aliases: [`${urnOf(declared)}-2`] },
  })),
  "in state below a component that is no longer declared": beside(({ rows, declared }) => {
    const urns = under(rows, (urn) => urn.replace("::test::", `::test::${TEAM}$`));
    return {
      urns,
      before: { urn: COMPONENT, custom: false, type: TEAM, parent: rows[0]?.parent },
      rows: firstWith(rows, { parent: COMPONENT }),
      declared: { ...declared, aliases: [urns.get(urnOf(declared)) ?? ""] },
    };
  }),
  "in state under the other plugin's type": beside(({ others, declared }) => ({
    rows: others,
    urns: new Map([[urnOf(declared), others[0]?.urn ?? ""]]),
  })),
  "made or changed in part": beside(({ rows }) => ({ rows: firstWith(rows, { initErrors: ["it went wrong"] }) })),
  protected: beside(({ rows }) => ({ rows: each(rows, { protect: true }) })),
  "protected, and no longer declared": { part: ({ rows }) => ({ rows: each(rows, { protect: true }), ...GONE }) },
  "retained on delete": beside(({ rows }) => ({ rows: each(rows, { retainOnDelete: true }) })),
  "retained on delete, and no longer declared": {
    part: ({ rows }) => ({ rows: each(rows, { retainOnDelete: true }), ...GONE }),
  },
});
export type KindName = keyof typeof KINDS;

export type Made = Readonly<Record<string, KindName>>;
/** Whether what the agent keeps can be in the state. */
export function keepsHost({ [HOST]: kind }: Made): boolean {
  return kind === undefined || KINDS[kind].staysHost === true;
}

/** A stack and a platform that any state can be set on: brought up once, and put back for each state. */
export class Stage {
  private constructor(
    readonly stack: EngineStack,
    readonly platform: Platform,
    private readonly moments: Moments,
  ) {}

  static async open(blank: CliStack): Promise<Stage> {
    const platform = await Platform.start();
    const stack = EngineStack.like(blank);
    try {
      stack.connect(platform, KEYS.first);
      return new Stage(stack, platform, await momentsOf(stack, platform));
    } catch (error) {
      stack.remove();
      await platform.close();
      throw error;
    }
  }

  /** Sets the state that these kinds make, and tells the story's model what each object without a row is. */
  async set(play: Play, made: Made): Promise<void> {
    const parts = BASE.map(({ handle }) => this.partOf(handle, made));
    const objects = parts.flatMap(({ handle, objects: of }) =>
      of.map((moment) => [moment, idsAt(moment, handle)] as const),
    );
    const { base } = this.moments;
    const ours = new Set(BASE.flatMap(({ handle }) => [...idsAt(base, handle)]));
    const foreign = new Set(allIds(base).filter((id) => !ours.has(id)));
    await putBack(this.platform, this.stack, [...objects, [base, foreign]]);
    const operations = parts.flatMap(({ pending = [] }) => pending);
    putRows(this.stack, base.file, this.assembled(parts), { pending_operations: operations });
    play.program = parts.flatMap(({ declared }) => declared ?? []);
    this.learn(play, parts);
  }

  private partOf(handle: Handle, made: Made): Part & { readonly handle: Handle } {
    const { moments } = this;
    const declared = BASE.find((one) => one.handle === handle) ?? fresh(handle);
    const rows = rowsAt(moments.base, handle);
    const untouched = { handle, rows, objects: [moments.base], declared };
    // It goes with its deployment.
    if (isKept(declared.type) && !keepsHost(made))
      return { handle, rows: [], objects: [], declared: this.partOf(HOST, made).declared && declared };
    const kind = made[handle];
    if (kind === undefined) return untouched;
    const later = handle === HOST ? moments.replacedHost : moments.replaced;
    const at = (moment: Moment): Row[] => rowsAt(moment, handle);
    const ofMoments = { rows, changed: at(moments.inPlace), next: at(later), others: at(moments.otherPlugin) };
    return { ...untouched, ...KINDS[kind].part({ declared, moments, later, ...ofMoments }) };
  }

  private assembled(parts: readonly Part[]): Row[] {
    const { base, otherPlugin } = this.moments;
    const own = [
      ...parts.flatMap(({ before }) => before ?? []),
      ...parts.flatMap(({ rows }) => rows),
      ...parts.flatMap(({ behind = [] }) => behind),
    ];
    const unique = own.filter(
      (row, index) => row.type !== TEAM || own.findIndex(({ urn }) => urn === row.urn) === index,
    );
    const frame = frameOf(base);
    const others = frameOf(otherPlugin)
      .filter(({ urn }) => frame.every((row) => row.urn !== urn))
      .filter(({ urn }) => unique.some(({ provider }) => provider?.startsWith(`${urn}::`) === true));
    const urns = new Map<string, string>();
    BASE.forEach(({ handle }, index) => {
      const [ours, theirs] = [rowsAt(base, handle)[0]?.urn ?? "", rowsAt(otherPlugin, handle)[0]?.urn ?? ""];
      const moved = parts[index]?.urns ?? new Map<string, string>();
      if (moved.get(ours) !== theirs) urns.set(theirs, moved.get(ours) ?? ours);
      moved.forEach((to, from) => urns.set(from, to));
    });
    return withUrns([...frame, ...others, ...unique], urns);
  }

  private learn({ model, stack, platform }: Play, parts: readonly (Part & { handle: Handle })[]): void {
    const seen = see(stack, platform);
    model.applied = BASE;
    for (const object of unheld(seen)) {
      const part = parts.find(({ handle, objects }) => objects.some((moment) => idsAt(moment, handle).has(object.id)));
      if (part?.stray === "loose") model.loose.add(keyOf(object));
      else model.noteForeign(object);
    }
    for (const row of rowsOf(seen)) if (objectOf(seen, row) === undefined) model.gone.set(keyOfRow(row), "gone");
    for (const { isUnsettled, declared, rows } of parts) {
      const row = rowsOf(seen).find(({ id }) => rows.some((one) => one.id === id));
      if (isUnsettled && declared && row) model.attempts.set(keyOfRow(row), [bodyOf(declared, idsIn(seen))]);
    }
  }

  async close(): Promise<void> {
    this.stack.remove();
    await this.platform.close();
  }
}

/** The ids of the objects that the rows of a resource have at a moment. */
const idsAt = (moment: Moment, handle: Handle): Set<string> =>
  new Set(rowsAt(moment, handle).flatMap(({ id }) => id ?? []));
/** The id that a row has. */
const idOf = ({ id, provider_id: provider, agent_id: agent, key }: z.output<typeof ObjectRecord>): string =>
  provider ?? agent ?? key ?? id;
const allIds = ({ stored, kept }: Moment): string[] => [
  ...Object.values(stored).flat().map(idOf),
  ...kept.map(([id]) => id),
]; // prettier-ignore

/** Forgets all that the platform has, and puts these objects of these moments there. */
async function putBack(
  platform: Platform,
  { folder }: EngineStack,
  objects: readonly (readonly [Moment, ReadonlySet<string>])[],
): Promise<void> {
  const stored: Record<string, unknown[]> = {};
  for (const [moment, ids] of objects)
    for (const [name, records] of Object.entries(moment.stored)) {
      const kept = records.filter((one) => ids.has(idOf(one)) || ids.has(one.deployment_id ?? ""));
      stored[name] = [...(stored[name] ?? []), ...kept];
    }
  platform.forgetKept();
  await platform.restart(stored, folder);
  // What an agent keeps is plain data: a copy for each time.
  for (const [{ kept }, ids] of objects)
    for (const [id, value] of structuredClone(kept.filter(([one]) => ids.has(one)))) {
      const { crons, assistants } = platform.agent;
      const to = isObject(value) && "cron_id" in value ? crons : assistants;
      to.set(id, value);
    }
}

/** Brings a new stack up, and on to each moment. */
async function momentsOf(stack: EngineStack, platform: Platform): Promise<Moments> {
  const after = async (program: Program): Promise<Moment> => {
    stack.write(programText(program));
    ok(await stack.up());
    const stored = Stored.parse(structuredClone(platform.emulator.store.snapshot()));
    const kept = structuredClone([...platform.agent.assistants, ...platform.agent.crons]);
    return { file: readState(stack), stored, kept };
  };
  await after(BASE);
  const seen = see(stack, platform);
  for (const declared of BASE) await byHand("make an object beside it", { platform, seen, declared, n: 0 });
  const base = await after(BASE);
  const changed = await after(BASE.map(inPlace));
  const others = await after(BASE.map((one) => (one.handle === HOST ? one : replaced(one))));
  const replacedHost = await after(BASE.map((one) => (one.handle === HOST ? replaced(one) : one)));
  await putBack(platform, stack, [[base, new Set(allIds(base))]]);
  stack.putState(JSON.stringify(base.file));
  stack.choose(FRONT === "native" ? "dynamic" : "native");
  const otherPlugin = await after(BASE);
  // Back to dynamic resources, as docs/before-0.2.md says: the package stays as long as a state may belong to the native plugin.
  stack.choose("native");
  const file = join(stack.folder, "Pulumi.yaml");
  if (FRONT === "dynamic") writeFileSync(file, readFileSync(file, "utf8").replace("value: native", "value: dynamic"));
  return { base, otherPlugin, inPlace: changed, replaced: others, replacedHost };
}

const withUrns = (rows: readonly Row[], urns: ReadonlyMap<string, string>): Row[] =>
  rows.map((row) => Row.parse(withTexts(row, (text) => urns.get(text) ?? text)));
