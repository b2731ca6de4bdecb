import { fieldChanges } from "./changes";
import { type Changed, type Surroundings, titleOf } from "./consequences";
import type { Consequence } from "./review";
import { isSameConnection } from "./steps";

/**
 * For an object that is deleted: the new one that equals it in all that a preview shows. Probably the resource was renamed in the program, without an alias.
 * Nothing if there are several.
 */
export function maybeRenamed(object: Changed, { all }: Surroundings): Consequence[] {
  if (object.operation !== "delete" || !object.known?.hasObject || object.removal.stays !== undefined) return [];
  const found = all.flatMap((each) => twinOf(object, each) ?? []);
  const [twin] = found;
  if (twin === undefined || found.length > 1) return [];
  const { name, urn } = object;
  const isBeside = twin.urn.slice(0, -twin.name.length) === urn.slice(0, -name.length);
  const alias = isBeside ? `{ name: ${JSON.stringify(name)} }` : JSON.stringify(urn);
  const argument = twin.isNamedByDefault ? `, and the argument ${twin.key}: ${JSON.stringify(name)}` : "";
  const text = `Renamed? ${titleOf(twin)} is new and equals it. With the option aliases: [${alias}]${argument}, that one keeps this object.`;
  return [{ code: "renamed", text }];
}

/** Undefined if it differs, but for a name that both have from their resources. */
function twinOf(gone: Changed, fresh: Changed) {
  const { known, name, urn, kind, operation } = fresh;
  if (operation !== "create" || known === undefined || known.kind !== gone.known?.kind) return undefined;
  if (!isSameConnection(gone.old?.provider, fresh.new?.provider)) return undefined;
  const key = known.table.naturalKey ?? "name";
  const differing = fieldChanges({ ...fresh, operation: "update", isUpdated: true, old: gone.old }, []);
  const isDefault = ({ path, before, after }: (typeof differing)[number]): boolean =>
    path === key && before === gone.name && after === name;
  if (!differing.every(isDefault)) return undefined;
  return { urn, name, kind, key, isNamedByDefault: differing.length > 0 };
}
