import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CASES, PLAYED, type ObjectType } from "../../conformance/cases";
import { FRONT, ok } from "../../support/cli-stack";
import { byHand } from "./by-hand";
import {
  bodyOf,
  fresh,
  HOST,
  isKept,
  programText,
  put,
  TYPES,
  urnOf,
  type Declaration,
  type Handle,
  type Program,
} from "./program";
import { idsIn } from "./model";
import { KEYS, keyOf, Platform } from "./platform";
import type { Play } from "./play";
import type { EngineHome, EngineStack } from "./stack";
import { keyOfRow, objectOf, rowsOf, see } from "./state";

// States as the engine could have left them, put together from the rows and objects of a few moments.

const Row = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
});
/** A row of the state file, with all its fields. */
type Row = z.output<typeof Row>;
const File = z.looseObject({ checkpoint: z.looseObject({ latest: z.looseObject({ resources: z.array(Row) }) }) });
const ObjectRecord = z.looseObject({
  id: z.string(),
  provider_id: z.string().optional(),
  deployment_id: z.string().optional(),
});
const Stored = z.record(z.string(), z.array(ObjectRecord));

/** State and platform after one `up`. */
interface Moment {
  readonly file: z.output<typeof File>;
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
const RENAMED: ReadonlySet<string> = new Set(
  Object.entries(CASES).flatMap(([type, { renamed }]) => (renamed ? [type] : [])),
);
const isReplaceable = (type: ObjectType): boolean => PLAYED[type].fixed !== undefined || RENAMED.has(type);

const inPlace = (declared: Declaration): Declaration => {
  const [field] = Object.keys(PLAYED[declared.type].fields);
  return field === undefined ? declared : { ...declared, fields: { [field]: 1 } };
};
const replaced = (declared: Declaration): Declaration =>
  isReplaceable(declared.type)
    ? { ...declared, named: declared.named + 10, fixed: PLAYED[declared.type].fixed ? 1 : 0 }
    : declared;

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
  /** What an object without a row is: of a run that was cut off, forgotten by the state, or made by somebody. */
  readonly stray?: "loose" | "left" | "foreign";
  /** URNs that stand in all rows in place of others. */
  readonly urns?: ReadonlyMap<string, string>;
  /** An update was cut off, so that the object may be as it was, or as declared. */
  readonly isUnsettled?: true;
}
interface At {
  readonly handle: Handle;
  readonly declared: Declaration;
  readonly moments: Moments;
  readonly rows: readonly Row[];
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
  if (type !== "creating") return [{ type, resource: row }];
  const { id: _id, outputs: _outputs, ...resource } = row;
  return [{ type, resource }];
}
const each = (rows: readonly Row[], fields: Readonly<Record<string, unknown>>): Row[] =>
  rows.map((row) => ({ ...row, ...fields }));
/** Only the resource itself: a deployment's Rollout is deleted first, and made last. */
const first = (rows: readonly Row[]): Row[] => rows.slice(0, 1);
const TEAM = "example:index:Team";
const COMPONENT = `urn:pulumi:test::test::${TEAM}::team`;
const under = (rows: readonly Row[], moved: (urn: string) => string): Map<string, string> =>
  new Map(rows.map(({ urn }) => [urn, moved(urn)]));

