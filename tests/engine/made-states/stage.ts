import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  deployments,
  oauthProviders,
  revisions,
  sandboxTemplates,
  type DeploymentRecord,
  type OAuthProviderRecord,
  type RevisionRecord,
  type SandboxTemplateRecord,
} from "../../../emulator";
import { FRONT, ok } from "../../support/cli-stack";
import { doByHand } from "../random/by-hand";
import { edited } from "../random/edits";
import type { EngineHome, EngineStack } from "../random/engine-stack";
import { KEYS, Platform } from "../random/platform";
import { programText } from "../random/program-text";
import { firstName, plain, put, type Slot, type World } from "../random/world";

/** The resources of a made state. The deployment uses the template's id; the OAuth provider is by itself. */
export const PLAYED = ["t1", "p1", "d1"] as const;
export type PlayedSlot = (typeof PLAYED)[number];

/** The program whose first `up` every made state comes from. */
export const BASE: World = PLAYED.reduce<World>(
  (world, slot) =>
    put(world, { ...plain(slot), uses: slot === "d1" ? [{ slot: "t1" as const, output: "id" as const }] : [] }),
  [],
);

/** The same with one more value: in place, or by a replacement of an object of another name. */
export function changed(world: World, slot: Slot, how: "in place" | "replaced"): World {
  const names =
    how === "in place"
      ? (["change a field"] as const)
      : (["change a field that replaces", "rename the object"] as const);
  return names.reduce((now, name) => edited(now, { name, slot, pick: 0 }) ?? now, world);
}

const Row = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
});
/** A row of the state file, with all its fields. */
export type Row = z.output<typeof Row>;

const File = z.looseObject({
  checkpoint: z.looseObject({ latest: z.looseObject({ resources: z.array(Row) }) }),
});

/** The state without rows that stand in it twice, though none of them is to be deleted. */
export function withoutTwins(stateText: string): string {
  const file = File.parse(JSON.parse(stateText));
  const { latest } = file.checkpoint;
  const kept = latest.resources.filter(
    ({ urn, delete: going }, index) =>
      going === true || latest.resources.findIndex((row) => row.urn === urn && row["delete"] !== true) === index,
  );
  return JSON.stringify({ ...file, checkpoint: { ...file.checkpoint, latest: { ...latest, resources: kept } } });
}

/** What the engine had begun when it was cut off. */
export interface Pending {
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
  readonly resource: Row;
}

/** Objects of the emulator, as it stores them. */
export interface Objects {
  readonly templates: readonly SandboxTemplateRecord[];
  readonly providers: readonly OAuthProviderRecord[];
  readonly agents: readonly DeploymentRecord[];
  readonly revisions: readonly RevisionRecord[];
}
export const NOTHING: Objects = { templates: [], providers: [], agents: [], revisions: [] };

/** State and platform after one `up`. */
export class Moment {
  readonly file: z.output<typeof File>;
  private readonly objects: Objects;

  constructor(stateText: string, platform: Platform) {
    this.file = File.parse(JSON.parse(stateText));
    this.objects = objectsOn(platform);
  }

  /** The rows of this resource; a deployment's with that of its Rollout. */
  rows(slot: Slot): readonly Row[] {
    return this.file.checkpoint.latest.resources.filter(({ urn }) => urn.endsWith(`::${slot}`));
  }

  /** The rows of the stack and of its providers. */
  frame(): readonly Row[] {
    return this.file.checkpoint.latest.resources.filter(({ type }) => type.startsWith("pulumi:"));
  }

  /** The text of a state with these rows instead. */
  stateWith(rows: readonly Row[], pending: readonly Pending[]): string {
    const { checkpoint } = this.file;
    const latest = { ...checkpoint.latest, resources: rows, pending_operations: pending };
    return JSON.stringify({ ...this.file, checkpoint: { ...checkpoint, latest } });
  }

  /** The objects of this resource. */
  held(slot: Slot): Objects {
    const ids = this.rows(slot).map(({ id }) => id);
    return this.pick((record) => ids.includes(record.provider_id ?? record.id));
  }

  /** What was made by hand. */
  byHand(): Objects {
    const names = PLAYED.map((slot) => `${firstName(slot)}-foreign`);
    return this.pick((record) => names.includes(record.provider_id ?? record.name));
  }

