import { Coverage } from "../random/coverage";
import { succeeded } from "../random/model";
import { keyInState, keyOf, managedInState, objectOf, observe } from "../random/observation";
import { Broken, Play } from "../random/play";
import { programText } from "../random/program-text";
import { down, look, shown, up, type Bench, type Ran } from "../random/ran";
import { applyAll, destroyAll, follow } from "../random/settle";
import { rolloutUrnOf, urnOf } from "../random/world";
import type { Ended } from "../../support/run-process";
import { judge, mayFail, writtenSince } from "./judgement";
import { assembled, described, type MadeState, type Whole } from "./made-state";
import { BASE, withoutTwins, type Stage } from "./stage";

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
      const ended = await bench.stack.run(args);
      await mended(play, ended);
      yield { ...kind, line: shown(args), ended };
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

/** Some commands with a target leave a state that no command takes; this is the way out. */
async function mended({ stack, story }: Play, { output }: Ended): Promise<void> {
  if (!output.includes("it was already written, but is invalid")) return;
  if (output.includes("duplicate resource")) {
    // docs/internals/engine.md, trap 53
    stack.putState(withoutTwins(stack.stateText()));
    story.tell("  $ pulumi stack export, the row that stands there twice taken out, pulumi stack import");
  } else {
    // docs/internals/engine.md, trap 54
    const { code } = await stack.run(["state", "repair", "--yes"]);
    story.tell(`  $ pulumi state repair, as advised  -> exit code ${code}`);
  }
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
