import { z } from "zod";
import { isUuid } from "../agents/assistants";
import { ApiError } from "../base/api-error";
import type { ThreadRecord } from "../platform/thread-record";
import { threadFields, threadState } from "./agent-answers";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { agentJson } from "./run-body";

const metadata = z.record(z.string(), z.unknown());

const threadBody = z.object({
  metadata: metadata.default({}),
  thread_id: z.uuid().nullish(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
});

const searchBody = z.object({
  metadata: metadata.nullish(),
  ids: z.array(z.string()).nullish(),
  status: z.string().nullish(),
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
});

/** docs/platform.md, Streaming runs: the threads of an agent. */
export const agentThreadRoutes: RouteFactory = (services) => {
  const { runs } = services;
  const { threads } = services.platform;
  const { agentOf, threadOf } = agentLookups(services);
  const shown = (thread: ThreadRecord) => ({ ...threadFields(thread, runs.threadStatus(thread.id)), interrupts: {} });

  const create = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const body = threadBody.safeParse(agentJson(request.body));
    if (!body.success) throw new ApiError(422, `The body of POST /threads is an object with metadata, or {}`);
    const { metadata: given, thread_id: id, if_exists: ifExists } = body.data;
    const found = id == null ? undefined : threads.get(agent.tenantId, id.toLowerCase());
    if (found?.deployment_id === agent.deploymentId && ifExists === "do_nothing") return Response.json(shown(found));
    const made = threads.create(agent, given, request.now, id?.toLowerCase());
    return Response.json(threadFields(made, "idle"));
  };

  const search = (request: ApiRequest): Response => {
    const { tenantId, deploymentId } = agentOf(request);
    const body = searchBody.safeParse(agentJson(request.body));
    if (!body.success) throw new ApiError(422, "The body of POST /threads/search is an object of filters, or {}");
    const { metadata: wanted, ids, status, limit, offset } = body.data;
    const found = threads
      .list(tenantId, deploymentId)
      .filter(
        (thread) =>
          Object.entries(wanted ?? {}).every(([name, value]) => isSame(thread.metadata[name], value)) &&
          (ids == null || ids.includes(thread.id)) &&
          (status == null || runs.threadStatus(thread.id) === status),
      )
      .reverse();
    return Response.json(found.slice(offset, offset + limit).map(shown));
  };

  const find = (request: ApiRequest): ThreadRecord => {
    const { deploymentId } = agentOf(request);
    const id = request.param("thread_id");
    if (!isUuid(id)) throw new ApiError(422, "Invalid thread ID: must be a UUID");
    const found = threadOf(request, deploymentId);
    if (found === undefined) throw new ApiError(404, `Thread with ID ${id} not found`);
    return found;
  };

  const all = `${AGENT_PATH}/threads`;
  const one = `${all}/:thread_id`;
  return [
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "POST", path: `${all}/search`, contract: "extended", handle: search },
    { method: "GET", path: one, contract: "extended", handle: (request) => Response.json(shown(find(request))) },
    {
      method: "GET",
      path: `${one}/state`,
      contract: "extended",
      handle: (request) => Response.json(threadState(find(request))),
    },
  ];
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
