import { isDeepStrictEqual } from "node:util";
import { ADOPTION } from "../../../provider/lifecycle/identity/ownership";
import { migrateState } from "../../../provider/lifecycle/state";
import { CHANGES } from "../../support/cli-stack";
import { triedBy } from "../../upgrade/engine-changes";
import { withoutKnown } from "../../upgrade/known-differences";
import { currentVersion } from "../../upgrade/recorded";
import { keyInState, managedInState, slotInState } from "./observation";
import { Broken, type Play } from "./play";

/** What the commands before an upgrade had left, as far as it matters to the next one. */
export const MOMENTS = [
  "a rollout that was cut off or failed",
  "an adoption that was cut off or failed",
  "an adoption",
  "an import",
  "nothing of these",
] as const;
export type Moment = (typeof MOMENTS)[number];

/**
 * This version of the package takes over. Its first preview of the unchanged program shows what the last one of the earlier version did, but for
 * what the changelog names.
 */
export async function upgrade(play: Play): Promise<Moment[]> {
  const { stack, story, platform } = play;
  const version = currentVersion();
  const moments = momentsOf(play);
  const before = await previewed(play);
  wasAskedBy(play);
  stack.install(version);
  play.version = version;
  story.tell(`  UPGRADE to ${version} after ${moments.join(" and ")}`);
  const sent = platform.requests.length;
  const after = await previewed(play);
  const writes = platform.requests.slice(sent).filter(({ method }) => method !== "GET");
  if (writes.length > 0)
    throw new Broken("previewSendsNothing", writes.map(({ method, path }) => `${method} ${path}`)); // prettier-ignore
  if (!isDeepStrictEqual(before, after)) {
    const [was, is] = [before, after].map((each) => JSON.stringify(each));
    throw new Broken("upgradeShowsNothing", [`the preview before the upgrade: ${was ?? ""}`, `after it: ${is ?? ""}`]);
  }
  return moments;
}

/** Every request since the last look was the installed version's. */
export function wasAskedBy({ platform, version }: Play): void {
  const agents = [...platform.askedBy];
  if (agents.join() !== `pulumi-agent-platform/${version}`) throw new Broken("theInstalledVersionAsks", agents);
  platform.askedBy.clear();
}

async function previewed({ stack, story }: Play): Promise<unknown> {
  const { code, changes, messages } = await triedBy(stack, "preview");
  story.tell(`  $ pulumi preview  -> exit code ${code}: ${JSON.stringify(changes)}`);
  for (const message of messages) story.tell(`      ${message}`);
  return { fails: code !== 0 && code !== CHANGES, changes: withoutKnown(changes) };
}

function momentsOf({ model, platform, world, now }: Play): Moment[] {
  const { failedBefore, imported } = model;
  const keys = managedInState(now).flatMap((resource) => (resource.delete ? [] : [keyInState(resource)]));
  const isAdopted = world.some(({ adopt, slot }) => {
    const resource = adopt ? slotInState(now, slot) : undefined;
    return resource !== undefined && migrateState(resource.outputs)[ADOPTION] !== undefined;
  });
  const isCut = failedBefore !== undefined && /pulumi up.*a kill$/.test(failedBefore);
  const all: [Moment, boolean][] = [
    ["a rollout that was cut off or failed", failedBefore !== undefined && (isCut || platform.hasUnfinishedRollout())],
    ["an adoption that was cut off or failed", new Set(keys).size < keys.length],
    ["an adoption", isAdopted],
    ["an import", imported.size > 0],
  ];
  const found = all.flatMap(([moment, is]) => (is ? [moment] : []));
  return found.length > 0 ? found : ["nothing of these"];
}
