import { driftOfStates, type Ran } from "./commands";
import { succeeded } from "./model";
import { KEYS, keyOf } from "./platform";
import { Broken, type Play } from "./play";
import { find, nameOf, put, urnOf, type Declaration } from "./program";
import { connectionOf, rowOf, rowsOf, see } from "./state";

// The end of every story: without faults, with the advice of each error followed.

/** How often an error's advice is followed. */
const ROUNDS = 6;

/** `up` makes the platform equal to the program, a second one sends nothing, nothing drifts, and `destroy` leaves nothing of ours. */
export async function settle(play: Play, refreshes: boolean): Promise<void> {
  play.tell("In the end, without faults:");
  // At a merge, only drift-by-state.both.test.ts and the word "drift" do this.
  if (process.env["CHAOS_ENGINE"] !== undefined) await play.judgeEach(driftOfStates);
  play.platform.outcomes.clear();
  play.program = play.program.map(({ imports: _import, check, ...rest }) => ({
    ...rest,
    fails: false,
    protect: false,
    ...(check && { check: { ...check, passes: true } }),
  }));
  await unprotect(play);
  if (refreshes) await look(play);
  await applyAll(play);
  const { platform, stack } = play;
  const last = platform.last;
  const again = await play.again();
  if (again?.ended.code !== 0) throw new Broken("nothingIsLeftToDo", [again?.ended.output ?? ""]);
  const sent = platform.writesSince(last);
  if (sent.length > 0) throw new Broken("theSecondUpSendsNothing", sent.map(({ method, path }) => `${method} ${path}`)); // prettier-ignore
  const drifted = await stack.drift();
  play.tell(`  $ pulumi refresh --preview-only --expect-no-changes  -> exit code ${drifted.code}`);
  if (drifted.code !== 0) throw new Broken("nothingDriftsInTheEnd", [drifted.output]);
  await destroyAll(play);
}

/** `destroy` leaves nothing but what others made, what was left on purpose, and what the state could not know. */
async function destroyAll(play: Play): Promise<void> {
  const ran = await play.command("destroy");
  if (ran === undefined || !succeeded(ran)) throw new Broken("destroySucceeds", [ran?.ended.output ?? ""]);
  const now = see(play.stack, play.platform);
  const rest = now.objects.filter((each) => !play.model.isFree(each));
  if (rowsOf(now).length > 0) throw new Broken("destroySucceeds", ["something is still in state"]);
  if (rest.length > 0) throw new Broken("emptyInTheEnd", rest.map(({ type, name }) => `${type} "${name}" is still there after destroy`)); // prettier-ignore
}

/** Does what the engine says where the state protects what is no longer declared. */
async function unprotect({ stack, program }: Play): Promise<void> {
  const declared = new Set(program.map(urnOf));
  const rows = stack.resources().filter(({ protect, urn }) => protect && !declared.has(urn));
  for (const { urn } of rows) await stack.run(["state", "unprotect", urn, "--yes"]);
}

/** A refresh; where it does not trust a new key, the user says that the key is right. */
async function look(play: Play): Promise<void> {
  const { platform, stack, key } = play;
  const ran = await play.command("refresh");
  if (ran?.ended.output.includes("allowOriginChange") !== true || key.value === KEYS.first) return;
  play.tell("  $ pulumi config set agent-platform:allowOriginChange true, as advised");
  stack.connect(platform, key.value, { allowOriginChange: "true" });
  // The connection of a refresh is the one that the last `up` recorded.
  await play.command("up");
  await play.command("refresh");
}

/** `up` until it succeeds, with the advice of each error followed; a refresh first where only that shows what was done by hand. */
async function applyAll(play: Play): Promise<void> {
  const { model } = play;
  let output = "";
  for (let round = 0; round <= ROUNDS; round++) {
    const unseen = [...model.gone.values()].some((why) => why !== "going, and a refresh has seen it");
    if (unseen || model.hands.size > 0 || /refresh/.test(output)) await look(play);
    if (play.isInSync) return;
    const ran = await play.command("up");
    if (ran === undefined || succeeded(ran)) return;
    ({ output } = ran.ended);
    await followAll(play, ran);
  }
  throw new Broken("upSettles", [`\`up\` still fails after ${ROUNDS} times what its errors advise: ${output}`]);
}