  private pick(isMeant: (record: { id: string; name: string; provider_id?: string }) => boolean): Objects {
    const { templates, providers, agents } = this.objects;
    const kept = agents.filter(isMeant);
    return {
      templates: templates.filter(isMeant),
      providers: providers.filter(isMeant),
      agents: kept,
      revisions: this.objects.revisions.filter(({ deployment_id }) => kept.some(({ id }) => id === deployment_id)),
    };
  }
}

function objectsOn({ emulator }: Platform): Objects {
  return {
    templates: [...emulator.outOfBand(sandboxTemplates).list()],
    providers: [...emulator.outOfBand(oauthProviders).list()],
    agents: emulator
      .outOfBand(deployments)
      .list()
      .filter(({ deleted_at }) => deleted_at === null),
    revisions: [...emulator.outOfBand(revisions).list()],
  };
}

/** The moments that made states are put together from; each begins at `base`, and holds one thing more. */
export interface Moments {
  readonly base: Moment;
  /** The same objects, in state under the other plugin's types. */
  readonly otherPlugin: Moment;
  /** Every object changed in place. */
  readonly inPlace: Moment;
  /** Each object replaced by one of another name. */
  readonly replaced: Readonly<Record<PlayedSlot, Moment>>;
}

/** Brings a new stack up, and on to each moment. */
async function momentsOf(stack: EngineStack, platform: Platform): Promise<Moments> {
  for (const slot of PLAYED) await doByHand(platform, { name: "make an object beside it", slot }, undefined);
  const after = async (world: World): Promise<Moment> => {
    stack.write(programText(world));
    ok(await stack.up());
    return new Moment(stack.stateText(), platform);
  };
  const base = await after(BASE);
  const inPlace = await after(PLAYED.reduce((world, slot) => changed(world, slot, "in place"), BASE));
  // While the template is the same, so that no other change of the deployment comes along.
  const others = await after(changed(changed(BASE, "p1", "replaced"), "d1", "replaced"));
  const template = await after(changed(BASE, "t1", "replaced"));
  putBack(platform, [...PLAYED.map((slot) => base.held(slot)), base.byHand()]);
  stack.putState(base.stateWith(base.file.checkpoint.latest.resources, []));
  stack.choose(FRONT === "native" ? "dynamic" : "native");
  const otherPlugin = await after(BASE);
  stack.choose("native");
  if (FRONT === "dynamic") goBack(stack);
  return { base, otherPlugin, inPlace, replaced: { t1: template, p1: others, d1: others } };
}

/** Forgets all that the emulator has, and puts these objects there. */
function putBack(platform: Platform, objects: readonly Objects[]): void {
  const { emulator, madeFrom } = platform;
  emulator.reset();
  platform.forgetOutcomes();
  madeFrom.clear();
  for (const { templates, providers, agents, revisions: made } of objects) {
    templates.forEach((record) => sandboxTemplates.in(emulator.store).put(record));
    providers.forEach((record) => oauthProviders.in(emulator.store).put(record));
    agents.forEach((record) => deployments.in(emulator.store).put(record));
    for (const record of made) {
      revisions.in(emulator.store).put(record);
      const agent = agents.find(({ id }) => id === record.deployment_id);
      if (agent !== undefined) madeFrom.set(record.id, agent);
    }
  }
}

/** A stack and a platform that any state can be set on: brought up once, and put back for each state. */
export class Stage {
  private constructor(
    readonly stack: EngineStack,
    readonly platform: Platform,
    readonly moments: Moments,
  ) {}

  static async open(home: EngineHome): Promise<Stage> {
    const platform = await Platform.start({ naming: "at once", deletes: "at once", oddities: [] });
    const stack = home.stack();
    try {
      stack.connect(platform.url, KEYS.first);
      return new Stage(stack, platform, await momentsOf(stack, platform));
    } catch (error) {
      stack.remove();
      await platform.close();
      throw error;
    }
  }

  /** The emulator then holds these objects and those made by hand, and the state these rows. */
  set(rows: readonly Row[], pending: readonly Pending[], objects: readonly Objects[]): void {
    putBack(this.platform, [...objects, this.moments.base.byHand()]);
    this.stack.putState(this.moments.base.stateWith(rows, pending));
  }

  async close(): Promise<void> {
    this.stack.remove();
    await this.platform.close();
  }
}

/** To dynamic resources, as docs/native-plugin.md says: the package stays as long as a state may belong to the native plugin. */
function goBack({ folder }: EngineStack): void {
  const file = join(folder, "Pulumi.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("value: native", "value: dynamic"));
}
