import { z } from "zod";
import { ApiError } from "../base/api-error";
import { threadIdOf, type ThreadRecord } from "../platform/agent-records";
import { fields } from "../store/define-collection";
import { threadFields, threadState } from "./agent-answers";
import { agentBody, contains, searchAnswer, sortFields } from "./agent-body";
import { AGENT_PATH, agentLookups, uuidIn } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";

const threadBody = z.object({
  thread_id: z.string().nullish(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
  metadata: fields.default({}),
});

const searchBody = z.object({
  ids: z.array(z.string()).nullish(),
  metadata: fields.nullish(),
  values: fields.nullish(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).nullish(),
  ...sortFields("thread_id", "status", "created_at", "updated_at", "state_updated_at"),
});

/** docs/internals/platform.md, Threads of an agent. */
export const agentThreadRoutes: RouteFactory = (services) => {
  const { runs } = services;
  const { threads } = services.platform;
  const { agentOf, threadIn } = agentLookups(services);
  const show = (thread: ThreadRecord) => threadFields(thread, runs.isBusy(thread.id));

  const create = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const { thread_id: wanted, if_exists: ifExists, metadata } = agentBody(threadBody, request.body);
    if (wanted == null) return Response.json(show(threads.create(agent, metadata, request.now)));
    const id = uuidIn(wanted, "thread");
    const found = threads.find(agent, id);
    if (found !== undefined && ifExists === "raise") throw new ApiError(409, `Thread with ID ${id} already exists`);
    return Response.json(show(found ?? threads.create(agent, metadata, request.now, id)));
  };

  const search = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const { ids, metadata, values, status, ...page } = agentBody(searchBody, request.body);
    const wanted = ids?.map((id) => id.toLowerCase()) ?? [];
    const found = threads
      .list(agent)
      .filter((thread) => wanted.length === 0 || wanted.includes(threadIdOf(thread)))
      .map(show)
      .filter((shown) => contains(shown.metadata, metadata ?? {}) && contains(shown.values ?? {}, values ?? {}))
      .filter((shown) => status == null || shown.status === status)
      .reverse();
    return searchAnswer(found, { ...page, sort_by: page.sort_by ?? "updated_at" });
  };

  const read = (request: ApiRequest): Response => Response.json(show(threadIn(request)));
  const readState = (request: ApiRequest): Response => Response.json(threadState(threadIn(request)));

  const all = `${AGENT_PATH}/threads`;
  const one = `${all}/:thread_id`;
  return [
    // The agent server's own, not the control plane's: it answers in both contracts.
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "POST", path: `${all}/search`, contract: "extended", handle: search },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "GET", path: `${one}/state`, contract: "extended", handle: readState },
  ];
};
