import { readFileSync } from "node:fs";
import { join } from "node:path";
import { styleFor } from "../../cli/base/style";
import { REVIEW_FORMATS } from "../../cli/review/command";
import { type Preview, readPreview } from "../../cli/review/preview";
import { type FailOn, reviewOf } from "../../cli/review/report";
import type { Review, ReviewedObject } from "../../cli/review/review";
import { STORIES } from "./stories";
import type { Front } from "../support/cli-stack";

export const folderOf = (story: string): string => join(__dirname, "recorded", story);

/** The recorded preview of a story. */
export const previewOf = (story: string, front: Front): Preview =>
  readPreview(readFileSync(join(folderOf(story), `${front}.ndjson`), "utf8"));

/** At which risk the story's review is refused. */
export const failOnOf = (story: string): FailOn | undefined =>
  (["replacement", "deletion"] as const).find((risk) => STORIES[story]?.args?.includes(risk));

/** The review of the recorded preview. */
export const reviewOfStory = (story: string, front: Front = "dynamic"): Review =>
  reviewOf(previewOf(story, front), failOnOf(story));

/** For programs: what happens to an object with which risk, the codes of what follows, and the requests. "?": perhaps. */
const told = (object: ReviewedObject): string => {
  const perhaps = (certain: boolean): string => (certain ? "" : "?");
  const requests = object.requests.map(({ method, certain, fields, mayHave }) =>
    [`; ${method}${perhaps(certain)}`, ...fields, ...mayHave.map((field) => `${field}?`)].join(" "),
  );
  const codes = object.consequences.map(({ code }) => code).join(", ");
  const { operation, certain, kind, name, risk } = object;
  return `${operation}${perhaps(certain)} ${kind} ${name}: ${risk}${codes && ` (${codes})`}${requests.join("")}`;
};

/** The review in each format, and what a program reads in it, by the name of its file. */
export function goldensOf(story: string): (readonly [file: string, text: string])[] {
  const review = reviewOfStory(story);
  const plain = styleFor(false, {});
  return [
    ["review.txt", REVIEW_FORMATS.text(review, plain)],
    ["review.md", REVIEW_FORMATS.markdown(review)],
    ["objects.txt", review.objects.map((object) => `${told(object)}\n`).join("")],
  ];
}
