import { names, succeeded } from "../random/model";
import { keyInState, keyOf, managedInState, objectOf, type Observation } from "../random/observation";
import type { Platform, PlatformObject } from "../random/platform";
import { Broken, type Play } from "../random/play";
import type { Ran } from "../random/ran";
import { rolloutUrnOf, typeOfSlot, urnOf, type World } from "../random/world";
import type { MadeState } from "./made-state";

/** What is declared, in nobody's state, and on the platform already. */
function inTheWay(world: World, now: Observation): PlatformObject[] {
  const inState = new Set(managedInState(now).map(keyInState));
  return now.objects
    .filter((object) => !inState.has(keyOf(object)))
    .filter(({ managedType, name }) =>
      world.some((declared) => typeOfSlot(declared.slot) === managedType && declared.name === name && !declared.adopt),
    );
}

/** Why the command may fail; undefined where it has to succeed. */
export function mayFail({ command }: MadeState, world: World, now: Observation): string | undefined {
  const declared = new Set(world.map(urnOf));
  const isProtected = managedInState(now).some(
    ({ protect, urn }) => protect && (command.startsWith("destroy") || !declared.has(urn)),
  );
  if (isProtected && command !== "refresh") return "a resource is protected";
  if (command.includes("--")) return command === "up --refresh" ? upMayFail(world, now) : "it has a target";
  return command === "up" ? (upMayFail(world, now) ?? lacksAnObject(now)) : undefined;
}

const upMayFail = (world: World, now: Observation): string | undefined =>
  inTheWay(world, now).length > 0 ? "an object is in the way" : undefined;

const lacksAnObject = (now: Observation): string | undefined =>
  managedInState(now).some((resource) => objectOf(now, resource) === undefined && !resource.pendingReplacement)
    ? "a resource has no object"
    : undefined;

/** A way out, as a message of ours or of the engine's names it. */
const WAY_OUT = /adopt|refresh|unprotect|protect|--target|--exclude|pulumi state|redeployTrigger/;

/** The engine's warning of what was cut off: it names every resource, and a refresh, whatever else the command says. */
const ABOUT_PENDING = /warning: Attempting to deploy or update[^]*?pending CREATE operations\./g;

/** The requests after that one which can change something. */
export const writtenSince = ({ requests }: Platform, last: number): string[] =>
  requests.filter(({ seq, method }) => seq > last && method !== "GET").map(({ method, path }) => `${method} ${path}`);

/** What the invariants of random programs do not say: looking sends nothing, and a command that fails names an object and the way out. */
export function judge({ platform, world }: Play, ran: Ran, before: Observation, reason: string | undefined): void {
  const { output: all } = ran.ended;
  const output = all.slice(Math.max(0, all.indexOf("Diagnostics:"))).replace(ABOUT_PENDING, "");
  if (output.includes("while reading a snaphot")) throw new Error(`no engine would have left this state: ${output}`);
  const sent = writtenSince(platform, platform.seenUntil);
  if (!ran.applies && !ran.destroys && sent.length > 0) throw new Broken("lookingSendsNothing", sent);
  const blocked = ran.applies && ran.targets === undefined ? inTheWay(world, before) : [];
  if (
    blocked.length > 0 &&
    (succeeded(ran) || !blocked.some((object) => names(output, object) && output.includes("adopt")))
  ) {
    throw new Broken("whatIsInTheWayIsNamed", [`"${ran.line}" ended with ${ran.ended.code}: ${output}`]);
  }
  if (succeeded(ran)) return;
  const known = [
    // The engine tells a check failure by the name in Pulumi.
    ...world.flatMap((each) => [`"${each.name}"`, `resource '${each.pulumiName}'`, urnOf(each), rolloutUrnOf(each)]),
    ...before.state.map(({ urn }) => urn),
  ];
  const isNamed = known.some((text) => output.includes(text));
  if (!isNamed || !WAY_OUT.test(output)) {
    throw new Broken("aFailureNamesAnObjectAndAWayOut", [`${reason ?? "nothing is in the way"}: ${output}`]);
  }
}