/** Follows the advice of the messages: in the program, or else the first whole command that they print, but for another `up`. */
async function followAll(play: Play, { ended: { output } }: Ran): Promise<void> {
  if (output.includes("pulumi state repair")) await play.follow("pulumi state repair");
  const before = play.program;
  const replaced: string[] = [];
  const all = output.split("\n");
  // A message begins with what it is about, and can go on below.
  const goesOn = (line = ""): boolean => !/(?:error|warning):/.test(line);
  for (const declared of before) {
    const { pulumiName, adoptId } = declared;
    const called = [
      `"${nameOf(declared)}"`,
      `"${pulumiName}"`,
      `'${pulumiName}'`,
      ...(adoptId ? [`"${adoptId}"`] : []),
    ];
    const isAbout = (line = ""): boolean => called.some((name) => line.includes(name));
    const lines = all.filter((line, at) => isAbout(line) || (isAbout(all[at - 1]) && goesOn(line)));
    if (lines.length > 0) advised(play, declared, lines.join("\n"));
    if (lines.some((line) => line.includes("`pulumi up --target-replace` with its URN")))
      replaced.push(urnOf(declared));
  }
  // What it advises for the program comes first: the replacement needs it.
  if (play.program === before) for (const urn of replaced) await play.follow(`pulumi up --target-replace ${urn}`);
  const command = /`(pulumi (?:state|refresh|stack)[^`]*)`/.exec(output)?.[1];
  if (play.program === before && command !== undefined) await play.follow(command);
}

type Advice = (play: Play, declared: Declaration) => Partial<Declaration> | undefined;

/** What a message says, what is then done in the program, and how it is called. The first that applies. */
const ADVICE: readonly (readonly [says: RegExp, does: string, how: Advice])[] = [
  [/adopt: "/, "adopts by the id", ({ platform }, declared) => {
    const object = platform.named(declared);
    return object === undefined || declared.adoptId === object.id ? undefined : { adopt: true, adoptId: object.id };
  }],
  [/Give it a new \w+/, "gives it a new name", (_play, { named }) => ({ named: named + 10 })],
  [/Leave adopt out/, "no longer adopts", (_play, { adopt }) => (adopt ? { adopt: false } : undefined)],
  [/cannot be adopted|would belong to two resources/, "declares the values that are there", ({ seen, model }, declared) => {
    const held = rowOf(seen, declared);
    const was = find(model.applied, declared.handle);
    const hasMoved = held !== undefined && connectionOf(held) !== declared.connection;
    const differs = was !== undefined && (was.fixed !== declared.fixed || was.source !== declared.source);
    return hasMoved && differs ? { fixed: was.fixed, source: was.source } : undefined;
  }],
  [/cannot be adopted|would belong to two resources|was not replaced/, "takes `aliases` instead of adopt", ({ seen }, declared) => {
    const urn = rowOf(seen, declared)?.urn;
    return urn !== undefined && urn !== urnOf(declared) && !declared.aliases.includes(urn)
      ? { adopt: false, aliases: [...declared.aliases, urn] } : undefined;
  }],
  [/cannot be adopted|would belong to two resources/, "has the object deleted by hand, and no longer adopts", (play, declared) => {
    const { seen, platform, model } = play;
    const held = rowOf(seen, declared);
    const object = platform.named(declared);
    // A row whose replacement has begun holds nothing any more.
    if (object === undefined || (held !== undefined && !held.pendingReplacement)) return undefined;
    platform.remove(object);
    model.foreign.delete(keyOf(object));
    return { adopt: false };
  }],
  [/deleteBeforeReplace/, "sets deleteBeforeReplace", (_play, { deleteBeforeReplace }) => deleteBeforeReplace ? undefined : { deleteBeforeReplace: true }],
  [/adopt/, "sets adopt", (play, declared) => {
    if (declared.adopt) return undefined;
    const changed = play.withAdoptId({ ...declared, adopt: true });
    return changed.adopt ? changed : undefined;
  }],
  // What the program declares builds by now: this option keeps the image that does not.
  [/Correct the deployment's arguments/, "drops ignoreChanges", (_play, { ignores }) => ignores === undefined ? undefined : { ignores: undefined }],
  [/redeployTrigger|is still/, "changes redeployTrigger", (_play, { type, fields }) => type === "Deployment" ? { fields: { ...fields, redeployTrigger: (fields["redeployTrigger"] ?? 0) + 1 } } : undefined],
]; // prettier-ignore

function advised(play: Play, declared: Declaration, about: string): void {
  for (const [says, does, how] of ADVICE) {
    const change = says.test(about) ? how(play, declared) : undefined;
    if (change === undefined) continue;
    play.tell(`  ${declared.handle}: ${does}, as advised`);
    play.program = put(play.program, { ...declared, ...change });
    return;
  }
}
