import { put, urnOf, type Declared, type World } from "../random/world";
import { BASE, changed, NOTHING, type Moments, type Objects, type Pending, type PlayedSlot, type Row } from "./stage";

/** What a made state holds of one resource. */
export interface Part {
  readonly rows: readonly Row[];
  /** Rows that stand behind those of all resources: replaced, and still to be deleted. */
  readonly behind?: readonly Row[];
  /** A row that stands before all resources. */
  readonly before?: Row;
  readonly pending?: readonly Pending[];
  readonly objects: Objects;
  readonly declared: Declared | undefined;
  /** What the objects without a row are: made by a run that was cut off, forgotten by the state, or made by hand. */
  readonly stray?: "loose" | "left" | "foreign";
  /** URNs that stand in all rows in place of others. */
  readonly urns?: ReadonlyMap<string, string>;
  /** An update was cut off, so that the object may be as it was, or as declared. */
  readonly isUnsettled?: boolean;
}

interface At {
  readonly slot: PlayedSlot;
  readonly moments: Moments;
}

const declaredIn = (world: World, slot: PlayedSlot): Declared => {
  const declared = world.find((other) => other.slot === slot);
  if (declared === undefined) throw new Error(`nothing is declared in ${slot}`);
  return declared;
};

/** As the first `up` left it. */
export function untouched({ slot, moments: { base } }: At): Part {
  return { rows: base.rows(slot), objects: base.held(slot), declared: declaredIn(BASE, slot) };
}

const inPlace = (slot: PlayedSlot): Declared => declaredIn(changed(BASE, slot, "in place"), slot);
const replaced = (slot: PlayedSlot): Declared => declaredIn(changed(BASE, slot, "replaced"), slot);

/** The row of the resource itself, as it stands in an operation. */
function begun(type: Pending["type"], [row]: readonly Row[]): readonly Pending[] {
  if (row === undefined) throw new Error("no row");
  if (type !== "creating") return [{ type, resource: row }];
  const { id: _id, outputs: _outputs, ...resource } = row;
  return [{ type, resource }];
}

/** All rows of the resource with these fields. */
const each = (rows: readonly Row[], fields: Readonly<Record<string, unknown>>): Row[] =>
  rows.map((row) => ({ ...row, ...fields }));
/** Only the resource itself: a deployment's Rollout is deleted first, and made last. */
const first = (rows: readonly Row[]): Row[] => rows.slice(0, 1);

const TEAM = "example:index:Team";
const COMPONENT = `urn:pulumi:test::test::${TEAM}::team`;

/** The rows under other URNs, which the program declares as aliases. */
function underAnother(at: At, moved: (row: Row) => string): Part {
  const part = untouched(at);
  return { ...part, urns: new Map(part.rows.map((row) => [row.urn, moved(row)])) };
}

