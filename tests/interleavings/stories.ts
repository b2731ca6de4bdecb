import {
  deployments,
  listeners,
  oauthProviders,
  sandboxSnapshots,
  sandboxTemplates,
  type Emulator,
} from "../../emulator";
import { z } from "zod";
import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import { registry, SUBJECTS, type Declared, type Subject } from "../model/subjects";
import type { Way } from "./schedule";
import { isOfAgent, OTHER_NOUNS } from "./nouns";
import type { Ran, Stack, World } from "./world";

/** What our stack does with its object. */
export const ACTS = ["create", "update", "replace", "rename", "delete", "refresh"] as const;
export type Act = (typeof ACTS)[number];

/** What the other stack does, which declares the same name. */
export const THEIR_ACTS = ["create", "adopt", "update the same", "update another", "replace", "delete"] as const;
/** What somebody does by hand. */
export const HANDS = [
  "deletes",
  "remakes",
  "changes the same",
  "changes another",
  "takes the name",
  "pushes",
  "rolls back",
  "shifts the pages",
] as const;
export type Other = (typeof THEIR_ACTS)[number] | (typeof HANDS)[number];

export const NOUNS: readonly Subject[] = [...SUBJECTS, registry, ...OTHER_NOUNS];

/** Two at once, and one fault; a late list may follow a lost answer. */
export interface Story {
  readonly name: string;
  readonly subject: Subject;
  readonly act: Act;
  readonly other: Other | undefined;
  readonly faults: readonly Way[];
}

const FAULTS: readonly Way[] = ["lost request", "lost answer", "kill", "key refused", "stale answer", "late list"];
/** What befalls a command beside another stack's. */
const BESIDE: readonly Way[] = ["lost answer", "stale answer", "late list"];

/** Each of ours against each of theirs; and each of ours alone, whose requests or answers get lost, or which is killed. */
export function allStories(): readonly Story[] {
  const found: Story[] = [];
  for (const subject of NOUNS) {
    for (const act of ACTS) {
      if (act === "update" && subject.fields.length === 0) continue;
      if (act === "replace" && subject.kind === "SandboxRegistry") continue;
      const alone = { subject, act, other: undefined };
      found.push({ ...alone, name: `${subject.kind}: ${act}, a fault`, faults: FAULTS });
      for (const other of [...THEIR_ACTS, ...HANDS].filter((each) => makesSense(subject, act, each))) {
        const name = `${subject.kind}: ${act}, ${other}`;
        found.push({ name, subject, act, other, faults: [] });
        // By hand it is one step, so that there is room for a fault of ours at any moment.
        if (HANDS.some((each) => each === other))
          found.push({ name: `${name}, a stale answer`, subject, act, other, faults: ["stale answer", "late list"] });
        // Two deployments have so many orders that there is room for this only where both create.
        const isSmall = subject.kind !== "Deployment" || other === "create";
        const isOfBoth =
          (act === "create" || act === "update") && ["create", "adopt", "update the same"].includes(other);
        if (isSmall && isOfBoth) found.push({ name: `${name}, a fault`, subject, act, other, faults: BESIDE });
      }
    }
  }
  return found;
}

function makesSense({ kind, fields }: Subject, act: Act, other: Other): boolean {
  // Only a refresh reads whole lists: of OAuth providers they have no pages, and what an agent keeps it reads by its id.
  if (other === "shifts the pages") return act === "refresh" && kind !== "OAuthProvider" && !isOfAgent(kind);
  if (other === "replace" && kind === "SandboxRegistry") return false;
  if (other === "pushes" || other === "rolls back") return kind === "Deployment" && act !== "create";
  // A cron has no name that anything goes by.
  if (other === "takes the name") return (act === "create" || act === "rename") && kind !== "Cron";
  // What an agent keeps is adopted by its id, which nobody knows before it is there.
  if (act === "create") return other === "create" || (other === "adopt" && !isOfAgent(kind));
  // There is no request that changes one.
  if (kind === "SandboxSnapshot" && other.startsWith("changes")) return false;
  if (other === "create") return act === "rename" || act === "replace" || act === "delete";
  // Who changes its image by hand makes a revision: that is a push.
  if (other === "changes the same" && kind === "Deployment") return false;
  // What has only one field that can be changed in place has no other one.
  if (other.endsWith("another")) return fields.length > 1 || (other === "changes another" && fields.length === 0);
  return fields.length > 0 || !other.endsWith("the same");
}

