import { programText } from "./program-text";
import type { Command } from "./commands";
import { Broken, type Play } from "./play";
import { succeeded } from "./model";
import { KEYS } from "./platform";
import { connectionInState, managedInState, observe, slotInState } from "./observation";
import { typeOfSlot, put, type Declared } from "./world";

/** How often the runner follows the advice of an error. */
const ROUNDS = 4;

const command = (name: Command["name"]): Command => ({ name, slot: "t1" });

/**
 * The promises at the end: without faults, `up` makes the platform equal to the program, the second one sends nothing, preview and
 * drift are empty, and `destroy` leaves nothing. Where `up` fails, the advice of its error is followed first.
 */
export async function settle(play: Play, refreshes: boolean): Promise<void> {
  play.story.tell("In the end, without faults:");
  play.platform.forgetOutcomes();
  play.world = play.world.map((declared) => ({
    ...declared,
    imports: undefined,
    agent: { ...declared.agent, fails: false },
  }));
  if (refreshes) await look(play);
  await applyAll(play);
  const { platform, stack, story } = play;
  const before = platform.requests.at(-1)?.seq ?? 0;
  const again = await play.command(command("up once more, with a preview, without changes"));
  if (again?.ended.code !== 0) throw new Broken("nothingIsLeftToDo", [again?.ended.output ?? ""]);
  const sent = platform.requests.filter(({ seq, method }) => seq > before && method !== "GET");
  if (sent.length > 0) {
    throw new Broken(
      "theSecondUpSendsNothing",
      sent.map(({ method, path }) => `${method} ${path}`),
    );
  }
  const ended = await stack.drift();
  story.tell(`  $ pulumi refresh --preview-only --expect-no-changes  -> exit code ${ended.code}`);
  if (ended.code !== 0) throw new Broken("nothingDriftsInTheEnd", [ended.output]);
  await destroyAll(play);
}

/** `destroy` leaves nothing but what was made by hand, what was left on purpose, and what the state could not know. */
export async function destroyAll(play: Play): Promise<void> {
  const ended = await play.stack.destroy();
  play.story.tell(`  $ pulumi destroy  -> exit code ${ended.code}`);
  if (ended.code !== 0) throw new Broken("destroySucceeds", [ended.output]);
  const now = observe(play.stack, play.platform);
  const { foreign, left, loose } = play.model;
  const rest = now.objects.filter(({ uuid }) => !foreign.has(uuid) && !left.has(uuid) && !loose.has(uuid));
  const gone = [...foreign.values()].filter(({ uuid }) => !now.objects.some((object) => object.uuid === uuid));
  if (managedInState(now).length > 0) throw new Broken("destroySucceeds", ["something is still in state"]);
  if (rest.length > 0) {
    throw new Broken(
      "emptyInTheEnd",
      rest.map(({ managedType, name }) => `${managedType} "${name}" is still on the platform after destroy`),
    );
  }
  if (gone.length > 0) {
    throw new Broken(
      "foreignUntouched",
      gone.map(({ managedType, name }) => `${managedType} "${name}" was made by hand, and destroy took it`),
    );
  }
}

/** A refresh; where it does not trust a new key, the user says that the key is right. */
async function look(play: Play): Promise<void> {
  const ran = await play.command(command("refresh"));
  if (ran?.ended.output.includes("allowOriginChange") !== true || play.key.value === KEYS.first) return;
  play.story.tell("  $ pulumi config set agent-platform:allowOriginChange true, as advised");
  play.stack.connect(play.platform.url, play.key.value, true);
  // The connection of a refresh is the one that the last `up` recorded.
  await play.command(command("up"));
  await play.command(command("refresh"));
}

