import { survey } from "../../cli/generate/survey";
import { deployments, sandboxSnapshots, sandboxTemplates, type RevisionOutcome } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { openPlatform } from "../../provider/functions/reading";
import { RESOURCES } from "../../provider/resources/registry";
import { merged, PLAYED, type ObjectType } from "../conformance/cases";
import { canBeReplaced, canRepeat, changedPart, isOfAgent, shownFields, TYPES, type Declaration } from "./declarations";
import { LARGE } from "./model";
import type { Player, Program } from "./play";
import type { Quirk } from "./quirks";
import type { Resource } from "./resource";
import type { Stack } from "./stack";
import { apiKeyOf } from "./world";

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
  /** A program that begins with it has these. @default any */
  readonly quirk?: string;
  readonly beside?: Program["beside"];
  /** The rows that set the stage for it. */
  readonly after?: readonly string[];
}

const row = (is: Row["is"], name: string, act: Row["act"], more: Partial<Row> = {}): Row => ({
  is,
  name,
  act,
  ...more,
});

const DEPLOYMENT: readonly ObjectType[] = ["Deployment"];
/** Of which only one can have a name. */
const NAMED = TYPES.filter((type) => !canRepeat(type));
const isDeclared = ({ resource }: At): boolean => resource.declared !== undefined;
const isThere = ({ player, resource }: At): boolean => player.objectOf(resource) !== undefined;
const isDeployed = (at: At): boolean => at.resource.hasRevisions && isThere(at);
const isWhole = ({ player }: At): boolean => player.quirk.emulator.contract !== "documented";
const namesOf = ({ resource }: At): string[] => Object.keys(PLAYED[resource.type].fields);
const hasFields = (at: At): boolean => isDeclared(at) && namesOf(at).length > 0;

function edit({ player, resource }: At, part: (declared: Declaration) => Partial<Declaration>): void {
  const declared = resource.declared ?? resource.latest;
  const now = { ...declared, ...part(declared) };
  if (now.name !== declared.name || now.fixed !== declared.fixed) player.lookByHand(resource);
  resource.declare(now);
  resource.isBad = false;
}

const fieldOf = (at: At, shift = 0): string => namesOf(at)[(at.pick >> shift) % namesOf(at).length] ?? "";
const changed = (at: At, ...fields: readonly string[]) =>
  edit(at, (declared) => ({
    fields: { ...declared.fields, ...Object.fromEntries(fields.map((field) => [field, at.resource.count(field)])) },
  }));

const takeOut = (at: At) =>
  edit(at, ({ fields }) => {
    const names = Object.keys(fields);
    const out = names[at.pick % names.length];
    return { fields: Object.fromEntries(Object.entries(fields).filter(([name]) => name !== out)) };
  });

function upBad(at: At): Promise<boolean> {
  changed(at, "image", at.pick % 2 === 0 ? "environment" : "secret");
  at.resource.isBad = true;
  return at.player.up(at.resource.stack);
}

/** On top of a revision that somebody has pushed. */
const upOver =
  (...fields: readonly string[]) =>
  (at: At): Promise<boolean> => {
    changed(at, ...fields.slice(0, 1 + (at.pick % 2)));
    return at.player.up(at.resource.stack);
  };

/** A field that a create sends once the object is there. */
const sentLaterOf = (type: ObjectType): string | undefined =>
  Object.keys(PLAYED[type].fields).find((name) => RESOURCES[type].table.fields[name]?.afterCreate === true);

function createHalf(at: At): Promise<boolean> {
  changed(at, sentLaterOf(at.resource.type) ?? "");
  return at.player.up(at.resource.stack, ["status 422", "PATCH", 1, 1], { isHooked: true });
}

/** It has the name already when our request gets lost: an equal one, made seconds before, or another one, made at once. */
async function createBehind(at: At): Promise<void> {
  const { player, resource, pick } = at;
  const { type, latest } = resource;
  const [shown] = shownFields(type);
  const part = shown === undefined ? { fixed: 500 + pick } : { fields: { ...latest.fields, [shown]: 500 + pick } };
  const isEqual = pick % 2 === 0;
  await player.hand(() => makeByHand(at, isEqual ? {} : part), isEqual ? undefined : 0);
  await player.up(resource.stack, ["lost request", "POST", 1, 1]);
}

