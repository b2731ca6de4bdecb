import { messageOf } from "../../../provider/base/errors";
import { failureOf } from "../../support/platform-under-test";
import { holds } from "../subjects";
import { subjectOf, type Stage } from "./stage";
import type { Story } from "./stories";

/** Repeats the command without faults, as its error advised; then says what is still wrong, if anything. */
export async function mend(stage: Stage, story: Story, error: unknown): Promise<string | undefined> {
  const advice = error === undefined ? "" : messageOf(error);
  // Another process, later than any Retry-After.
  stage.platform.clock.advance(70_000);
  if (story.verb === "read" || story.verb === "get") return readAgain(stage, story);
  if (story.verb === "delete") return deleteAgain(stage, story, advice);
  if (error !== undefined) {
    if (advice.includes("pulumi refresh") && stage.model(story.kind).state !== undefined) {
      await stage.model(story.kind).refresh();
    }
    const unsaid = await repeat(stage, story, advice);
    if (unsaid !== undefined) return unsaid;
  }
  return wrongIn(stage, story);
}

async function repeat(stage: Stage, story: Story, advice: string): Promise<string | undefined> {
  const { managedType, kind, declared } = story;
  const name = subjectOf(managedType).nameOf(declared);
  const unknown =
    stage.model(kind).state === undefined && stage.objects(managedType).find((object) => object.name === name);
  // An author who adopted does so again.
  if (!unknown || kind === "Rollout" || story.verb === "adopt") {
    await story.act(stage);
    return undefined;
  }
  if (advice.includes("adopt")) return takeOver(stage, story, unknown.id, advice);
  // The first half of a replacement could not delete it.
  if (!stage.platform.warnings.some((warning) => warning.includes(name))) {
    return `it is there, but the error does not mention it: ${advice}`;
  }
  const again = await failureOf(story.act(stage));
  return takeOver(stage, story, unknown.id, again);
}

async function takeOver(stage: Stage, story: Story, id: string, advice: string): Promise<undefined> {
  const adopt = advice.includes('adopt: "') ? id : true;
  try {
    await story.act(stage, { adopt });
  } catch (refused) {
    // The other way out that the error names.
    if (!messageOf(refused).includes("cannot be adopted")) throw refused;
    subjectOf(story.managedType).vanish(stage.platform.emulator, id);
    await story.act(stage);
  }
}

async function readAgain(stage: Stage, story: Story): Promise<string | undefined> {
  await story.act(stage);
  if (story.verb === "get") return stage.got?.id === "" ? "it is still read as gone" : undefined;
  const { state } = stage.model(story.kind);
  if (state === undefined) return "it is still read as gone";
  return (await stage.model(story.kind).refresh()) ? "a refresh shows drift" : undefined;
}

async function deleteAgain(stage: Stage, story: Story, advice: string): Promise<string | undefined> {
  const model = stage.model(story.kind);
  const id = model.state?.id;
  if (id === undefined) return undefined;
  if (advice.includes("pulumi refresh")) await model.refresh();
  stage.platform.warnings.length = 0;
  await model.destroy();
  const isThere = stage.objects(story.managedType).some((object) => object.id === id);
  return isThere && stage.platform.warnings.length === 0 ? "it is still there" : undefined;
}

function wrongIn(stage: Stage, { managedType, declared }: Story): string | undefined {
  const subject = subjectOf(managedType);
  const all = stage.objects(managedType).filter(({ name }) => name === subject.nameOf(declared));
  const [object] = all;
  if (object === undefined || all.length > 1) return `there are ${all.length} of them`;
  if (object.id !== stage.model(managedType).state?.id) return "another object is in state";
  return holds(subject, object, declared) ? undefined : `it is ${JSON.stringify(object.state)}`;
}
