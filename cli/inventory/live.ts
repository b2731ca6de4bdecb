import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import { isBeingDeleted } from "../../provider/resources/deployment/observe";
import { SPECS, type ManagedTypeSpec } from "../base/managed-types";
import type { LiveObject } from "../base/place";
import { whoHasNoList, wholeList, type CountProgress } from "../base/whole-list";

/** What the platform shows of the tenant, and a sentence for each kind that it does not list. */
export interface LiveTenant {
  readonly objects: readonly LiveObject[];
  readonly unlisted: readonly string[];
}

/** Reads the whole tenant, and changes nothing. A deployment that is being deleted is left out. */
export async function liveObjects(platform: PlatformReader, progress: CountProgress): Promise<LiveTenant> {
  const objects: LiveObject[] = [];
  const unlisted: string[] = [];
  for (const spec of SPECS) {
    const found = await wholeList(platform, spec, progress);
    if (found === "no list") unlisted.push(`${spec.many}: ${whoHasNoList(platform)} has no list of them`);
    else objects.push(...found.filter(isThere).map((object) => shown(spec, object)));
  }
  return { objects, unlisted };
}

function isThere({ details: { status } }: ReadObject): boolean {
  return typeof status !== "string" || !isBeingDeleted({ status });
}

function shown(spec: ManagedTypeSpec, { id, inputs, outputs }: ReadObject): LiveObject {
  const name = inputs[spec.naturalKey];
  return { spec, id, name: typeof name === "string" ? name : id, outputs };
}