/** An update whose answers are lost may have been carried out, also where a later try is refused. */
const UNANSWERED = ["lost answer", "lost answer, then 403"];

async function goBackUnanswered(at: At): Promise<void> {
  const { player, resource, pick } = at;
  changed(at, fieldOf(at));
  const method = resource.type === "WorkspaceSecret" ? "PUT" : "PATCH";
  await player.up(resource.stack, [UNANSWERED[pick % 2] ?? "", method, 1, pick % 2 === 0 ? 8 : 1]);
  edit(at, (declared) => resource.made ?? declared);
}

async function lookAndUp({ player, resource }: At): Promise<void> {
  await player.refresh(resource.stack);
  await player.up(resource.stack);
}

/** Another one takes its tag, and one is not ready: what `generate` offers is taken, and what `drift` says, also of what a refresh has recorded, has an end. */
async function loseTag({ player, resource, pick }: At): Promise<void> {
  const { world, quirk } = player;
  const { latest, stack } = resource;
  const theirs = { ...latest, fixed: 500 + pick };
  const all = world.emulator.outOfBand(sandboxSnapshots);
  await player.hand(async () => {
    const unready = await world.make({ ...latest, name: player.nextName() });
    all.change(unready?.id ?? "", { status_override: pick % 2 === 0 ? "failed" : "building" });
    await world.make(theirs);
  });
  const taking = all.list().at(-1)?.id ?? "";
  const { url: baseUrl } = world.emulator;
  const settings: Quirk["settings"] = { ...quirk.settings, baseUrl, apiKey: apiKeyOf("beside") };
  const { objects } = await survey(openPlatform([(name) => settings[name], {}]), { show: () => undefined });
  const beside = world.stack("beside");
  const { said } = await beside.command(async () => {
    for (const { spec, id, name, args, needs } of objects)
      if (needs.length === 0) await beside.model(spec.kind, id).up({ ...args, adopt: id === name || id });
  });
  if (said !== "") throw new Error(`what generate offers is refused: ${said}`);
  await player.refresh(stack);
  await player.refresh(stack);
  const { next = "" } = resource;
  if (next.includes("first delete that one") && pick % 4 < 2) await player.hand(() => all.remove(taking));
  else if (next.includes("take it over")) Object.assign(resource, { declared: theirs, latest: theirs, adopt: true });
  await player.up(stack, undefined, { refreshes: true });
  await player.refresh(stack);
  if (resource.next !== undefined) throw new Error(`what drift says has no end: ${resource.next}`);
}

const THEIRS = { theirs: LARGE };
/** Of types with free JSON: an argument that takes it, what somebody writes, and the field whose change sends that again. */
const FREE: Readonly<Partial<Record<ObjectType, readonly [argument: string, byHand: JsonObject, field: string]>>> = {
  Assistant: ["metadata", { context: { tone: LARGE }, config: THEIRS }, "context"],
  Cron: ["input", { input: { text: LARGE } }, "input"],
  Deployment: ["extra", { source_revision_config: THEIRS }, "image"],
};

/** A number that JavaScript rounds: declared, it is refused; by hand, it shows as it is, and stays where nobody declares it. */
async function meetLarge(at: At): Promise<void> {
  const { player, resource } = at;
  const { type, stack, model, state } = resource;
  const [argument = "", byHand = {}, field = ""] = FREE[type] ?? [];
  const wrong = { ...resource.program(), [argument]: { list: [LARGE] } };
  const { failures } = await model.handler.check(state?.inputs ?? {}, wrong);
  if (failures[0]?.reason.startsWith(`${argument}.list[0]: must not`) !== true) throw new Error(`${argument} takes it`);
  const { world } = player;
  const { uuid = "", body = {} } = player.objectOf(resource) ?? {};
  const partsOf = (of: JsonObject): JsonObject =>
    Object.fromEntries(Object.keys(byHand).map((name) => [name, of[name] ?? null]));
  const part = partsOf(merged(body, byHand));
  const write = PLAYED[type].change;
  player.hasDigits = true;
  await player.hand(() =>
    type === "Deployment" ? world.ask("PATCH", pathOf(at), part) : write(world.place, uuid, part),
  );
  await player.refresh(stack);
  changed(at, field);
  await player.up(stack);
  player.hasDigits = false;
  const live = player.objectOf(resource);
  const isKept = [byHand, partsOf(live?.body ?? {})].map((each) => JSON.stringify(each).includes(`"theirs":${LARGE}`));
  if (live?.uuid === uuid && isKept[0] !== isKept[1]) throw new Error(`gone from ${resource.title}: theirs`);
}