/** The ways in which a state can be other than an `up` that ended left it; what a row leaves out is as that `up` left it. */
const KIND_ROWS = {
  "a create, cut off before its request": {
    part: ({ rows }) => ({ rows: [], objects: [], pending: begun("creating", rows) }),
  },
  "a create, cut off after its request": {
    part: ({ rows }) => ({ rows: [], pending: begun("creating", rows), stray: "loose" }),
  },
  "an update, cut off before its request": {
    part: ({ moments, handle, declared }) => ({
      pending: begun("updating", rowsAt(moments.inPlace, handle)),
      declared: inPlace(declared),
    }),
    fits: hasFields,
    staysHost: true,
  },
  "an update, cut off after its request": {
    part: ({ moments, handle, declared }) => ({
      objects: [moments.inPlace],
      pending: begun("updating", rowsAt(moments.inPlace, handle)),
      declared: inPlace(declared),
      isUnsettled: true,
    }),
    fits: hasFields,
    staysHost: true,
  },
  "a delete, cut off before its request": {
    part: ({ rows }) => ({ rows: first(rows), pending: begun("deleting", rows), declared: undefined }),
  },
  "a delete, cut off after its request": {
    part: ({ rows }) => ({ rows: first(rows), objects: [], pending: begun("deleting", rows), declared: undefined }),
  },
  "a delete, cut off before its request, of what is declared again": {
    part: ({ rows }) => ({ rows: first(rows), pending: begun("deleting", rows) }),
  },
  "a delete, cut off after its request, of what is declared again": {
    part: ({ rows }) => ({ rows: first(rows), objects: [], pending: begun("deleting", rows) }),
  },
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
  "a replacement, cut off between delete and create": {
    part: ({ rows, declared }) => ({
      rows: each(rows, { pendingReplacement: true }),
      objects: [],
      declared: { ...declared, fixed: PLAYED[declared.type].fixed ? 2 : 0 },
    }),
    fits: isReplaceable,
  },
  "a replacement, cut off after the request of the create": {
    part: ({ rows, declared, later, handle }) => ({
      rows: each(rows, { pendingReplacement: true }),
      objects: [later],
      pending: begun("creating", rowsAt(later, handle)),
      declared: replaced(declared),
      stray: "loose",
    }),
    fits: isReplaceable,
  },
  "replaced, and the old object still to be deleted": {
    part: ({ rows, declared, later, handle, moments }) => ({
      rows: rowsAt(later, handle),
      behind: each(rows, { delete: true }),
      objects: [moments.base, later],
      declared: replaced(declared),
    }),
    fits: isReplaceable,
  },
  "replaced, and the old object deleted, but not its row": {
    part: ({ rows, declared, later, handle }) => ({
      rows: rowsAt(later, handle),
      behind: each(first(rows), { delete: true }),
      objects: [later],
      declared: replaced(declared),
    }),
    fits: isReplaceable,
  },
  "the row is lost": { part: () => ({ rows: [], stray: "left" }) },
  "the row is lost, and the declaration gone": { part: () => ({ rows: [], stray: "left", declared: undefined }) },
  "the object is gone": { part: () => ({ objects: [] }) },
  "in state under another name": {
    part: ({ rows, declared }) => ({
      urns: under(rows, (urn) => `${urn}-2`),
      declared: { ...declared, aliases: [`${urnOf(declared)}-2`] },
    }),
    staysHost: true,
  },
  "in state below a component that is no longer declared": {
    part: ({ rows, declared }) => {
      const urns = under(rows, (urn) => urn.replace("::test::", `::test::${TEAM}$`));
      return {
        urns,
        before: { urn: COMPONENT, custom: false, type: TEAM, parent: rows[0]?.parent },
        rows: rows.map((row, index) => (index === 0 ? { ...row, parent: COMPONENT } : row)),
        declared: { ...declared, aliases: [urns.get(urnOf(declared)) ?? ""] },
      };
    },
    staysHost: true,
  },
  "in state under the other plugin's type": {
    part: ({ moments, handle, declared }) => ({
      rows: rowsAt(moments.otherPlugin, handle),
      urns: new Map([[urnOf(declared), rowsAt(moments.otherPlugin, handle)[0]?.urn ?? ""]]),
    }),
    staysHost: true,
  },
  "made or changed in part": {
    part: ({ rows }) => ({
      rows: rows.map((row, index) => (index === 0 ? { ...row, initErrors: ["it went wrong"] } : row)),
    }),
    staysHost: true,
  },
  protected: { part: ({ rows }) => ({ rows: each(rows, { protect: true }) }), staysHost: true },
  "protected, and no longer declared": {
    part: ({ rows }) => ({ rows: each(rows, { protect: true }), declared: undefined }),
  },
  "retained on delete": { part: ({ rows }) => ({ rows: each(rows, { retainOnDelete: true }) }), staysHost: true },
  "retained on delete, and no longer declared": {
    part: ({ rows }) => ({ rows: each(rows, { retainOnDelete: true }), declared: undefined }),
  },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KIND_ROWS;
export const KINDS: Readonly<Record<KindName, Kind>> = KIND_ROWS;

export type Made = Readonly<Record<string, KindName>>;
/** Whether what the agent keeps can be in the state. */
export const NEEDED_BY = (made: Made): boolean => {
  const kind = made[HOST];
  return kind === undefined || KINDS[kind].staysHost === true;
};

/** A stack and a platform that any state can be set on: brought up once, and put back for each state. */
export class Stage {
  private constructor(
    readonly home: EngineHome,
    readonly stack: EngineStack,
    readonly platform: Platform,
    private readonly moments: Moments,
  ) {}

  static async open(home: EngineHome): Promise<Stage> {
    const platform = await Platform.start();
    const stack = home.stack();
    try {
      stack.connect(platform.url, KEYS.first);
      return new Stage(home, stack, platform, await momentsOf(stack, platform));
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
    await putBack(this.platform, this.stack.folder, [...objects, [base, this.foreignIds()]]);
    const { checkpoint } = base.file;
    const latest = {
      ...checkpoint.latest,
      resources: this.assembled(parts),
      pending_operations: parts.flatMap(({ pending = [] }) => pending),
    };
    this.stack.putState(JSON.stringify({ ...base.file, checkpoint: { ...checkpoint, latest } }));
    play.program = parts.flatMap(({ declared }) => declared ?? []);
    this.learn(play, parts);
  }

  private partOf(handle: Handle, made: Made): Part & { readonly handle: Handle } {
    const { moments } = this;
    const declared = BASE.find((other) => other.handle === handle) ?? fresh(handle);
    const rows = rowsAt(moments.base, handle);
    const later = handle === HOST ? moments.replacedHost : moments.replaced;
    const untouched: Part = { rows, objects: [moments.base], declared };
    if (isKept(declared.type) && !NEEDED_BY(made)) {
      const kind = made[HOST];
      const isGone =
        kind !== undefined && /no longer declared|declaration gone|request$/.test(kind) && kind.includes("delete");
      const hostDeclared =
        kind === undefined ||
        !(
          "declared" in
          KINDS[kind].part({
            handle: HOST,
            declared: fresh(HOST),
            moments,
            rows: rowsAt(moments.base, HOST),
            later: moments.replacedHost,
          })
        ) ||
        !isGone;
      return { handle, rows: [], objects: [], declared: hostDeclared && isDeclaredHost(kind) ? declared : undefined };
    }
    const kind = made[handle];
    return { handle, ...untouched, ...(kind && KINDS[kind].part({ handle, declared, moments, rows, later })) };
  }

  private foreignIds(): Set<string> {
    const { base } = this.moments;
    const ours = new Set(BASE.flatMap(({ handle }) => [...idsAt(base, handle)]));
    const all = [
      ...Object.values(base.stored)
        .flat()
        .map(({ id, provider_id: own }) => own ?? id),
      ...base.kept.map(([id]) => id),
    ];
    return new Set(all.filter((id) => !ours.has(id)));
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

  private learn({ model, stack, platform, program }: Play, parts: readonly (Part & { handle: Handle })[]): void {
    const seen = see(stack, platform);
    model.applied = BASE;
    const inState = new Set(rowsOf(seen).map(keyOfRow));
    for (const object of seen.objects.filter((one) => !inState.has(keyOf(one)))) {
      const key = keyOf(object);
      const part = parts.find(({ handle, objects }) => objects.some((moment) => idsAt(moment, handle).has(object.id)));
      if (part?.stray === "loose") model.loose.set(key, "the run that made it was cut off");
      else if (part?.stray === "left") model.left.add(key);
      else {
        model.foreign.set(key, object);
        model.wasForeign.add(key);
      }
    }
    for (const row of rowsOf(seen)) if (objectOf(seen, row) === undefined) model.gone.set(keyOfRow(row), "gone");
    for (const { isUnsettled, declared, rows } of parts) {
      const row = rowsOf(seen).find(({ id }) => rows.some((one) => one.id === id));
      if (isUnsettled && declared && row) model.attempts.set(keyOfRow(row), [bodyOf(declared, idsIn(seen, program))]);
    }
  }

  async close(): Promise<void> {
    this.stack.remove();
    await this.platform.close();
  }
}

const isDeclaredHost = (kind: KindName | undefined): boolean =>
  kind === undefined ||
  !/no longer declared|declaration gone|^a delete, cut off (before|after) its request$/.test(kind);

/** The ids of the objects that the rows of a resource have at a moment. */
const idsAt = (moment: Moment, handle: Handle): Set<string> =>
  new Set(rowsAt(moment, handle).flatMap(({ id }) => id ?? []));

/** Forgets all that the platform has, and puts these objects of these moments there. */
async function putBack(
  platform: Platform,
  folder: string,
  objects: readonly (readonly [Moment, ReadonlySet<string>])[],
): Promise<void> {
  const stored: Record<string, unknown[]> = {};
  for (const [moment, ids] of objects)
    for (const [name, records] of Object.entries(moment.stored))
      stored[name] = [
        ...(stored[name] ?? []),
        ...records.filter(({ id, provider_id: own, deployment_id: of }) => ids.has(own ?? id) || ids.has(of ?? "")),
      ];
  platform.forgetKept();
  await platform.restart(stored, folder);
  for (const [{ kept }, ids] of objects)
    keep(
      platform,
      kept.filter(([id]) => ids.has(id)),
    );
}

/** What an agent keeps is plain data: a copy for each time. */
function keep({ agent }: Platform, kept: Moment["kept"]): void {
  for (const [id, value] of structuredClone(kept)) {
    const to: Map<string, unknown> =
      typeof value === "object" && value !== null && "cron_id" in value ? agent.crons : agent.assistants;
    to.set(id, value);
  }
}

/** Brings a new stack up, and on to each moment. */
async function momentsOf(stack: EngineStack, platform: Platform): Promise<Moments> {
  const after = async (program: Program): Promise<Moment> => {
    stack.write(programText(program));
    ok(await stack.up());
    const file = File.parse(JSON.parse(stack.stateText()));
    const stored = Stored.parse(structuredClone(platform.emulator.store.snapshot()));
    return { file, stored, kept: structuredClone([...platform.agent.assistants, ...platform.agent.crons]) };
  };
  await after(BASE);
  const seen = see(stack, platform);
  for (const declared of BASE)
    await byHand("make an object beside it", { platform, program: BASE, seen, declared, n: 0 });
  const base = await after(BASE);
  const all = async (
    change: (declared: Declaration) => Declaration,
    which: (declared: Declaration) => boolean,
  ): Promise<Moment> =>
    after(BASE.reduce((program, declared) => (which(declared) ? put(program, change(declared)) : program), BASE));
  const changed = await all(inPlace, () => true);
  const others = await all(replaced, ({ handle }) => handle !== HOST);
  const host = await all(replaced, ({ handle }) => handle === HOST);
  const everything = new Set([
    ...Object.values(base.stored)
      .flat()
      .map(({ id, provider_id: own }) => own ?? id),
    ...base.kept.map(([id]) => id),
  ]);
  await putBack(platform, stack.folder, [[base, everything]]);
  stack.putState(JSON.stringify(base.file));
  stack.choose(FRONT === "native" ? "dynamic" : "native");
  const otherPlugin = await after(BASE);
  stack.choose("native");
  if (FRONT === "dynamic") goBack(stack);
  return { base, otherPlugin, inPlace: changed, replaced: others, replacedHost: host };
}

function withUrns(rows: readonly Row[], urns: ReadonlyMap<string, string>): Row[] {
  const moved = (value: unknown): unknown => {
    if (typeof value === "string") return urns.get(value) ?? value;
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, moved(one)]));
  };
  return rows.map((row) => Row.parse(moved(row)));
}

/** To dynamic resources, as docs/native-plugin.md says: the package stays as long as a state may belong to the native plugin. */
function goBack({ folder }: EngineStack): void {
  const file = join(folder, "Pulumi.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("value: native", "value: dynamic"));
}