/** Those with two deployments of their own at the end, each with a wait for a delete and one for a build: only the former is about both. */
export const endsInTwo = ({ subject, act, other }: Story): boolean =>
  subject.kind === "Deployment" && act === "rename" && (other === "adopt" || other === "replace");

export const holdsItBefore = (other: Other): boolean =>
  ["update the same", "update another", "replace", "delete"].includes(other);

const FIRST: Declared = { name: 0, fixed: 0, values: {} };
const OTHER_NAME = 1;
/** How many objects the platform puts on a page, whatever it is asked for. */
export const PAGE_SIZE = 10;
/** How many of somebody's fill a page with the bystander. */
const PAGE = PAGE_SIZE - 1;
/** Somebody's: so many older ones, and newer ones, that ours is the first of the second page, whichever way the list is sorted. */
export const crowd = (isNewer: boolean): readonly Declared[] =>
  Array.from({ length: isNewer ? PAGE + 1 : PAGE }, (_, index) => ({
    ...BYSTANDER,
    name: (isNewer ? 300 : 100) + index,
  }));
/** Somebody's, from the beginning, and not in the way. */
export const BYSTANDER: Declared = { name: 9, fixed: 1, values: {} };

const fieldsOf = ({ kind, fields }: Subject): readonly [string, string] =>
  // Those that somebody can change by hand, too.
  kind === "Deployment"
    ? ["image", "displayName"]
    : kind === "OAuthProvider"
      ? ["authUrl", "tokenUrl"]
      : [fields[0] ?? "", fields.at(-1) ?? ""];

/** What our stack declares before its command, and with it; undefined: nothing. */
export function wishes({ act, subject }: Story): readonly [before: Declared | undefined, wish: Declared | undefined] {
  const [field] = fieldsOf(subject);
  switch (act) {
    case "create":
      return [undefined, FIRST];
    case "update":
      return [FIRST, { ...FIRST, values: { [field]: 1 } }];
    case "replace":
      return [FIRST, { ...FIRST, fixed: 1 }];
    case "rename":
      return [FIRST, { ...FIRST, name: OTHER_NAME }];
    case "delete":
      return [FIRST, undefined];
    case "refresh":
      return [FIRST, FIRST];
  }
}

export async function ourCommand(stack: Stack, { subject, act }: Story, wish: Declared | undefined): Promise<Ran> {
  return stack.command(async () => {
    if (act === "refresh") await stack.refresh(subject);
    if (wish === undefined) await stack.destroy(subject);
    else await stack.up(subject, wish);
  });
}

/** What the other stack declares with its command. */
export function theirWish({ other, act, subject }: Story): Declared | undefined {
  const [one, another] = fieldsOf(subject);
  const name = other === "create" && act === "rename" ? OTHER_NAME : FIRST.name;
  switch (other) {
    case "update the same":
      return { ...FIRST, values: { [one]: 5 } };
    case "update another":
      return { ...FIRST, values: { [another]: 5 } };
    case "replace":
      return { ...FIRST, fixed: 5 };
    case "create":
    case "adopt":
      return { ...FIRST, name };
    default:
      return undefined;
  }
}

export const theirBefore = FIRST;