const upWith =
  (part: Partial<Pick<Resource, "isChecked" | "expectsMore">>) =>
  ({ player, resource }: At): Promise<boolean> => {
    Object.assign(resource, part);
    return player.up(resource.stack);
  };

function drop({ player, resource }: At): void {
  player.lookByHand(resource);
  resource.declare(undefined);
}

const DECLARED: readonly Row[] = [
  row("declare", "declare", (at) => edit(at, () => ({})), { after: ["drop", "up"], fits: (at) => !isDeclared(at) }),
  row("declare", "adopt", ({ resource }) => (resource.adopt = true), {
    fits: (at) => isDeclared(at) && !at.resource.model.hasState && !canRepeat(at.resource.type),
    types: NAMED,
    after: ["up", "lose its row"],
  }),
  row("change", "change a field", (at) => changed(at, fieldOf(at)), { fits: hasFields }),
  row("change", "change two fields", (at) => changed(at, fieldOf(at), fieldOf(at, 3)), { fits: hasFields }),
  row("change", "take a field out", takeOut, {
    after: ["change two fields", "up"],
    fits: (at) => Object.keys(at.resource.declared?.fields ?? {}).length > 0,
  }),
  row("change", "go back", (at) => edit(at, (declared) => at.resource.made ?? declared), {
    after: ["up", "change a field"],
    fits: (at) => isDeclared(at) && at.resource.made !== undefined,
  }),
  row("change", "go back after an update without an answer", goBackUnanswered, {
    after: ["change a field", "up"],
    fits: (at) => hasFields(at) && isThere(at) && at.resource.made !== undefined,
  }),
  row("change", "replace", (at) => edit(at, () => ({ fixed: at.resource.count("fixed") })), {
    fits: (at) => isDeclared(at) && canBeReplaced(at.resource.type),
  }),
  row("change", "rename", (at) => edit(at, () => ({ name: at.player.nextName() })), { fits: isDeclared }),
  row("change", "respell", ({ resource }) => (resource.isRespelled = !resource.isRespelled), { fits: isDeclared }),
  row(
    "change",
    "ignore changes of its secrets",
    ({ resource }) => (resource.ignoresSecrets = !resource.ignoresSecrets),
    {
      types: ["Deployment", "OAuthProvider", "SandboxRegistry", "WorkspaceSecret"],
      fits: ({ resource }) => resource.secrets.length > 0,
    },
  ),
  row("change", "wait no longer", ({ resource }) => (resource.awaits = !resource.awaits), {
    types: DEPLOYMENT,
    // A check needs the rollout's revision.
    fits: ({ resource }) => resource.hasRevisions && !resource.isChecked,
  }),
  row(
    "change",
    "check it, and go back",
    ({ resource }) => Object.assign(resource, { isChecked: !resource.isChecked, awaits: true }),
    { types: DEPLOYMENT, fits: (at) => at.resource.hasRevisions && isWhole(at) },
  ),
  row("change", "up with an image that fails its check", upBad, {
    types: DEPLOYMENT,
    after: ["check it, and go back", "up"],
    fits: (at) => isDeclared(at) && at.resource.isChecked,
  }),
  row("change", "up with another name over somebody's revision", upOver("displayName"), {
    types: DEPLOYMENT,
    after: ["up", "push a revision that serves"],
    fits: (at) => isDeclared(at) && isDeployed(at),
  }),
  row("change", "up with another image over somebody's variables", upOver("image", "environment"), {
    types: DEPLOYMENT,
    after: ["up", "push other variables"],
    fits: (at) => isDeclared(at) && isDeployed(at),
  }),
  row("change", "create half of it, with an error hook", createHalf, {
    types: TYPES.filter((type) => sentLaterOf(type) !== undefined),
    after: ["drop", "up", "declare"],
    fits: (at) => isDeclared(at) && !isThere(at) && isWhole(at),
  }),
  row("change", "create it behind somebody, without an answer", createBehind, {
    types: NAMED,
    after: ["drop", "up", "declare"],
    fits: (at) => isDeclared(at) && !isThere(at) && !canRepeat(at.resource.type) && isWhole(at),
  }),
  row("change", "refresh and up after somebody made it anew", lookAndUp, {
    types: TYPES.filter((type) => PLAYED[type].hidden !== undefined && type !== "Deployment"),
    after: ["up", "delete and make again by hand"],
    fits: (at) => isDeclared(at) && isThere(at),
  }),
  row("change", "lose its tag to another one, and do what drift says", loseTag, {
    types: ["SandboxSnapshot"],
    after: ["up"],
    fits: (at) => isDeclared(at) && isThere(at) && at.resource.type === "SandboxSnapshot",
  }),
  ...(["Assistant", "Cron", "Deployment"] as const).map((type) =>
    row("change", `meet a number that JavaScript rounds: ${type}`, meetLarge, {
      types: [type],
      after: ["up"],
      fits: (at) => isDeclared(at) && isThere(at) && at.resource.type === type,
    }),
  ),
  row("change", "up without the check that went back", upWith({ isChecked: false }), {
    types: DEPLOYMENT,
    after: ["check it, and go back", "up", "up with an image that fails its check"],
    fits: (at) => isDeclared(at) && at.resource.isChecked,
  }),
  row("change", "up with a check that expects more", upWith({ expectsMore: true }), {
    types: DEPLOYMENT,
    after: ["check it, and go back", "change a field", "up"],
    fits: (at) => isDeclared(at) && at.resource.isChecked,
  }),
  row(
    "declare",
    "rename it in Pulumi, declare another, and up",
    ({ player, resource }) => {
      player.renameInPulumi(resource);
      return player.up(resource.stack);
    },
    {
      types: ["Assistant", "Cron"],
      fits: (at) => isThere(at) && isDeclared(at) && isOfAgent(at.resource.type) && at.resource.stack.who === "ours",
    },
  ),
  row("drop", "drop", drop, { fits: isDeclared }),
];

