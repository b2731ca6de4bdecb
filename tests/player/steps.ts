import { deployments, sandboxTemplates, type RevisionOutcome } from "../../emulator";
import { PLAYED, type ObjectType } from "../conformance/cases";
import { canBeReplaced, canRepeat, changedPart, type Declaration } from "./declarations";
import type { Player } from "./play";
import type { Resource } from "./resource";

/** What befalls a command: a row of FAULTS, at requests of a method from the n-th on, so often. */
export type Struck = readonly [fault: string, method: string, nth: number, count: number];

/**
 * A step of a program: a row of STEPS, for the resource at a place (those of the second stack follow those of the first), and a number that chooses where the row
 * leaves a choice.
 */
export type Step = readonly [row: string, of?: number, pick?: number, struck?: Struck];

/** What a row acts on. */
export interface At {
  readonly player: Player;
  readonly resource: Resource;
  readonly pick: number;
  readonly struck: Struck | undefined;
}

interface Row {
  readonly name: string;
  readonly is: "declare" | "change" | "drop" | "do by hand" | "lose" | "ask";
  /** Where it makes sense: elsewhere it is passed over. @default everywhere */
  readonly fits?: (at: At) => boolean;
  readonly act: (at: At) => unknown;
  /** The types that it is about. @default all */
  readonly types?: readonly ObjectType[];
  /** The rows that set the stage for it. */
  readonly after?: readonly string[];
}

export const TYPES: readonly ObjectType[] = Object.keys(PLAYED).filter((name): name is ObjectType => name in PLAYED);
const DEPLOYMENT: readonly ObjectType[] = ["Deployment"];
/** Of which only one can have a name. */
const NAMED = TYPES.filter((type) => !canRepeat(type));
const isDeclared = ({ resource }: At): boolean => resource.declared !== undefined;
const isThere = ({ player, resource }: At): boolean => player.objectOf(resource) !== undefined;
const isDeployed = (at: At): boolean => at.resource.hasRevisions && isThere(at);
const isWhole = ({ player }: At): boolean => player.quirk.emulator.contract !== "documented";

function edit({ player, resource }: At, part: (declared: Declaration) => Partial<Declaration>): void {
  const declared = resource.declared ?? resource.latest;
  const now = { ...declared, ...part(declared) };
  if (now.name !== declared.name || now.fixed !== declared.fixed) player.lookByHand(resource);
  resource.declare(now);
  resource.isBad = false;
}

const fieldOf = ({ resource, pick }: At, shift = 0): string => {
  const names = Object.keys(PLAYED[resource.type].fields);
  return names[(pick >> shift) % names.length] ?? "";
};
const changed = (at: At, ...fields: readonly string[]) =>
  edit(at, (declared) => ({
    fields: { ...declared.fields, ...Object.fromEntries(fields.map((field) => [field, at.resource.count(field)])) },
  }));
const hasFields = ({ resource }: At): boolean => Object.keys(PLAYED[resource.type].fields).length > 0;

