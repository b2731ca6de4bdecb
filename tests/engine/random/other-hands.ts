import type { Situation } from "./author";
import type { CommandName } from "./commands";
import type { EditName } from "./edits";
import { SLOTS } from "./world";

// Situations in which an object comes into other hands: those of another provider, of an import, or of a program without our classes.

const MOVES: readonly EditName[] = [
  "rename in Pulumi, with adopt, through another provider",
  "rename in Pulumi, with adopt, through another provider",
  "rename in Pulumi, with import",
  "move to another provider",
];
const WITH_UPGRADE: readonly EditName[] = [
  "rename in Pulumi, with adopt",
  "rename in Pulumi, with adopt",
  "rename in Pulumi, with aliases",
  "change a field that replaces",
  "rename the object",
];
const AFTER_IMPORT: readonly CommandName[] = [
  "up",
  "preview, then up",
  "destroy --refresh",
  "destroy --run-program",
  "destroy --target --target-dependents",
];

/** Resources get another provider, most of them another name as well: the old ones are deleted by another process. */
const throughAnotherProvider: Situation = (author) => {
  const edits = author
    .slots()
    .filter(() => author.chance(60))
    .flatMap((slot) => author.edit(MOVES, slot));
  return [author.step({ edits, command: author.chance(80) ? author.applying() : author.command(["up --target"]) })];
};

/** The package is upgraded, and with it the default provider, while something else changes. */
const upgraded: Situation = (author) => {
  const slot = author.draw(author.slots());
  const edits = [...author.edit("upgrade the package", slot), ...author.edit(WITH_UPGRADE, slot)];
  return [author.step({ edits, command: author.applying() })];
};

/** An object that the state has lost, or that was made by hand, is imported, whether or not a program declares it. */
export const imported: Situation = (author) => {
  if (author.front !== "native") return [];
  const slot = author.draw(SLOTS);
  const isDeclared = author.declared(slot) !== undefined;
  const manualChanges = isDeclared ? [] : author.manualChange(["make an object of its name"], [slot]);
  const command = author.command(["import"], slot);
  const edits = isDeclared || author.chance(50) ? [] : author.edit("add", slot);
  return [
    ...(isDeclared ? [author.step({ command: author.command(["state delete"], slot) })] : []),
    author.step({ manualChanges, command }),
    author.step({ edits, command: author.chance(70) ? author.command(AFTER_IMPORT, slot) : author.looking() }),
  ];
};

/** A resource as YAML has it, with an option that replaces what could be updated. */
const replacedAsRaw: Situation = (author) => {
  if (author.front !== "native") return [];
  const slot = author.draw(author.slots());
  const { raw = false, options = [] } = author.declared(slot) ?? {};
  const first = [
    ...(raw ? [] : author.edit("declare as YAML does, or no longer", slot)),
    ...(options.includes("replaceOnChanges") ? [] : author.edit("set replaceOnChanges", slot)),
  ];
  const edits = author.edit(slot.startsWith("d") ? "change the environment" : "change a field", slot);
  return [
    author.step({ edits: first, command: author.command(["up"]) }),
    author.step({ edits, command: author.applying() }),
  ];
};

/** As often as they are listed. */
export const OTHER_HANDS: readonly Situation[] = [
  throughAnotherProvider,
  throughAnotherProvider,
  throughAnotherProvider,
  upgraded,
  upgraded,
  imported,
  imported,
  replacedAsRaw,
  replacedAsRaw,
];