const remove = ({ player, resource }: At): void => {
  const object = player.objectOf(resource);
  if (object !== undefined) PLAYED[resource.type].remove(player.world.place, object.uuid);
};

/** In the place of an object that somebody has deleted, or before ours is there. */
const makeByHand = ({ player, resource }: At, part: Partial<Declaration> = {}): Promise<unknown> =>
  player.world.make({ ...resource.latest, ...part });

async function remake(at: At): Promise<void> {
  const { latest, type } = at.resource;
  const hidden = (PLAYED[type].hidden ?? []).map((field): [string, number] => [field, 500 + at.player.nextName()]);
  await at.player.hand(() => remove(at));
  await makeByHand(at, { fields: { ...latest.fields, ...Object.fromEntries(hidden) } });
}

const pathOf = ({ player, resource }: At): string => `/v2/deployments/${player.objectOf(resource)?.id ?? ""}`;

/** A revision by hand: its outcome, and what it changes. */
const push = (outcome: RevisionOutcome) => (at: At) => {
  at.player.outcome = outcome;
  const body = { source_revision_config: { image_uri: `registry.example/pushed:${at.pick}` } };
  return at.player.world.ask("PATCH", pathOf(at), body);
};

function redeploy(at: At): Promise<unknown> {
  const [first] = at.player.revisionsOf(at.player.objectOf(at.resource)?.id ?? "");
  return at.player.world.ask("POST", `${pathOf(at)}/revisions/${first?.id ?? ""}/redeploy`);
}

/** They change with a revision: by a push. */
const OF_A_REVISION = ["image", "redeployTrigger"];

