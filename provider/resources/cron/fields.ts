import { asObject, isObject, sameJson, UNKNOWN, type Json } from "../../base/json";
import { instantOf } from "../../base/time";
import { isUuid, sameId, uuidOfName } from "../../base/uuid";
import { table, type Field, type InputsOf, type Type } from "../../lifecycle/fields/table";
import { flag, inPath, json, list, oneOfKnown, text, url } from "../../lifecycle/fields/types";
import { STREAM_MODES } from "../../streaming/events";
import {
  adoptById,
  agentFields,
  anyObject,
  BY_REPLACING,
  metadata,
  metadataProblems,
  MARK,
} from "../deployment/agent-fields";

const kept = (what: string) => ({
  refuse: `cannot be taken out, since the server keeps its ${what}: give another one, or ${BY_REPLACING}`,
});

/** A server takes nothing else. Values may be unknown. */
const isInput = (given: Json | undefined): boolean =>
  given === undefined || [given].flat().every((each) => each === UNKNOWN || isObject(each));

/** A graph's name refers to the server's own assistant of that graph; answers show the id of that assistant. */
const assistantIdOf = (given: Json): Json => (typeof given === "string" && !isUuid(given) ? uuidOfName(given) : given);

const timeOf = (given: Json): Json | undefined => (typeof given === "string" ? instantOf(given) : given);

const nodes = (when: string): Field & { readonly type: Type<string[]> } => ({
  type: list(text(255)),
  description: `The nodes ${when} which a run stops; \`["*"]\` for each.`,
  default: [],
});

/** docs/internals/platform.md, Crons of an agent. */
export const cronTable = table(
  {
    kind: "Cron",
    scope: "deploymentId",
    one: "cron",
    extendedArgs: "DeclaredCronArgs",
    summary:
      "Starts runs of an assistant on a schedule. It is gone with its assistant, or its thread, and with the deployment's database.",
    description: "Arguments of a {@link Cron} (docs/internals/platform.md, Crons of an agent).",
    *rules({ metadata: given, input, config }) {
      yield* metadataProblems(given, {
        [MARK]: "is kept for the provider, which finds the cron by it: use another key",
      });
      if (!isInput(input)) yield { path: ["input"], reason: "must be an object, or a list of objects" };
      if ("cron_id" in asObject(asObject(config)["configurable"]))
        yield { path: ["config", "configurable", "cron_id"], reason: "is the server's own: use another key" };
    },
  },
  {
    assistantId: {
      type: text(255),
      description: "The assistant that runs: its id, or the name of a graph.",
      required: true,
      classDefault: "that of `assistant`",
      replaceOn: "always",
      equal: (one, other) => sameId(assistantIdOf(one), assistantIdOf(other)),
    },
    threadId: {
      type: text(36, inPath),
      description: "The thread that the runs continue.",
      defaultText: "each run has its own",
      replaceOn: "always",
      equal: sameId,
    },
    schedule: {
      type: text(255),
      description: 'When it runs, as in a crontab: "0 9 * * 1-5", "@daily". A sixth field is the seconds.',
      required: true,
    },
    timezone: { type: text(64), description: 'The timezone of the schedule, like "Europe/Berlin".', default: "UTC" },
    input: {
      type: json(),
      description: "Input for the graph. State keeps it: wrap a secret in pulumi.secret.",
      equal: sameJson,
      onRemove: kept("input"),
    },
    context: anyObject("What the graph gets as its context in these runs."),
    config: anyObject("How the graph runs; takes precedence over the settings of the assistant."),
    metadata,
    enabled: { type: flag(), description: "Whether it runs.", default: true },
    webhook: {
      type: url(),
      description: "A URL to call after each run. The server looks up its host at once.",
      onRemove: kept("webhook"),
    },
    endTime: {
      type: text(64),
      description: "When it stops for good (ISO 8601).",
      equal: (one, other) => timeOf(one) === timeOf(other),
    },
    onRunCompleted: {
      type: oneOfKnown(["delete", "keep"]),
      description: "What happens to the thread of a run. Not with `threadId`.",
      onRemove: "unmanage",
    },
    // The server judges this one when a run starts, and not before.
    multitaskStrategy: {
      type: oneOfKnown(["enqueue", "reject", "interrupt", "rollback"]),
      description: "What happens when its thread is busy.",
      default: "enqueue",
    },
    interruptBefore: nodes("before"),
    interruptAfter: nodes("after"),
    streamMode: {
      type: list(oneOfKnown([...STREAM_MODES, "messages", "tasks", "checkpoints"])),
      description: "What a stream of a run has.",
      default: ["values"],
    },
    streamSubgraphs: { type: flag(), description: "Whether it has what subgraphs emit.", default: false },
    streamResumable: {
      type: flag(),
      description: "Whether who comes late can read it from its start.",
      default: false,
    },
    durability: {
      type: oneOfKnown(["sync", "async", "exit"]),
      description: "When a run's checkpoints are kept: before the next step, beside it, or when the run ends.",
      default: "async",
    },
    adopt: adoptById,
    ...agentFields,
  },
);

export type CronInputs = InputsOf<typeof cronTable.fields>;
