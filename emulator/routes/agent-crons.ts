import { randomUUID } from "node:crypto";
import { z } from "zod";
import { allAssistants, isUuid } from "../agents/assistants";
import { assistantIdOf } from "../agents/graph";
import { nextRun } from "../agents/schedule";
import { streamMode } from "../agents/sse";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { CronRecord } from "../platform/agent-records";
import { newRecord } from "../store/collection";
import { fields } from "../store/define-collection";
import { agentBody, contains, keptFields, searchAnswer, sortFields } from "./agent-body";
import { AGENT_PATH, agentLookups, uuidIn } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";

const text = z.string().optional();
const enabled = z.boolean().optional();
const nodes = z.literal("*").or(z.array(z.string())).optional();
const cronFields = {
  ...keptFields,
  ...{ schedule: text, timezone: text, webhook: text, enabled },
  input: fields.or(z.array(fields)).optional(),
  on_run_completed: z.enum(["delete", "keep"]).optional(),
  ...{ interrupt_before: nodes, interrupt_after: nodes },
  stream_mode: streamMode.or(z.array(streamMode)).optional(),
  ...{ stream_subgraphs: enabled, stream_resumable: enabled },
  durability: z.enum(["sync", "async", "exit"]).optional(),
};
const createBody = z.looseObject({ ...cronFields, assistant_id: text, end_time: text });
const changeBody = z.looseObject({ ...cronFields, end_time: z.string().nullish() });
const searchBody = z.object({
  ...{ assistant_id: text, thread_id: text, enabled },
  metadata: fields.optional(),
  ...sortFields("cron_id", "assistant_id", "thread_id", "next_run_date", "end_time", "created_at", "updated_at"),
});

