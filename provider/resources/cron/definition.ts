import { asObject, isObject, sameJson, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { instantOf } from "../../base/time";
import { segment } from "../../http/segment";
import type { Problem } from "../../lifecycle/fields/fields";
import { toInputNames, toWireNames } from "../../lifecycle/fields/rename";
import { digest } from "../../lifecycle/identity/origin";
import { PROBLEM } from "../../lifecycle/state";
import { MARK } from "../deployment/agent-fields";
import { agentResource } from "../deployment/agent-resource";
import { cronTable, type CronInputs } from "./fields";
import { scheduleProblem, timezoneProblem } from "./schedule";

/** The server chooses the id, so a mark in the metadata prevents duplicates: it is looked up before the POST and after a lost answer. */
export const cron = agentResource<CronInputs>({
  table: cronTable,
  path: "/runs/crons",
  expectedRefusals: (inputs) => [
    ...problemsIn(inputs, "schedule", scheduleProblem),
    ...problemsIn(inputs, "timezone", timezoneProblem),
    ...problemsIn(inputs, "endTime", timeProblem),
    ...(inputs["threadId"] === undefined ? [] : problemsIn(inputs, "onRunCompleted", () => THREAD_STAYS)),
  ],
  postTo: ({ threadId }) => (threadId === undefined ? "/runs/crons" : `/threads/${segment(threadId)}/runs/crons`),
  body({ threadId: _, ...inputs }, key) {
    return { ...stopping(toWireNames(cronTable.fields, inputs)), metadata: { ...inputs.metadata, [MARK]: key } };
  },
  ownKey: (seed, { deploymentId, assistantId, threadId }) =>
    digest(JSON.stringify([seed, deploymentId, assistantId, threadId]), 32),
  keyIs: "mark",
  isDivisible: true,

  completed(body, inputs, changes, live) {
    const isStopped = live === undefined ? changes.some(({ path }) => path[0] === PROBLEM) : live["enabled"] === false;
    return stopping(isStopped && inputs.enabled === undefined ? { ...body, enabled: true } : body);
  },

  /** Somebody has disabled it. A problem, because a read does not count undeclared defaults as drift, and a cron that does not run is easily missed. */
  toProblem: (live, { enabled }) =>
    live["enabled"] === false && enabled === undefined
      ? "is disabled, although the program does not declare `enabled: false`"
      : undefined,

  toInputs(live, declared) {
    const payload = asObject(live["payload"]);
    // A field that the payload lacks was never set. One mode, and the word for each node, are no lists.
    const given = IN_PAYLOAD.map((name) => {
      const { [name]: value = null } = payload;
      return [name, LISTS.includes(name) && value !== null ? [value].flat() : value] as const;
    });
    const shown = toInputNames(cronTable.fields, { ...live, ...Object.fromEntries(given), config: payload["config"] });
    const { [MARK]: _, ...metadata } = asObject(shown["metadata"]);
    return { ...shown, config: configIn(shown["config"], declared["config"]), metadata };
  },
});

const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
/** A server takes any text, and a cron with an end that is no time never ends. */
const timeProblem = (given: string): string | undefined =>
  ISO.test(given) && instantOf(given) !== undefined ? undefined : "must be a time like 2030-01-31T12:00:00Z";
const THREAD_STAYS =
  "must not be given with threadId: a create ignores it, and an update has the server delete that thread";
const STOPS = ["interrupt_before", "interrupt_after"];
const LISTS = [...STOPS, "stream_mode"];
/** What only the payload of an answer shows. */
const IN_PAYLOAD = [
  ...["input", "context", "webhook", "multitask_strategy", "stream_subgraphs", "stream_resumable", "durability"],
  ...LISTS,
];

/** The body with the server's word for each node, which is no list. */
function stopping(body: JsonObject): JsonObject {
  const each = STOPS.filter((name) => sameJson(body[name], ["*"])).map((name): [string, Json] => [name, "*"]);
  return { ...body, ...Object.fromEntries(each) };
}

function problemsIn(inputs: JsonObject, name: string, problemOf: (given: string) => string | undefined): Problem[] {
  const { [name]: given } = inputs;
  const reason = typeof given === "string" && given !== UNKNOWN ? problemOf(given) : undefined;
  return reason === undefined ? [] : [{ path: [name], reason }];
}

/** The config without the cron's id, which the server adds to `configurable`. */
function configIn(config: unknown, declared: Json | undefined): JsonObject | undefined {
  if (!isObject(config)) return undefined;
  const { configurable, ...others } = config;
  const { cron_id: _, ...own } = asObject(configurable);
  const isDeclared = asObject(declared)["configurable"] !== undefined;
  return Object.keys(own).length > 0 || isDeclared ? { ...others, configurable: own } : others;
}
