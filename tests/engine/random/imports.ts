import { typeInState } from "../../support/cli-stack";
import { keyInState, keyOf, managedInState, slotInState, type Observation } from "./observation";
import type { PlatformObject } from "./platform";
import { look, type Kind } from "./ran";
import { firstName, typeOfSlot, urnOf, type Connection, type Declared, type Slot, type World } from "./world";

/** Takes an object that no state holds into the state, as the slot; undefined where the slot has one, or there is none. */
export function importOne(slot: Slot, world: World, now: Observation): [Kind, ...string[]] | undefined {
  const object = slotInState(now, slot) === undefined ? inNoState(slot, world, now) : undefined;
  const declared = world.find((other) => other.slot === slot);
  const through = throughProvider(declared?.connection ?? "stack", now);
  return object && through && importOf(object, { slot, pulumiName: declared?.pulumiName ?? slot }, through);
}

/** The flags that name the provider which the program declares; undefined where state does not have it yet. */
function throughProvider(connection: Connection, { state }: Observation): string[] | undefined {
  if (connection === "stack") return [];
  const urn = `urn:pulumi:test::test::pulumi:providers:agent-platform::${connection}`;
  return state.some((resource) => resource.urn === urn) ? ["--provider", `${connection}=${urn}`] : undefined;
}

/** An object of the platform that the slot could have: that of its name before any other. */
function inNoState(slot: Slot, world: World, { state, objects }: Observation): PlatformObject | undefined {
  const name = world.find((other) => other.slot === slot)?.name ?? firstName(slot);
  const held = managedInState({ state, objects }).map(keyInState);
  const free = objects.filter(
    (object) => object.managedType === typeOfSlot(slot) && !object.isBeingDeleted && !held.includes(keyOf(object)),
  );
  return free.find((object) => object.name === name) ?? free.find((object) => object.name.startsWith(firstName(slot)));
}

function importOf(
  { managedType, id }: PlatformObject,
  as: Pick<Declared, "slot" | "pulumiName">,
  through: readonly string[],
): [Kind, ...string[]] {
  const flags = [...through, "--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  return [{ ...look, imports: urnOf(as) }, "import", typeInState(managedType), as.pulumiName, id, ...flags];
}
