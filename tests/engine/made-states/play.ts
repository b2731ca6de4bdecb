import { Coverage } from "../random/coverage";
import { names, succeeded } from "../random/model";
import { keyInState, keyOf, managedInState, objectOf, observe, type Observation } from "../random/observation";
import type { Platform, PlatformObject } from "../random/platform";
import { Broken, Play } from "../random/play";
import { programText } from "../random/program-text";
import { down, look, shown, up, type Bench, type Ran } from "../random/ran";
import { applyAll, destroyAll, follow } from "../random/settle";
import { rolloutUrnOf, typeOfSlot, urnOf, type Declared, type World } from "../random/world";
import { assembled, described, type MadeState, type Whole } from "./made-state";
import { BASE, type Stage } from "./stage";

/** A made state that broke an invariant, and what happened. */
export interface Failure {
  readonly seed: number;
  readonly invariant: string;
  readonly found: readonly string[];
}

/** A made state that was played. */
export interface Played {
  readonly failure: Failure | undefined;
  readonly story: string;
  readonly commands: number;
  /** The command of the state failed, as it had to. */
  readonly isRefused: boolean;
}

/** Sets the state, runs its command, and brings the stack to its wish and to its end. */
export async function playMade(stage: Stage, state: MadeState): Promise<Played> {
  const { stack, platform } = stage;
  const whole = assembled(state, stage.moments);
  stage.set(
    whole.rows,
    whole.parts.flatMap(({ pending = [] }) => pending),
    whole.parts.map(({ objects }) => objects),
  );
  const play = new Play(stack, platform, new Coverage());
  play.world = whole.world;
  play.story.tell(described(state));
  stack.write(programText(whole.world));
  play.story.tellProgram(whole.world);
  learn(play, whole);
  let failure: Failure | undefined;
  let isRefused = false;
  try {
    const ran = await met(play, state);
    isRefused = !succeeded(ran);
    await unprotect(play);
    if (!succeeded(ran)) follow(play, ran.ended.output);
    await end(play);
  } catch (error) {
    const broken = error instanceof Broken ? error : undefined;
    const found = broken?.found ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    failure = { seed: state.seed, invariant: broken?.invariant ?? "theRunnerWorks", found };
  }
  return { failure, story: play.story.text, commands: play.commands, isRefused };
}

/** Tells the model what each object without a row, and each row without an object, is. */
function learn({ model, stack, platform }: Play, { parts }: Whole): void {
  const now = observe(stack, platform);
  model.applied = BASE;
  const inState = new Set(managedInState(now).map(keyInState));
  for (const object of now.objects.filter((each) => !inState.has(keyOf(each)))) {
    const { stray } = parts.find(({ objects }) =>
      Object.values(objects)
        .flat()
        .some(({ id }) => id === object.uuid),
    ) ?? {
      stray: "foreign",
    };
    if (stray === "loose") model.loose.set(object.uuid, "the run that made it was cut off");
    else if (stray === "left") model.left.add(object.uuid);
    else {
      model.foreign.set(object.uuid, object);
      model.wasForeign.add(object.uuid);
    }
  }
  for (const resource of managedInState(now)) {
    if (objectOf(now, resource) === undefined) model.excused.set(keyInState(resource), "gone");
  }
  const unsettled = parts
    .filter(({ isUnsettled }) => isUnsettled === true)
    .flatMap(({ rows }) => rows.map(({ id }) => id));
  for (const resource of managedInState(now)) {
    if (unsettled.includes(resource.id)) model.unsettled.add(keyInState(resource));
  }
}

/** Runs the command of the state, and judges it by the invariants of random programs, and by those of a state that was made. */
async function met(play: Play, state: MadeState): Promise<Ran> {
  const before = observe(play.stack, play.platform);
  const { world } = play;
  let reason: string | undefined;
  const last = await play.judgeEach(
    async function* (bench) {
      const [kind, ...args] = commandOf(state, bench);
      const ran = { ...kind, line: shown(args), ended: await bench.stack.run(args) };
      yield ran;
    },
    () => (reason = mayFail(state, world, before)),
  );
  if (last === undefined) throw new Error("no command was run");
  judge(play, last, before, reason);
  return last;
}

type Line = readonly [Omit<Ran, "line" | "ended">, ...string[]];