/** The ways in which a state can be other than an `up` that ended left it. */
export const KINDS = {
  "a create, cut off before its request": (at) => ({
    ...untouched(at),
    rows: [],
    objects: NOTHING,
    pending: begun("creating", untouched(at).rows),
  }),
  "a create, cut off after its request": (at) => ({
    ...untouched(at),
    rows: [],
    pending: begun("creating", untouched(at).rows),
    stray: "loose",
  }),
  "an update, cut off before its request": (at) => ({
    ...untouched(at),
    pending: begun("updating", at.moments.inPlace.rows(at.slot)),
    declared: inPlace(at.slot),
  }),
  "an update, cut off after its request": (at) => ({
    ...untouched(at),
    objects: at.moments.inPlace.held(at.slot),
    pending: begun("updating", at.moments.inPlace.rows(at.slot)),
    declared: inPlace(at.slot),
    isUnsettled: true,
  }),
  "a delete, cut off before its request": (at) => ({
    ...untouched(at),
    rows: first(untouched(at).rows),
    pending: begun("deleting", untouched(at).rows),
    declared: undefined,
  }),
  "a delete, cut off after its request": (at) => ({
    ...untouched(at),
    rows: first(untouched(at).rows),
    objects: NOTHING,
    pending: begun("deleting", untouched(at).rows),
    declared: undefined,
  }),
  "a delete, cut off before its request, of what is declared again": (at) => ({
    ...untouched(at),
    rows: first(untouched(at).rows),
    pending: begun("deleting", untouched(at).rows),
  }),
  "a delete, cut off after its request, of what is declared again": (at) => ({
    ...untouched(at),
    rows: first(untouched(at).rows),
    objects: NOTHING,
    pending: begun("deleting", untouched(at).rows),
  }),
  "a read of somebody's object, cut off": (at) => ({
    ...untouched(at),
    rows: [],
    pending: begun("reading", each(untouched(at).rows, { external: true })),
    stray: "foreign",
  }),
  "an import, cut off, of an object that the program then adopts": (at) => ({
    ...untouched(at),
    rows: [],
    pending: begun("importing", untouched(at).rows),
    declared: { ...declaredIn(BASE, at.slot), adopt: true },
    stray: "foreign",
  }),
  "a replacement, cut off between delete and create": (at) => ({
    ...untouched(at),
    rows: each(untouched(at).rows, { pendingReplacement: true }),
    objects: NOTHING,
    declared: { ...declaredIn(BASE, at.slot), shape: 2 },
  }),
  "a replacement, cut off after the request of the create": (at) => ({
    rows: each(untouched(at).rows, { pendingReplacement: true }),
    objects: at.moments.replaced[at.slot].held(at.slot),
    pending: begun("creating", at.moments.replaced[at.slot].rows(at.slot)),
    declared: replaced(at.slot),
    stray: "loose",
  }),
  "replaced, and the old object still to be deleted": (at) => ({
    rows: at.moments.replaced[at.slot].rows(at.slot),
    behind: each(untouched(at).rows, { delete: true }),
    objects: together([at.moments.replaced[at.slot].held(at.slot), untouched(at).objects]),
    declared: replaced(at.slot),
  }),
  "replaced, and the old object deleted, but not its row": (at) => ({
    rows: at.moments.replaced[at.slot].rows(at.slot),
    behind: each(first(untouched(at).rows), { delete: true }),
    objects: at.moments.replaced[at.slot].held(at.slot),
    declared: replaced(at.slot),
  }),
  "the row is lost": (at) => ({ ...untouched(at), rows: [], stray: "left" }),
  "the row is lost, and the declaration gone": (at) => ({
    ...untouched(at),
    rows: [],
    stray: "left",
    declared: undefined,
  }),
  "the object is gone": (at) => ({ ...untouched(at), objects: NOTHING }),
  "in state under another name": (at) => ({
    ...underAnother(at, ({ urn }) => `${urn}-old`),
    declared: { ...declaredIn(BASE, at.slot), aliases: [`${at.slot}-old`] },
  }),
  "in state below a component that is no longer declared": (at) => {
    const part = underAnother(at, ({ urn }) => urn.replace("::test::", `::test::${TEAM}$`));
    const [row] = part.rows;
    const old = row === undefined ? "" : (part.urns?.get(row.urn) ?? "");
    return {
      ...part,
      before: { urn: COMPONENT, custom: false, type: TEAM, parent: row?.parent },
      rows: part.rows.map((other, index) => (index === 0 ? { ...other, parent: COMPONENT } : other)),
      declared: { ...declaredIn(BASE, at.slot), aliases: [old] },
    };
  },
  "in state under the other plugin's type": (at) => ({
    ...untouched(at),
    rows: at.moments.otherPlugin.rows(at.slot),
    urns: new Map([[urnOf(declaredIn(BASE, at.slot)), at.moments.otherPlugin.rows(at.slot)[0]?.urn ?? ""]]),
  }),
  "made or changed in part": (at) => ({
    ...untouched(at),
    rows: untouched(at).rows.map((row, index) => (index === 0 ? { ...row, initErrors: ["it went wrong"] } : row)),
  }),
  protected: (at) => ({ ...untouched(at), rows: each(untouched(at).rows, { protect: true }) }),
  "protected, and no longer declared": (at) => ({
    ...untouched(at),
    rows: each(untouched(at).rows, { protect: true }),
    declared: undefined,
  }),
  "retained on delete": (at) => ({ ...untouched(at), rows: each(untouched(at).rows, { retainOnDelete: true }) }),
  "retained on delete, and no longer declared": (at) => ({
    ...untouched(at),
    rows: each(untouched(at).rows, { retainOnDelete: true }),
    declared: undefined,
  }),
} as const satisfies Record<string, (at: At) => Part>;
export type Kind = keyof typeof KINDS;

/** Several groups of objects as one. */
export function together(groups: readonly Objects[]): Objects {
  return {
    templates: groups.flatMap(({ templates }) => templates),
    providers: groups.flatMap(({ providers }) => providers),
    agents: groups.flatMap(({ agents }) => agents),
    revisions: groups.flatMap(({ revisions }) => revisions),
  };
}

/** The part that the deployment has where its template is not in state: it was never made, is deleted already, or is lost as well. */
export function beside(template: Part, at: At): Part {
  const part = untouched(at);
  const isBeingDeleted = template.pending?.some(({ type }) => type === "deleting") === true;
  if (template.rows.length > 0 && template.declared !== undefined && !isBeingDeleted) return part;
  const declared = template.declared === undefined ? undefined : part.declared;
  return template.stray === "left"
    ? { ...part, rows: [], stray: "left", declared }
    : { rows: [], objects: NOTHING, declared };
}

/** The program of these parts. */
export const programOf = (parts: readonly Part[]): World =>
  parts.reduce<World>((world, { declared }) => (declared === undefined ? world : put(world, declared)), []);