const DECLARED: readonly Row[] = [
  {
    name: "declare",
    is: "declare",
    after: ["drop", "up"],
    fits: (at) => !isDeclared(at),
    act: (at) => edit(at, () => ({})),
  },
  {
    name: "adopt",
    is: "declare",
    fits: (at) => isDeclared(at) && !at.resource.model.hasState && !canRepeat(at.resource.type),
    types: NAMED,
    after: ["up", "lose its row"],
    act: ({ resource }) => (resource.adopt = true),
  },
  {
    name: "change a field",
    is: "change",
    fits: (at) => isDeclared(at) && hasFields(at),
    act: (at) => changed(at, fieldOf(at)),
  },
  {
    name: "change two fields",
    is: "change",
    fits: (at) => isDeclared(at) && hasFields(at),
    act: (at) => changed(at, fieldOf(at), fieldOf(at, 3)),
  },
  {
    name: "take a field out",
    is: "change",
    after: ["change two fields", "up"],
    fits: (at) => Object.keys(at.resource.declared?.fields ?? {}).length > 0,
    act: (at) =>
      edit(at, ({ fields }) => {
        const names = Object.keys(fields);
        const out = names[at.pick % names.length];
        return { fields: Object.fromEntries(Object.entries(fields).filter(([name]) => name !== out)) };
      }),
  },
  {
    name: "go back",
    is: "change",
    after: ["up", "change a field"],
    fits: ({ resource }) => resource.declared !== undefined && resource.made !== undefined,
    act: (at) => edit(at, (declared) => at.resource.made ?? declared),
  },
  {
    name: "replace",
    is: "change",
    fits: (at) => isDeclared(at) && canBeReplaced(at.resource.type),
    act: (at) => edit(at, () => ({ fixed: at.resource.count("fixed") })),
  },
  {
    name: "rename",
    is: "change",
    fits: isDeclared,
    act: (at) => edit(at, () => ({ name: at.player.nextName() })),
  },
  {
    name: "respell",
    is: "change",
    fits: isDeclared,
    act: ({ resource }) => (resource.isRespelled = !resource.isRespelled),
  },
  {
    name: "ignore changes of its secrets",
    is: "change",
    types: ["Deployment", "OAuthProvider", "SandboxRegistry"],
    fits: ({ resource }) => resource.secrets.length > 0,
    act: ({ resource }) => (resource.ignoresSecrets = !resource.ignoresSecrets),
  },
  {
    name: "wait no longer",
    is: "change",
    types: DEPLOYMENT,
    fits: ({ resource }) => resource.hasRevisions,
    act: ({ resource }) => (resource.awaits = !resource.awaits),
  },
  {
    name: "check it, and go back",
    is: "change",
    types: DEPLOYMENT,
    fits: (at) => at.resource.hasRevisions && isWhole(at),
    act: ({ resource }) => Object.assign(resource, { isChecked: !resource.isChecked, awaits: true }),
  },
  {
    name: "declare an image that fails its check",
    is: "change",
    types: DEPLOYMENT,
    after: ["check it, and go back", "up"],
    fits: (at) => isDeclared(at) && at.resource.isChecked,
    act(at) {
      changed(at, "image");
      at.resource.isBad = true;
    },
  },
  {
    name: "drop",
    is: "drop",
    fits: isDeclared,
    act({ player, resource }) {
      player.lookByHand(resource);
      resource.declare(undefined);
    },
  },
];

const remove = ({ player, resource }: At): void => {
  const object = player.objectOf(resource);
  if (object !== undefined) PLAYED[resource.type].remove(player.world.place, object.uuid);
};

/** A revision by hand: its outcome, and what it changes. */
const push =
  (outcome: RevisionOutcome) =>
  ({ player, resource, pick }: At) => {
    player.outcome = outcome;
    const body = { source_revision_config: { image_uri: `registry.example/pushed:${pick}` } };
    return player.world.ask("PATCH", `/v2/deployments/${player.objectOf(resource)?.id ?? ""}`, body);
  };

function redeploy({ player, resource }: At): Promise<unknown> {
  const id = player.objectOf(resource)?.id ?? "";
  const first = player.revisionsOf(id)[0]?.id ?? "";
  return player.world.ask("POST", `/v2/deployments/${id}/revisions/${first}/redeploy`);
}

/** They change with a revision: by a push. */
const OF_A_REVISION = ["image", "redeployTrigger"];

/** Any field of the case: shown or hidden, declared or not. */
function changeByHand({ player, resource, pick }: At): void {
  const { type, latest } = resource;
  const object = player.objectOf(resource);
  const fields = Object.keys(PLAYED[type].fields).filter((name) => !OF_A_REVISION.includes(name));
  const field = fields[pick % fields.length] ?? "";
  const other = { ...latest, fields: { ...latest.fields, [field]: 500 + player.nextName() } };
  if (object !== undefined) PLAYED[type].change(player.world.place, object.uuid, changedPart(latest, other));
}

function changeVariables({ player, resource, pick }: At): void {
  const all = player.world.emulator.outOfBand(deployments);
  const id = player.objectOf(resource)?.id ?? "";
  const { secrets } = all.get(id);
  const more = [...secrets, { name: "BY_HAND", value: "x" }];
  all.change(id, { secrets: pick % 2 === 0 ? more : secrets.slice(1) });
}

/** In the place of an object that somebody has deleted, or before ours is there. */
const makeByHand = ({ player, resource }: At, part: Partial<Declaration> = {}): Promise<unknown> =>
  player.world.make({ ...resource.latest, ...part });

