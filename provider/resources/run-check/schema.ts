import { z } from "zod";
import type { FieldRules } from "../../lifecycle/fields";
import { sameJson, type JsonObject } from "../../base/json";
import { count, duration, flag, inputsSchema, orUnknown, text, url, type Problem } from "../../lifecycle/schema";
import { STREAM_MODES } from "../../streaming/events";
import { parsePath } from "./path";

const mode = () => orUnknown(z.enum(STREAM_MODES));
const list = <T>(item: z.ZodType<T>) => orUnknown(z.array(item).min(1, "must name at least one"));

const Expected = orUnknown(
  z
    .strictObject({
      mode: mode(),
      path: text(1024)
        .refine(
          (value) => parsePath(value) !== undefined,
          'must be a path of names and positions, like "messages[0].content"',
        )
        .optional(),
      equals: orUnknown(z.json()).optional(),
      matches: text(4096).refine(isPattern, "must be a regular expression of JavaScript, without slashes").optional(),
    })
    .superRefine(({ equals, matches }, context) => {
      if ((equals === undefined) === (matches === undefined)) {
        context.addIssue({ code: "custom", path: [], message: "must have exactly one of equals and matches" });
      }
    }),
);

const Expectations = orUnknown(
  z.strictObject({
    modes: list(mode()).optional(),
    nodes: list(text(255)).optional(),
    values: list(Expected).optional(),
    firstEventWithin: duration().optional(),
    totalWithin: duration().optional(),
  }),
);

export const runCheckInputs = inputsSchema(
  {
    /** Null where a deployment has none; refused by the rules below. */
    url: orUnknown(url().nullable()),
    assistantId: text(255),
    input: orUnknown(z.json()).optional(),
    revisionId: orUnknown(z.string().nullable()).optional(),
    streamSubgraphs: flag().optional(),
    stateful: flag().optional(),
    expect: Expectations.optional(),
    keepOutput: flag().optional(),
    apiKey: text(4096).optional(),
    attempts: count(1).optional(),
    interval: duration().optional(),
    runTimeout: duration().optional(),
    progressUrn: text(4096).optional(),
    showData: flag().optional(),
  },
  withoutUrl,
);
export type RunCheckInputs = z.infer<typeof runCheckInputs.schema>;
export type Expectations = NonNullable<RunCheckInputs["expect"]>;

/** A change of what is asked or expected runs the check again; of how patient it is, not. */
export const runCheckFields: FieldRules = {
  input: { equal: sameJson },
  expect: { equal: sameJson },
  streamSubgraphs: { default: false },
  stateful: { default: false },
  keepOutput: { default: false },
  apiKey: { control: true, secret: true },
  attempts: { control: true },
  interval: { control: true },
  runTimeout: { control: true },
  progressUrn: { control: true },
  showData: { control: true },
};

function withoutUrl(inputs: JsonObject): Problem[] {
  if (inputs["url"] !== null) return [];
  const reason =
    "is null: the platform names no address of this deployment; write down the one where the agent answers";
  return [{ path: ["url"], reason }];
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