/** `up` until it succeeds, with the advice of each error followed; a refresh first where only that shows what was done by hand. */
export async function applyAll(play: Play): Promise<void> {
  const { model } = play;
  let output = "";
  for (let round = 0; round <= ROUNDS; round++) {
    const unseen = [...model.excused.values()].some((why) => why !== "going, and a refresh has seen it");
    if (unseen || model.touched.size > 0 || /refresh/.test(output)) await look(play);
    play.stack.write(programText(play.world));
    play.story.tellProgram(play.world);
    const ran = await play.command(command("up"));
    if (ran === undefined || succeeded(ran)) return;
    output = ran.ended.output;
    await repair(play, output);
    follow(play, output);
  }
  throw new Broken("upSettles", [`\`up\` still fails after ${ROUNDS} times what its errors advise: ${output}`]);
}

/** The engine itself may have put the state out of order, and says what to do (docs/internals/engine.md, trap 49). */
async function repair({ stack, story }: Play, output: string): Promise<void> {
  if (!output.includes("pulumi state repair")) return;
  const ended = await stack.run(["state", "repair", "--yes"]);
  story.tell(`  $ pulumi state repair, as advised  -> exit code ${ended.code}`);
}

/** Follows the advice of the messages, in the program or by hand. */
export function follow(play: Play, output: string): void {
  for (const declared of play.world) {
    const isNamed = output.includes(`"${declared.name}"`);
    const changed = isNamed ? advised(play, declared, output) : undefined;
    if (changed === undefined) continue;
    play.world = put(play.world, changed);
  }
}

function advised(play: Play, declared: Declared, output: string): Declared | undefined {
  const { story, model } = play;
  const managedType = typeOfSlot(declared.slot);
  const about = output
    .split("\n")
    .filter((line) => line.includes(`"${declared.name}"`))
    .join("\n");
  const held = slotInState(play.now, declared.slot);
  const heldName = held?.urn.split("::").at(-1);
  if (/cannot be adopted|would belong to two resources/.test(about)) {
    const was = model.applied.find(({ slot }) => slot === declared.slot);
    const hasMoved = held !== undefined && connectionInState(held) !== declared.connection;
    if (hasMoved && was !== undefined && (was.shape !== declared.shape || was.agent.source !== declared.agent.source)) {
      story.tell(`  ${declared.slot}: declares the values that are there, as advised`);
      return { ...declared, shape: was.shape, agent: { ...declared.agent, source: was.agent.source } };
    }
    if (heldName !== undefined && heldName !== declared.pulumiName) {
      story.tell(`  ${declared.slot}: takes \`aliases\` instead of adopt`);
      return { ...declared, adopt: false, aliases: [...declared.aliases, heldName] };
    }
    const object = play.now.objects.find((other) => other.managedType === managedType && other.name === declared.name);
    // A row whose replacement has begun holds nothing any more.
    if (object === undefined || (held !== undefined && !held.pendingReplacement)) return undefined;
    story.tell(`  ${declared.slot}: deletes "${declared.name}" by hand, as advised`);
    play.platform.remove(object);
    model.foreign.delete(object.uuid);
    return { ...declared, adopt: false };
  }
  const isReplaced = [declared.pulumiName, ...declared.aliases].some((name) => name === heldName);
  if (/deleteBeforeReplace/.test(about) && isReplaced && !declared.options.includes("deleteBeforeReplace")) {
    story.tell(`  ${declared.slot}: sets deleteBeforeReplace, as advised`);
    return { ...declared, options: [...declared.options, "deleteBeforeReplace"] };
  }
  if (/adopt/.test(about)) {
    story.tell(`  ${declared.slot}: sets adopt, as advised`);
    return { ...declared, adopt: true };
  }
  // What the program declares builds by now: this option keeps the image that does not.
  if (/Correct the deployment's arguments/.test(about) && declared.options.includes("ignoreChanges")) {
    story.tell(`  ${declared.slot}: drops ignoreChanges, since an argument is to be corrected`);
    return { ...declared, options: declared.options.filter((option) => option !== "ignoreChanges") };
  }
  if (/redeployTrigger|is still/.test(about) && managedType === "Deployment") {
    story.tell(`  ${declared.slot}: changes redeployTrigger, as advised`);
    return { ...declared, agent: { ...declared.agent, trigger: declared.agent.trigger + 1 } };
  }
  return undefined;
}