/** The steps that somebody takes by hand. What they make is put into `made`, by the platform's own id. */
export function byHand(world: World, { other, act, subject }: Story, made: Map<string, string>): () => Promise<void> {
  const { emulator } = world;
  const names = [FIRST, { ...FIRST, name: OTHER_NAME }].map((each) => subject.nameOf(each));
  const there = () => subject.objects(emulator).find(({ name }) => names.includes(name));
  const make = async (declared: Declared) => {
    // They may be refused the name.
    const answer = Made.safeParse(await subject.make(world, declared).catch(() => undefined));
    if (answer.success) made.set(answer.data.id, recordOf(world, subject, answer.data.id));
  };
  const change = (isSame: boolean) => {
    const object = there();
    if (object === undefined) return undefined;
    if (isOfAgent(subject.kind)) return changeOnAgent(world, subject, object.id, isSame).catch(() => undefined);
    changeByHand(world, subject, object.id, isSame);
  };
  const step = (name: string, does: () => unknown) => world.act(name, subject, does);
  const remove = () => {
    const object = there();
    if (object !== undefined) subject.vanish(emulator, object.id);
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const object = there();
    if (object !== undefined)
      await world.ask(method, `/v2/deployments/${object.id}${path}`, body).catch(() => undefined);
  };
  switch (other) {
    case "deletes":
      return () => step("deletes it by hand", remove);
    case "remakes":
      return async () => {
        await step("deletes it by hand", remove);
        await step("makes one of that name by hand", () => make({ ...FIRST, fixed: 3 }));
      };
    case "takes the name":
      return () =>
        step("makes one of the name by hand", () => make(act === "rename" ? { ...FIRST, name: OTHER_NAME } : FIRST));
    case "changes the same":
      return () => step("changes the same field by hand", () => change(true));
    case "changes another":
      return () => step("changes another field by hand", () => change(false));
    case "pushes":
      return () =>
        step("deploys another image by hand", () =>
          ask("PATCH", "", { source_revision_config: { image_uri: "registry.example/agent:pushed" } }),
        );
    case "rolls back":
      return () =>
        step("redeploys the first revision by hand", async () => {
          const object = there();
          if (object === undefined) return;
          const list = await world.ask("GET", `/v2/deployments/${object.id}/revisions?limit=100`);
          await ask("POST", `/revisions/${Listed.parse(list).resources.at(-1)?.id ?? ""}/redeploy`);
        });
    case "shifts the pages": {
      const others = () =>
        subject.objects(emulator).filter(({ name }) => ![...names, subject.nameOf(BYSTANDER)].includes(name));
      const removeOne = (at: number) => () => {
        const object = others().at(at);
        if (object !== undefined) subject.vanish(emulator, object.id);
      };
      return async () => {
        await step("deletes the first of the others by hand", removeOne(0));
        await step("deletes the last of the others by hand", removeOne(-1));
        await step("makes one more by hand", () => subject.make(world, { ...BYSTANDER, name: 500 }));
      };
    }
    default:
      throw new Error(`nothing by hand: ${other ?? ""}`);
  }
}

const Made = z.looseObject({ id: z.string() });
const Listed = z.object({ resources: z.array(Made) });

/** An object as the platform stores it, by the platform's own id; empty where it is gone. */
export function recordOf({ emulator }: World, { kind, objects }: Subject, id: string): string {
  const all: readonly { readonly id: string }[] = isOfAgent(kind) ? objects(emulator) : recordsOf(emulator, kind);
  const record = all.find((each) => each.id === id);
  return record === undefined ? "" : JSON.stringify(record);
}

function recordsOf(emulator: Emulator, kind: Subject["kind"]): readonly { readonly id: string }[] {
  switch (kind) {
    case "SandboxTemplate":
      return emulator.outOfBand(sandboxTemplates).list();
    case "SandboxSnapshot":
      return emulator.outOfBand(sandboxSnapshots).list();
    case "SandboxRegistry":
      return emulator.outOfBand(sandboxRegistries).list();
    case "OAuthProvider":
      return emulator.outOfBand(oauthProviders).list();
    case "Listener":
      return emulator.outOfBand(listeners).list();
    default:
      return emulator.outOfBand(deployments).list();
  }
}

async function changeOnAgent(world: World, { kind }: Subject, id: string, isSame: boolean): Promise<void> {
  const path = kind === "Cron" ? `/agents/desk/runs/crons/${id}` : `/agents/desk/assistants/${id}`;
  const ofCron = isSame ? { schedule: "7 7 * * *" } : { input: { text: "By hand" } };
  const ofAssistant = isSame ? { context: { tone: "by hand" } } : { description: "By hand" };
  await world.ask("PATCH", path, kind === "Cron" ? ofCron : ofAssistant);
}

function changeByHand({ emulator }: World, { kind }: Subject, id: string, isSame: boolean): void {
  switch (kind) {
    case "OAuthProvider":
      emulator
        .outOfBand(oauthProviders)
        .change(id, isSame ? { auth_url: "https://by-hand.example/" } : { token_url: "https://by-hand.example/" });
      return;
    case "SandboxTemplate":
      emulator.outOfBand(sandboxTemplates).change(id, { image: "by-hand:1" });
      return;
    case "Listener":
      emulator.outOfBand(listeners).change(id, { compute_config: { k8s_namespaces: ["by-hand"] } });
      return;
    case "SandboxRegistry":
      emulator.outOfBand(sandboxRegistries).change(id, { url: "by-hand.example" });
      return;
    default: {
      const all = emulator.outOfBand(deployments);
      const { source_revision_config: config } = all.get(id);
      all.change(
        id,
        isSame ? { source_revision_config: { ...config, image_uri: "by-hand:1" } } : { display_name: "By hand" },
      );
    }
  }
}
