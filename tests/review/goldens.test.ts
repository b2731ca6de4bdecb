import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../cli/base/engine-events";
import { readPreview } from "../../cli/review/preview";
import { reviewOf } from "../../cli/review/report";
import type { ReviewedObject } from "../../cli/review/review";
import { dynamicToken, RESOURCE_TYPES, nativeToken } from "../../provider/resources/resource-types";
import { failOnOf, folderOf, goldensOf, previewOf, reviewOfStory } from "./goldens";
import { CANARY, STORIES } from "./stories";

// The previews were made by the engine (`npm run review:record`), on both fronts; after a change of a format: `npm run review:record -- --formats`.

const names = Object.keys(STORIES);
const read = (story: string, file: string): string => readFileSync(join(folderOf(story), file), "utf8");
const textOf = (story: string): string => JSON.stringify(reviewOfStory(story));

/** For programs: what happens to each object with which risk, the codes of what follows, and the requests. "?": perhaps. */
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  create: [
    "create Deployment agent: none (wait); POST name secrets source source_config source_revision_config",
    "create OAuthProvider github: none (irrevocable); POST auth_url client_id client_secret name provider_id token_url uses_pkce",
    "create Rollout agent: none (wait)",
    "create RunCheck answers: none (wait)",
    "create SandboxTemplate workshop: none; POST image name resources",
  ],
  "no-op": [],
  revision: [
    "update Deployment agent: new revision (revision, wiped, irrevocable); PATCH display_name secrets source_config source_revision_config",
    "update Rollout agent: none (wait)",
    "update RunCheck answers: none (wait)",
  ],
  replacement: [
    "replace Deployment agent: replacement (replacement, dependents, wait); DELETE; POST name secrets source source_config source_revision_config",
    "replace? Rollout agent: none (replacement, wait)",
    "update? RunCheck answers: none (wait)",
  ],
  delete: [
    "delete Deployment agent: deletion (deletion); DELETE",
    "delete SandboxTemplate workshop: deletion (deletion); DELETE",
    "leave Rollout agent: none (stays)",
    "leave RunCheck answers: none (stays)",
    "leave SandboxTemplate kept: none (stays)",
  ],
  adopt: [
    "adopt Deployment agent: new revision (adoption, wiped, wait); POST? name? secrets? source? source_config? source_revision_config?; PATCH? secret_references? secrets? source_config? source_revision_config?",
    "adopt OAuthProvider github: none (adoption); PATCH? allowed_redirect_uris? auth_url? authorization_params? client_id? code_challenge_method? name? token_url? uses_pkce?",
    "create Rollout agent: none (wait)",
  ],
  rotation: [
    "update Deployment agent: new revision (revision, wiped, irrevocable); PATCH secrets source_revision_config?",
    "update OAuthProvider github: none (irrevocable); PATCH client_secret",
    "update Rollout agent: none (wait)",
  ],
  unknowns: [
    "update Deployment agent: new revision (revision, wiped); PATCH secrets source_revision_config?",
    "update OAuthProvider github: none (irrevocable); PATCH authorization_params client_secret",
    "update Rollout agent: none (wait)",
    "create SandboxTemplate replica: none; POST image name resources volume_mounts",
    "create SandboxTemplate workshop: none; POST image name resources",
  ],
  policies: [
    "create Deployment agent: none (wait); POST name secrets source source_config source_revision_config",
    "create Rollout agent: none (wait)",
    "create SandboxTemplate workshop: none; POST image name proxy_config resources",
  ],
  rename: ["move SandboxTemplate atelier: none (moved)"],
  "rename-and-replace": [
    "replace Deployment desk: replacement (replacement, dependents, wait); DELETE; POST name secrets source source_config source_revision_config; PATCH display_name",
    "replace? Rollout desk: none (replacement, wait)",
  ],
  "rename-and-adopt": [
    "adopt Deployment desk: new revision (adoption, irrevocable, wait); POST? name? secrets? source? source_config? source_revision_config?; PATCH? display_name?; PATCH? display_name? secret_references? source_config? source_revision_config?",
    "create Rollout desk: none (wait)",
    "leave Deployment agent: none (stays)",
    "leave Rollout agent: none (stays)",
  ],
  released: [
    "update Deployment agent: none (in place)",
    "update Deployment other: none (in place); PATCH team",
    "update? Rollout agent: none (wait)",
    "update? Rollout other: none (wait)",
  ],
  target: ["update Deployment agent: new revision (revision); PATCH source_revision_config"],
  failed: [],
};
const told = (object: ReviewedObject): string => {
  const perhaps = (certain: boolean): string => (certain ? "" : "?");
  const requests = object.requests.map(({ method, certain, fields, mayHave }) =>
    [`; ${method}${perhaps(certain)}`, ...fields, ...mayHave.map((field) => `${field}?`)].join(" "),
  );
  const codes = object.consequences.map(({ code }) => code).join(", ");
  const { operation, certain, kind, name, risk } = object;
  return `${operation}${perhaps(certain)} ${kind} ${name}: ${risk}${codes && ` (${codes})`}${requests.join("")}`;
};

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

  test("each object has its operation, risk, consequences and requests", () => {
    expect(reviewOfStory(story).objects.map(told)).toEqual(OBJECTS[story]);
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