const BY_HAND: readonly Row[] = [
  { name: "delete by hand", is: "do by hand", fits: isThere, act: remove },
  {
    name: "delete and make again by hand",
    is: "do by hand",
    // A deployment that is made anew is another one: only its name is the same.
    fits: (at) => isThere(at) && !at.resource.hasRevisions && isWhole(at),
    async act(at) {
      await at.player.hand(() => remove(at));
      await makeByHand(at);
    },
  },
  {
    name: "take its name by hand",
    is: "do by hand",
    types: NAMED,
    after: ["drop", "up", "declare"],
    fits: (at) => isDeclared(at) && !isThere(at) && PLAYED[at.resource.type].naturalKey !== undefined && isWhole(at),
    act: (at) => makeByHand(at, at.pick % 2 === 0 ? {} : { fields: {} }),
  },
  {
    name: "change a field by hand",
    is: "do by hand",
    fits: (at) => isThere(at) && hasFields(at),
    act: changeByHand,
  },
  { name: "change its variables by hand", is: "do by hand", types: DEPLOYMENT, fits: isDeployed, act: changeVariables },
  { name: "push a revision that serves", is: "do by hand", types: DEPLOYMENT, fits: isDeployed, act: push("DEPLOYED") },
  {
    name: "push a revision that fails",
    is: "do by hand",
    types: DEPLOYMENT,
    fits: isDeployed,
    act: push("BUILD_FAILED"),
  },
  { name: "push a revision that is stuck", is: "do by hand", types: DEPLOYMENT, fits: isDeployed, act: push("STUCK") },
  {
    name: "redeploy its first revision by hand",
    is: "do by hand",
    types: DEPLOYMENT,
    fits: (at) => isDeployed(at) && isWhole(at),
    act: redeploy,
  },
  {
    name: "begin to delete it by hand",
    is: "do by hand",
    types: DEPLOYMENT,
    fits: (at) => isDeployed(at) && isWhole(at),
    act: ({ player, resource }) => player.world.ask("DELETE", `/v2/deployments/${player.objectOf(resource)?.id ?? ""}`),
  },
  {
    name: "give old rows their ids",
    is: "do by hand",
    types: ["SandboxTemplate"],
    fits: ({ player }) => player.quirk.emulator.oldTemplateRows === true,
    act({ player }) {
      const all = player.world.emulator.outOfBand(sandboxTemplates);
      for (const { id, is_old_row: isOld } of all.list()) if (isOld) all.change(id, { is_old_row: false });
    },
  },
];

const ASKED: readonly Row[] = [
  {
    name: "lose its row",
    is: "lose",
    fits: ({ resource }) => resource.model.hasState,
    act: ({ player, resource }) => player.loseRow(resource),
  },
  { name: "up", is: "ask", act: ({ player, resource, struck }) => player.up(resource.stack, struck) },
  {
    name: "up --refresh",
    is: "ask",
    act: ({ player, resource, struck }) => player.up(resource.stack, struck, true),
  },
  { name: "refresh", is: "ask", act: ({ player, resource, struck }) => player.refresh(resource.stack, struck) },
  { name: "preview", is: "ask", act: ({ player, resource }) => player.preview(resource.stack) },
  { name: "get by id", is: "ask", fits: isThere, act: ({ player, resource }) => player.getById(resource) },
  { name: "destroy", is: "ask", act: ({ player, resource, struck }) => player.destroy(resource.stack, struck) },
  {
    name: "destroy --refresh",
    is: "ask",
    act: ({ player, resource, struck }) => player.destroy(resource.stack, struck, true),
  },
  {
    name: "destroy --target --target-dependents",
    is: "ask",
    act: ({ player, resource, struck }) => player.destroyTarget(resource.stack, struck),
  },
  {
    name: "refresh with another key",
    is: "ask",
    act: ({ player, resource, struck }) => player.withAnotherKey(resource.stack, "refresh", struck),
  },
  {
    name: "destroy with another key",
    is: "ask",
    act: ({ player, resource, struck }) => player.withAnotherKey(resource.stack, "destroy", struck),
  },
];

export const STEPS: readonly Row[] = [...DECLARED, ...BY_HAND, ...ASKED];

export const rowOf = (name: string): Row => {
  const row = STEPS.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no step "${name}"`);
  return row;
};

/** How a person reads it. */
export const show = ([row, of = 0, pick = 0, struck]: Step): string =>
  JSON.stringify(struck === undefined ? [row, of, pick] : [row, of, pick, struck]);