/** Any field of the case: shown or hidden, declared or not. */
function changeByHand(at: At): void {
  const { player, resource, pick } = at;
  const { type, latest } = resource;
  const object = player.objectOf(resource);
  const fields = namesOf(at).filter((name) => !OF_A_REVISION.includes(name));
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

/** Each variable gets another value, in a revision that serves. */
function pushVariables(at: At): Promise<unknown> {
  const id = at.player.objectOf(at.resource)?.id ?? "";
  const { secrets } = at.player.world.emulator.outOfBand(deployments).get(id);
  const others = secrets.map(({ name, value }) => ({ name, value: `${value} by hand` }));
  return at.player.world.ask("PATCH", pathOf(at), { secrets: others });
}

function giveIds({ player }: At): void {
  const all = player.world.emulator.outOfBand(sandboxTemplates);
  for (const { id, is_old_row: isOld } of all.list()) if (isOld) all.change(id, { is_old_row: false });
}

const OF_DEPLOYED = { types: DEPLOYMENT, fits: isDeployed };
const OF_DEPLOYED_WHOLE = { types: DEPLOYMENT, fits: (at: At) => isDeployed(at) && isWhole(at) };

const BY_HAND: readonly Row[] = [
  row("do by hand", "delete by hand", remove, { fits: isThere }),
  row("do by hand", "delete and make again by hand", remake, {
    // A deployment that is made anew is another one: only its name is the same.
    fits: (at) => isThere(at) && !at.resource.hasRevisions && isWhole(at),
  }),
  row("do by hand", "take its name by hand", (at) => makeByHand(at, at.pick % 2 === 0 ? {} : { fields: {} }), {
    types: NAMED,
    quirk: "a name twice",
    after: ["drop", "up", "declare"],
    fits: (at) => isDeclared(at) && !isThere(at) && !canRepeat(at.resource.type) && isWhole(at),
  }),
  row("do by hand", "change a field by hand", changeByHand, {
    fits: (at) => isThere(at) && namesOf(at).length > 0,
  }),
  row("do by hand", "change its variables by hand", changeVariables, OF_DEPLOYED),
  row("do by hand", "push a revision that serves", push("DEPLOYED"), OF_DEPLOYED),
  row("do by hand", "push other variables", pushVariables, OF_DEPLOYED),
  row("do by hand", "push a revision that fails", push("BUILD_FAILED"), OF_DEPLOYED),
  row("do by hand", "push a revision that is stuck", push("STUCK"), OF_DEPLOYED),
  row("do by hand", "redeploy its first revision by hand", redeploy, OF_DEPLOYED_WHOLE),
  row("do by hand", "begin to delete it by hand", (at) => at.player.world.ask("DELETE", pathOf(at)), OF_DEPLOYED_WHOLE),
  row("do by hand", "give old rows their ids", giveIds, {
    types: ["SandboxTemplate"],
    quirk: "old rows",
    fits: ({ player }) => player.quirk.emulator.oldTemplateRows === true,
  }),
];

type Command = (player: Player, stack: Stack, struck: Struck | undefined) => unknown;
const ask = (name: string, act: Command, more: Partial<Row> = {}): Row =>
  row("ask", name, ({ player, resource, struck }) => act(player, resource.stack, struck), more);

const ASKED: readonly Row[] = [
  row("lose", "lose its row", ({ player, resource }) => player.loseRow(resource), {
    fits: ({ resource }) => resource.model.hasState,
  }),
  ask("up", (player, stack, struck) => player.up(stack, struck)),
  ask("up --refresh", (player, stack, struck) => player.up(stack, struck, { refreshes: true })),
  ask("up with an error hook", (player, stack, struck) => player.up(stack, struck, { isHooked: true })),
  row("ask", "replace by force", ({ player, resource, struck }) => player.replaceByForce(resource, struck), {
    types: TYPES.filter(canRepeat),
    fits: (at) => isDeclared(at) && isThere(at) && canRepeat(at.resource.type),
  }),
  ask("refresh", (player, stack, struck) => player.refresh(stack, struck)),
  ask("preview", (player, stack) => player.preview(stack)),
  row("ask", "get by id", ({ player, resource }) => player.getById(resource), { fits: isThere }),
  ask("destroy", (player, stack, struck) => player.destroy(stack, struck)),
  ask("destroy --refresh", (player, stack, struck) => player.destroy(stack, struck, true)),
  ask("destroy --target --target-dependents", (player, stack, struck) => player.destroyTarget(stack, struck)),
  ask("refresh with another key", (player, stack, struck) => player.withAnotherKey(stack, "refresh", struck)),
  // There, another stack has objects of the same names.
  ask("destroy with another key", (player, stack, struck) => player.withAnotherKey(stack, "destroy", struck), {
    beside: "another workspace",
  }),
];

export const STEPS: readonly Row[] = [...DECLARED, ...BY_HAND, ...ASKED];

export const rowOf = (name: string): Row => {
  const found = STEPS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no step "${name}"`);
  return found;
};

/** How a person reads it. */
export const show = ([name, of = 0, pick = 0, struck]: Step): string =>
  JSON.stringify(struck === undefined ? [name, of, pick] : [name, of, pick, struck]);
