import { runCheckTable, type RunCheckInputs } from "./fields";
import { defineResource } from "../../lifecycle/defined";
import type { JsonObject } from "../../base/json";
import { check, type Checked } from "./check";
import { refuseStrayKey } from "../deployment/agent";

/**
 * A run of an assistant that has to pass. It has no object on the platform, so there is nothing to read. A failed check is not in state,
 * or is there with its old arguments, so the next `up` tries it again.
 */
export const runCheck = defineResource<RunCheckInputs, Checked>({
  api: "control",
  table: runCheckTable,
  naturalKey: undefined,
  fill: (secrets) => ({ showData: !secrets.includes("input") && !secrets.includes("expect") }),
  undocumented: [],
  refuseThrough: refuseStrayKey("RunCheck"),

  async create(context, inputs) {
    const live = await check(context, inputs);
    return { id: live.runId, live };
  },
  update: (context, _state, inputs) => check(context, inputs),
  delete: () => Promise.resolve("deleted" as const),

  toInputs: () => ({}),
  toComputed: ({ runId, attempt, threadId, tried, firstEventMs, totalMs, events, digest, output }): JsonObject => ({
    runId,
    attempt,
    threadId,
    tried,
    firstEventMs,
    totalMs,
    events,
    digest,
    output,
  }),
});
