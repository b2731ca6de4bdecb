import type { Connection, ManagedType } from "../../provider/tools";
import type { LiveTenant } from "./live";
import { ConnectionPlace } from "./place";
import type { StateObject } from "./state";

/** An object in the state of a stack. */
export interface HeldObject {
  readonly stack: string;
  readonly kind: ManagedType;
  /** Its name on the platform; null where the state does not show it. */
  readonly name: string | null;
  /** Its id on the platform; null while it is being made, or if a run that made it was cut off. */
  readonly id: string | null;
  readonly urn: string;
  /** Only read (`X.get`): the stack neither changes nor deletes it. */
  readonly read: boolean;
  /** Whether it is on the platform and in the tenant of this report; null if the state does not say, or no platform was asked. */
  readonly here: boolean | null;
}

/** An object of the platform that no stack has. */
export interface Orphan {
  readonly kind: ManagedType;
  readonly name: string;
  readonly id: string;
  /** The stacks that only read it. */
  readonly readBy: readonly string[];
}

/** A stack whose state could not be read. */
export interface FailedStack {
  readonly stack: string;
  readonly reason: string;
}

/** The output of `pulumi-agent-platform inventory --format json`. Keys may be added; these stay, or `version` changes. */
export interface Inventory {
  readonly version: 1;
  /** The platform that was asked; null where none was. */
  readonly platform: { readonly baseUrl: string; readonly tenantId: string | null } | null;
  /** How many stacks are listed. */
  readonly stacks: number;
  readonly objects: readonly HeldObject[];
  /** Null where no platform was asked. */
  readonly orphans: readonly Orphan[] | null;
  /** A sentence for each kind that the platform does not list. */
  readonly unlisted: readonly string[];
  readonly failed: readonly FailedStack[];
}

/** What the states of all stacks hold. */
export interface States {
  /** Of every stack. */
  readonly objects: readonly StateObject[];
  readonly failed: readonly FailedStack[];
  /** The stacks that the report is to list; the others count only for the orphans. */
  readonly listed: readonly string[];
}

/** What was read from the platform. */
export interface Asked {
  readonly connection: Connection;
  readonly live: LiveTenant;
}

/** The report: the objects by stack, kind and name, the orphans by kind and name. */
export function inventoryOf({ objects, failed, listed }: States, asked: Asked | undefined): Inventory {
  const place = asked && new ConnectionPlace(asked.connection, asked.live.objects);
  const held = objects
    .filter(({ stack }) => listed.includes(stack))
    .map((object) => heldOf(object, place))
    .sort(by(({ stack, kind, name, id, urn }) => [stack, kind, name ?? "", id ?? "", urn]));
  const shown = { version: 1 as const, stacks: listed.length, objects: held, failed };
  if (asked === undefined || place === undefined) return { ...shown, platform: null, orphans: null, unlisted: [] };
  const { baseUrl, tenantId = null } = asked.connection;
  const orphans = orphansOf(asked.live, objects, place);
  return { ...shown, platform: { baseUrl, tenantId }, orphans, unlisted: asked.live.unlisted };
}

function heldOf(object: StateObject, place: ConnectionPlace | undefined): HeldObject {
  const { stack, spec, name = null, id = null, urn, isRead: read } = object;
  return { stack, kind: spec.kind, name, id, urn, read, here: place?.has(object) ?? null };
}

function orphansOf({ objects }: LiveTenant, states: readonly StateObject[], place: ConnectionPlace): Orphan[] {
  const found = objects.flatMap((live): Orphan[] => {
    const meant = states.filter((state) => place.isSame(state, live));
    if (meant.some(({ isRead }) => !isRead)) return [];
    const readBy = [...new Set(meant.map(({ stack }) => stack))].sort();
    return [{ kind: live.spec.kind, name: live.name, id: live.id, readBy }];
  });
  return found.sort(by(({ kind, name, id }) => [kind, name, id]));
}

/** Compares texts one after the other, the same everywhere: not by the language of the machine. */
function by<Item>(texts: (item: Item) => readonly string[]): (a: Item, b: Item) => number {
  return (a, b) => {
    const [one, other] = [texts(a), texts(b)];
    const at = one.findIndex((text, index) => text !== other[index]);
    return at < 0 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
  };
}
