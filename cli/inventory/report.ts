import { byTexts, groupedBy } from "../base/printable";
import { ConnectionPlace, type LiveObject } from "../base/place";
import type { FailedStack, HeldInStates, StateObject } from "../base/stack-objects";
import type { ProgressLine } from "../base/style";
import { wholeLists } from "../base/whole-list";
import type { Connection } from "../../provider/base/connection";
import { nameInUrn } from "../../provider/base/engine-format";
import { textIn } from "../../provider/base/json";
import type { PlatformReader, Reader } from "../../provider/functions/reading";
import { isBeingDeleted } from "../../provider/resources/deployment/observe";
import type { ObjectType } from "../../provider/resources/resource-types";

/** A platform that was asked: what it shows of the tenant, and a sentence for each reason why it does not list kinds. */
export interface Asked {
  readonly at: AskedPlatform;
  readonly place: ConnectionPlace;
  /** Reads one object, also of an agent. */
  readonly reader?: (kind: ObjectType) => Reader;
  readonly live: readonly LiveObject[];
  readonly unlisted: readonly string[];
  /** Why it could not be read. */
  readonly problem?: unknown;
}

/** The platform of a connection, which shows these objects. */
export const askedWith = (connection: Connection, live: readonly LiveObject[]): Asked => ({
  at: { baseUrl: connection.baseUrl, tenantId: connection.tenantId ?? null },
  place: new ConnectionPlace(connection, live),
  live,
  unlisted: [],
});

/** Reads the whole tenant, and changes nothing. A deployment that is being deleted is left out. */
export async function askedOf(platform: PlatformReader, progress: Pick<ProgressLine, "show">): Promise<Asked> {
  const { connection } = platform;
  const live: LiveObject[] = [];
  const left: { readonly many: string; readonly why: string }[] = [];
  try {
    for await (const { spec, found, unlisted: why } of wholeLists(platform, progress)) {
      if (why !== undefined) left.push({ many: spec.many, why });
      for (const { id, inputs, outputs, details } of found) {
        const isLeaving = isBeingDeleted({ status: textIn(details, "status") });
        if (!isLeaving) live.push({ spec, id, name: textIn(inputs, spec.naturalKey) ?? id, outputs });
      }
    }
  } catch (error) {
    return { ...askedWith(connection, []), problem: error };
  }
  const unlisted = groupedBy(left, ({ why }) => why).map(
    (those) => `${those.map(({ many }) => many).join(", ")}: ${those[0].why}`,
  );
  return { ...askedWith(connection, live), reader: (kind) => platform.reader(kind), unlisted };
}

/** An object in the state of a stack. */
export interface HeldObject {
  readonly stack: string;
  /** As its connection names it, otherwise the platform's address; null where neither is known. */
  readonly region: string | null;
  readonly kind: ObjectType;
  /** Its name on the platform; null where the state does not show it. */
  readonly name: string | null;
  /** Its id on the platform; null while it is being made, or if a run that made it was cut off. */
  readonly id: string | null;
  readonly urn: string;
  /** Its name in the program. */
  readonly resource: string;
  /** The address of an agent, or null. */
  readonly url: string | null;
  /** Why its agent does not show it; null if it does, and of what the platform keeps. */
  readonly problem: string | null;
  /** Only read (`X.get`): the stack neither changes nor deletes it. */
  readonly read: boolean;
  /** Whether it is on a platform and in the tenant of this report; null if the state does not say, or no platform was asked. */
  readonly here: boolean | null;
}

/** Where a platform is, and as which tenant it was asked. */
interface AskedPlatform {
  readonly baseUrl: string;
  /** As the connection has it; null for the key's own. */
  readonly tenantId: string | null;
}

/** An object of a platform that no stack has. */
export interface Orphan extends AskedPlatform {
  readonly kind: ObjectType;
  readonly name: string;
  readonly id: string;
  /** The stacks that only read it. */
  readonly readBy: readonly string[];
}

/** The output of `pulumi-agent-platform inventory --format json`. Keys may be added; these stay, or `version` changes. */
export interface Inventory {
  readonly version: 2;
  readonly platforms: readonly AskedPlatform[];
  /** How many stacks are listed. */
  readonly stacks: number;
  readonly objects: readonly HeldObject[];
  /** Null where no platform was asked. */
  readonly orphans: readonly Orphan[] | null;
  /** A sentence for each reason why a platform does not list kinds. */
  readonly unlisted: readonly string[];
  readonly failed: readonly FailedStack[];
}

/** What the states of all stacks hold. */
export interface States extends HeldInStates {
  /** The stacks that the report is to list; the others count only for the orphans. */
  readonly listed: readonly string[];
}

/**
 * The report: the objects by stack, kind and name, the orphans by platform, kind and name.
 * @param asked What each platform has; undefined where none was asked. Of one that could not be read, only the place is used.
 */
export function inventoryOf({ objects, failed, listed }: States, asked: readonly Asked[] | undefined): Inventory {
  const answered = (asked ?? []).filter(({ problem }) => problem === undefined);
  const held = objects
    .filter(({ stack, isMadeSince }) => listed.includes(stack) && !isMadeSince)
    .map((object) => heldOf(object, asked ?? []))
    .sort(byTexts(({ stack, kind, name, resource, id, urn }) => [stack, kind, name ?? resource, id ?? "", urn]));
  return {
    version: 2,
    platforms: [...new Map(answered.map(({ at }) => [JSON.stringify(at), at])).values()],
    stacks: listed.length,
    objects: held,
    orphans: asked === undefined ? null : orphansOf(answered, objects),
    unlisted: [...new Set((asked ?? []).flatMap(({ unlisted }) => unlisted))],
    failed,
  };
}

function heldOf(object: StateObject, places: readonly Asked[]): HeldObject {
  const { stack, spec, name = null, id = null, urn, url = null, problem = null, isRead: read } = object;
  const said = places.map(({ place }) => place.has(object));
  const here = said.includes(true) ? true : said.includes(undefined) || said.length === 0 ? null : false;
  const region = object.region ?? places[said.indexOf(true)]?.at.baseUrl ?? null;
  return { stack, region, kind: spec.kind, name, id, urn, resource: nameInUrn(urn), url, problem, read, here };
}

function orphansOf(places: readonly Asked[], states: readonly StateObject[]): Orphan[] {
  // Two keys may open one tenant.
  const found = new Map<string, Orphan>();
  for (const { place, live, at } of places) {
    for (const object of live) {
      const { holders, readers: readBy } = place.stacksWith(object, states);
      if (holders.length > 0) continue;
      const { spec, name, id } = object;
      found.set(JSON.stringify([at, spec.kind, id]), { ...at, kind: spec.kind, name, id, readBy });
    }
  }
  return [...found.values()].sort(
    byTexts(({ baseUrl, tenantId, kind, name, id }) => [baseUrl, tenantId ?? "", kind, name, id]),
  );
}
