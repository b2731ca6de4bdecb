import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../cli/base/engine-events";
import { readPreview } from "../../cli/review/preview";
import { reviewOf } from "../../cli/review/report";
import { dynamicToken, RESOURCE_TYPES, nativeToken } from "../../provider/resources/resource-types";
import { failOnOf, folderOf, goldensOf, previewOf, reviewOfStory } from "./goldens";
import { CANARY, STORIES } from "./stories";

// The previews were made by the engine (`npm run review:record`), on both fronts; after a change of a format: `npm run review:record -- --formats`.

const names = Object.keys(STORIES);
const read = (story: string, file: string): string => readFileSync(join(folderOf(story), file), "utf8");
const textOf = (story: string): string => JSON.stringify(reviewOfStory(story));

/** A review without what differs between two plugins: types, and ids by the order in which they were made. */
function neutral(review: object): string {
  const ids: string[] = [];
  const types = RESOURCE_TYPES.map((kind) => [nativeToken(kind), dynamicToken(kind)] as const);
  return types
    .reduce((text, [native, dynamic]) => text.replaceAll(native, dynamic), JSON.stringify(review))
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id ${ids.indexOf(id)}`;
    });
}

test("every story is recorded, and nothing else is", () => {
  expect(readdirSync(join(__dirname, "recorded")).sort()).toEqual([...names].sort());
});

describe.each(names)("%s", (story) => {
  test.each(goldensOf(story).map(([file]) => file))("%s is as it was when it was last looked at", (file) => {
    expect(goldensOf(story).find(([name]) => name === file)?.[1]).toBe(read(story, file));
  });

  test("both plugins give the same review, but for what a preview of the dynamic one cannot know", () => {
    const [native, dynamic] = [reviewOfStory(story, "native"), reviewOfStory(story)];
    // The engine asks only the native one which outputs an update leaves as they are.
    const objects = dynamic.objects.map((object, n) => {
      const isKnown = ({ path }: { path: string }) => native.objects[n]?.fields.every((field) => field.path !== path);
      return { ...object, fields: object.fields.filter((field) => !(field.change === "may change" && isKnown(field))) };
    });
    expect(JSON.parse(neutral(native))).toEqual(JSON.parse(neutral({ ...dynamic, objects })));
  });

  test("the order in which the engine took the resources does not matter", () => {
    const { events, ...rest } = previewOf(story, "dynamic");
    // The sort is stable: the steps of one resource, which has an alias at most, stay in their order.
    const placeOf = ({ old, urn }: Step): string => old?.urn ?? urn;
    const begun = [...events.begun].sort((a, b) => (placeOf(a) > placeOf(b) ? -1 : placeOf(a) < placeOf(b) ? 1 : 0));
    const shuffled = { ...events, begun, violations: [...events.violations].reverse() };
    expect(JSON.stringify(reviewOf({ ...rest, events: shuffled }, failOnOf(story)))).toBe(textOf(story));
  });

  test("no secret is in the recording or in a review", () => {
    const files = readdirSync(folderOf(story));
    expect(files.filter((file) => read(story, file).includes(CANARY))).toEqual([]);
  });

  test("the comment is short enough for a forge, with the headline in front", () => {
    const comment = read(story, "review.md");
    expect(comment.length).toBeLessThanOrEqual(65_536);
    expect(comment).toMatch(/^### \w/);
  });
});

test("the stories show every risk and every result", () => {
  const reviews = names.map((story) => reviewOfStory(story));
  expect(new Set(reviews.map(({ risk }) => risk))).toEqual(
    new Set(["none", "new revision", "replacement", "deletion"]),
  );
  expect(new Set(reviews.map(({ result }) => result))).toEqual(new Set(["no changes", "changes", "refused", "failed"]));
});

test("a preview that was not saved by this command is reviewed as far as its events say", () => {
  const lines = read("revision", "dynamic.ndjson").trim().split("\n").slice(0, -1);
  const review = reviewOf(readPreview(lines.join("\n")), undefined);
  expect(review).toMatchObject({ stack: "test", result: "changes", risk: "new revision" });
  expect(review.objects.flatMap(({ fields }) => fields.flatMap(({ waitsFor = [] }) => waitsFor))).toContain(
    "Deployment agent",
  );
});