function commandOf({ command, aimedAt }: MadeState, { world, now }: Bench): Line {
  const rest = ["--yes", "--skip-preview"];
  const declared = world.find(({ slot }) => slot === aimedAt);
  const row = managedInState(now).find(({ urn }) => urn.split("::").at(-1)?.startsWith(aimedAt) === true);
  const target =
    (command === "destroy --target" ? row?.urn : declared && urnOf(declared)) ?? row?.urn ?? `**::${aimedAt}`;
  switch (command) {
    case "up":
      return [up, "up", ...rest];
    case "up --refresh":
      return [{ ...up, refreshes: true }, "up", "--refresh", ...rest];
    case "refresh":
      return [{ ...look, refreshes: true }, "refresh", ...rest];
    case "destroy":
      return [down, "destroy", ...rest];
    case "up --target":
      return [{ ...up, targets: [target] }, "up", "--target", target, ...rest];
    case "up --exclude": {
      const others = world.flatMap((each) => [urnOf(each), rolloutUrnOf(each)]).filter((urn) => urn !== target);
      return [{ ...up, targets: others }, "up", "--exclude", target, ...rest];
    }
    case "destroy --target":
      return [{ ...down, targets: [target] }, "destroy", "--target", target, ...rest];
    case "preview":
      return [look, "preview"];
  }
}

/** What is declared, in nobody's state, and on the platform already. */
function inTheWay(world: World, now: Observation): { declared: Declared; object: PlatformObject }[] {
  const inState = new Set(managedInState(now).map(keyInState));
  return now.objects
    .filter((object) => !inState.has(keyOf(object)))
    .flatMap((object) => {
      const declared = world.find(({ slot, name }) => typeOfSlot(slot) === object.managedType && name === object.name);
      return declared === undefined || declared.adopt ? [] : [{ declared, object }];
    });
}

/** Why the command may fail; undefined where it has to succeed. */
function mayFail({ command }: MadeState, world: World, now: Observation): string | undefined {
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

const writtenSince = ({ requests }: Platform, last: number): string[] =>
  requests.filter(({ seq, method }) => seq > last && method !== "GET").map(({ method, path }) => `${method} ${path}`);

function judge({ platform, world }: Play, ran: Ran, before: Observation, reason: string | undefined): void {
  const { output: all } = ran.ended;
  const output = all.slice(Math.max(0, all.indexOf("Diagnostics:"))).replace(ABOUT_PENDING, "");
  if (output.includes("while reading a snaphot")) throw new Error(`no engine would have left this state: ${output}`);
  const sent = writtenSince(platform, platform.seenUntil);
  if (!ran.applies && !ran.destroys && sent.length > 0) throw new Broken("lookingSendsNothing", sent);
  const blocked = ran.applies && ran.targets === undefined ? inTheWay(world, before) : [];
  if (
    blocked.length > 0 &&
    (succeeded(ran) || !blocked.some(({ object }) => names(output, object) && /adopt/.test(output)))
  ) {
    throw new Broken("whatIsInTheWayIsNamed", [`"${ran.line}" ended with ${ran.ended.code}: ${output}`]);
  }
  if (succeeded(ran)) return;
  const known = [...world.flatMap((each) => [`"${each.name}"`, urnOf(each)]), ...before.state.map(({ urn }) => urn)];
  const isNamed = known.some((text) => output.includes(text));
  if (!isNamed || !WAY_OUT.test(output)) {
    throw new Broken("aFailureNamesAnObjectAndAWayOut", [`${reason ?? "nothing is in the way"}: ${output}`]);
  }
}

/** A plain `up` reaches the wish, nothing is left to do then, nothing drifts, and `destroy` takes all that is ours. */
async function end(play: Play): Promise<void> {
  const { stack, platform, story } = play;
  await applyAll(play);
  const last = platform.requests.at(-1)?.seq ?? 0;
  const ended = await stack.preview("--refresh", "--expect-no-changes");
  story.tell(`  $ pulumi preview --refresh --expect-no-changes  -> exit code ${ended.code}`);
  if (ended.code !== 0) throw new Broken("nothingIsLeftToDo", [ended.output]);
  const sent = writtenSince(platform, last);
  if (sent.length > 0) throw new Broken("lookingSendsNothing", sent);
  await destroyAll(play);
}

/** Does what the engine says where the state protects what is no longer declared. */
async function unprotect({ stack, world, story }: Play): Promise<void> {
  const declared = new Set(world.map(urnOf));
  const rows = stack.resources().filter(({ protect, urn }) => protect && !declared.has(urn));
  for (const { urn } of rows) {
    const ended = await stack.run(["state", "unprotect", urn, "--yes"]);
    story.tell(`  $ pulumi state unprotect ${urn}, as advised  -> exit code ${ended.code}`);
  }
}
