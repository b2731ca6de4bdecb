import { fieldChanges } from "./changes";
import { type Changed, type Surroundings, titleOf } from "./consequences";
import type { Consequence } from "./review";
import { isSameConnection, type IsSamePlace } from "./steps";
import { kindOf } from "../base/engine-events";
import { nameInUrn, typeOf } from "../../provider/base/engine-format";
import { componentOf } from "../../provider/resources/components";

/**
 * For an object that is deleted: the new one that equals it in all that a preview shows. Probably the resource was renamed in the program, without an alias.
 * Nothing if there are several.
 */
export function maybeRenamed(object: Changed, { all, isSamePlace }: Surroundings): Consequence[] {
  if (object.operation !== "delete" || !object.known?.hasObject || object.removal.stays !== undefined) return [];
  const found = all.flatMap((each) => twinOf(object, each, isSamePlace) ?? []);
  const [twin] = found;
  if (twin === undefined || found.length > 1) return [];
  const { name } = object;
  const argument = twin.isNamedByDefault ? `, and the argument ${twin.key}: ${JSON.stringify(name)}` : "";
  const text = `Renamed? ${titleOf(twin)} is new and equals it. With ${howKept(object, twin)}${argument}, that one keeps this object.`;
  return [{ code: "renamed", text }];
}

/**
 * What a program says of the new resource, or of the component whose part it is: nobody can give an option to a part. With an alias, another `Platform`
 * would replace the object.
 */
function howKept({ urn, old }: Changed, twin: NonNullable<ReturnType<typeof twinOf>>): string {
  const { parent = "", id = "" } = old ?? {};
  const adopts = `the argument adopt: ${JSON.stringify(id)}`;
  if (twin.isMoved) return adopts;
  const [, , types = ""] = twin.urn.split("::");
  const isPart = types.split("$").slice(0, -1).some(componentOf);
  if (!isPart) return aliasOf(urn, twin.urn);
  const isRenamed = parent !== twin.parent && typeOf(parent) === typeOf(twin.parent) && componentOf(typeOf(parent));
  return isRenamed ? `${aliasOf(parent, twin.parent)} of ${kindOf(twin.parent)} ${nameInUrn(twin.parent)}` : adopts;
}

function aliasOf(before: string, now: string): string {
  const [from, to] = [before, now].map(nameInUrn);
  const isBeside = now.slice(0, -(to ?? "").length) === before.slice(0, -(from ?? "").length);
  return `the option aliases: [${isBeside ? `{ name: ${JSON.stringify(from)} }` : JSON.stringify(before)}]`;
}

/** Undefined if it differs, but for a name that both have from their resources. */
function twinOf(gone: Changed, fresh: Changed, isSamePlace: IsSamePlace) {
  const { known, name, urn, kind, operation } = fresh;
  if (operation !== "create" || known === undefined || known.kind !== gone.known?.kind) return undefined;
  const isMoved = !isSameConnection(gone.old?.provider, fresh.new?.provider);
  if (isMoved && !(gone.old && isSamePlace(fresh.new?.provider, gone.old))) return undefined;
  const key = known.table.naturalKey ?? "name";
  const differing = fieldChanges({ ...fresh, operation: "update", isUpdated: true, old: gone.old }, []);
  const isDefault = ({ path, before, after }: (typeof differing)[number]): boolean =>
    path === key && before === gone.name && after === name;
  if (!differing.every(isDefault)) return undefined;
  return { urn, name, kind, key, parent: fresh.new?.parent ?? "", isNamedByDefault: differing.length > 0, isMoved };
}