/** docs/internals/platform.md, Crons of an agent. */
export const agentCronRoutes: RouteFactory = (services) => {
  const { platform } = services;
  const { agentOf, threadOf } = agentLookups(services);
  const { crons } = platform;

  const find = (request: ApiRequest, problem = "Not Found"): CronRecord => {
    const { tenantId, deploymentId } = agentOf(request);
    const id = uuidIn(request.param("cron_id"), "cron");
    const found = crons.having(tenantId, deploymentId).find(({ cron_id: each }) => each === id);
    if (found === undefined) throw new ApiError(404, problem);
    return found;
  };
  const put = (record: CronRecord): Response => Response.json(shown(crons.put(record)));

  const create = (request: ApiRequest, threadId: string | null): Response => {
    const agent = agentOf(request);
    const payload = agentBody(createBody, request.body);
    const { assistant_id: wanted, schedule, timezone = null, end_time = null, metadata = {} } = payload;
    checkWebhook(payload.webhook);
    // The server falls over where one of these is missing.
    if (wanted === undefined || schedule === undefined) return new Response("Internal Server Error", { status: 500 });
    const isGraph = Object.hasOwn(agent.graphs, wanted);
    if (!isGraph && !isUuid(wanted)) throw new ApiError(404, `Assistant '${wanted}' not found`);
    const next = nextRun(schedule, timezone, request.now);
    const assistant = isGraph ? assistantIdOf(wanted) : wanted.toLowerCase();
    if (!allAssistants(platform, agent).some(({ assistant_id: each }) => each === assistant))
      throw new ApiError(404, `Assistant '${assistant}' not found`);
    if (threadId !== null && threadOf(request) === undefined) throw new ApiError(404, `Thread ${threadId} not found`);
    const id = randomUUID();
    return put({
      ...newRecord(agent.tenantId, request.now),
      ...{ deployment_id: agent.deploymentId, cron_id: id, assistant_id: assistant, thread_id: threadId, user_id: "" },
      ...{ end_time, schedule, timezone, metadata, enabled: payload.enabled ?? true },
      payload: withCronId(id, { ...payload, assistant_id: assistant }),
      next_run_date: next,
      on_run_completed: threadId === null ? (payload.on_run_completed ?? "delete") : null,
    });
  };
  const change = (request: ApiRequest): Response => {
    agentOf(request);
    const id = uuidIn(request.param("cron_id"), "cron");
    const payload = agentBody(changeBody, request.body);
    if (Object.keys(payload).length === 0) throw new ApiError(400, "Request body cannot be empty");
    const { metadata, config: _config, context: _context, input: _input, webhook, ...rest } = payload;
    if (rest.timezone !== undefined) nextRun("@daily", rest.timezone, request.now);
    checkWebhook(webhook);
    const old = find(request, `Cron '${id}' not found`);
    const { schedule = old.schedule, timezone = old.timezone } = rest;
    // The server changes one field after the other: a schedule that it refuses leaves the time zone changed.
    const moved = timezone === old.timezone ? old : crons.put({ ...old, timezone });
    if (rest.schedule !== undefined) checkedSchedule(moved, schedule, request.now);
    return put({
      ...moved,
      ...{ schedule, end_time: rest.end_time === undefined ? old.end_time : rest.end_time },
      ...{ enabled: rest.enabled ?? old.enabled, on_run_completed: rest.on_run_completed ?? old.on_run_completed },
      next_run_date: nextRun(schedule, timezone, request.now),
      metadata: { ...old.metadata, ...metadata },
      payload: withCronId(id, { ...old.payload, ...payload, assistant_id: old.payload["assistant_id"] }),
      updated_at: timestamp(request.now),
    });
  };
  /** One that never comes stays, too. */
  const checkedSchedule = (cron: CronRecord, schedule: string, now: number): void => {
    try {
      nextRun(schedule, cron.timezone, now);
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) crons.put({ ...cron, schedule });
      throw error;
    }
  };
  const search = (request: ApiRequest): Response => {
    const { tenantId, deploymentId } = agentOf(request);
    const { assistant_id, thread_id, enabled: on, metadata, ...page } = agentBody(searchBody, request.body);
    const assistant = assistant_id === undefined ? undefined : uuidIn(assistant_id, "assistant");
    const thread = thread_id === undefined ? undefined : uuidIn(thread_id, "thread");
    const found = crons
      .having(tenantId, deploymentId)
      .filter(
        (each) =>
          (assistant === undefined || each.assistant_id === assistant) &&
          (thread === undefined || each.thread_id === thread) &&
          (on === undefined || each.enabled === on) &&
          contains(each.metadata, metadata ?? {}),
      );
    return searchAnswer(found.map(shown).reverse(), page);
  };
  const remove = (request: ApiRequest): Response => {
    crons.remove(find(request).id);
    return new Response(null, { status: 204 });
  };
  const ofThread = (request: ApiRequest) => create(request, uuidIn(request.param("thread_id"), "thread"));

  const all = `${AGENT_PATH}/runs/crons`;
  const one = `${all}/:cron_id`;
  return [
    { method: "POST", path: all, contract: "extended", handle: (request) => create(request, null) },
    { method: "POST", path: `${AGENT_PATH}/threads/:thread_id/runs/crons`, contract: "extended", handle: ofThread },
    { method: "POST", path: `${all}/search`, contract: "extended", handle: search },
    { method: "GET", path: one, contract: "extended", handle: (request) => Response.json(shown(find(request))) },
    { method: "PATCH", path: one, contract: "extended", handle: change },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};

const shown = ({ id: _id, tenant_id: _tenant, deployment_id: _of, ...rest }: CronRecord) => rest;

function withCronId(id: string, payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const config = fields.parse(payload["config"] ?? {});
  const configurable = { ...fields.parse(config["configurable"] ?? {}), cron_id: id };
  return { ...payload, config: { ...config, configurable } };
}

/** Nothing is looked up here: a host below "invalid" stands for one that cannot be found, any other is taken. */
function checkWebhook(webhook: string | undefined): void {
  if (webhook === undefined) return;
  const host = URL.canParse(webhook) ? new URL(webhook).hostname : "";
  if (host === "" || /^localhost$|^127\.|^\[::1\]$|\.invalid$/.test(host))
    throw new ApiError(422, "webhook has to be the URL of a host that can be found, and not of this one");
}
