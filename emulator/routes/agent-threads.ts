import { z } from "zod";
import { ApiError } from "../base/api-error";
import { threadIdOf, type ThreadRecord } from "../platform/agent-records";
import { fields } from "../store/define-collection";
import { threadFields, threadState } from "./agent-answers";
import { agentBody, contains, pageFields, searchAnswer } from "./agent-body";
import { AGENT_PATH, agentLookups, uuidIn } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";

const threadBody = z.object({
  thread_id: z.string().nullish(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
  metadata: fields.default({}),
});

const SORT_KEYS = ["thread_id", "status", "created_at", "updated_at", "state_updated_at"] as const;
const searchBody = z.object({
  ids: z.array(z.string()).nullish(),
  metadata: fields.nullish(),
  values: fields.nullish(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).nullish(),
  sort_by: z.enum(SORT_KEYS).nullish(),
  sort_order: z.enum(["asc", "desc"]).nullish(),
  select: z.array(z.string()).nullish(),
  ...pageFields,
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
    const { ids, metadata, values, status, sort_by, sort_order, select, ...page } = agentBody(searchBody, request.body);
    const wanted = ids?.map((id) => id.toLowerCase()) ?? [];
    const found = threads
      .list(agent)
      .filter((thread) => wanted.length === 0 || wanted.includes(threadIdOf(thread)))
      .map(show)
      .filter((shown) => contains(shown.metadata, metadata ?? {}) && contains(shown.values ?? {}, values ?? {}))
      .filter((shown) => status == null || shown.status === status)
      .reverse()
      .sort(inOrderOf(sort_by ?? "updated_at", sort_order ?? "desc"));
    return searchAnswer(select == null ? found : found.map((shown) => only(shown, select)), page);
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

type Sorted = Readonly<Record<(typeof SORT_KEYS)[number], string>>;

const inOrderOf = (key: keyof Sorted, order: "asc" | "desc") => (left: Sorted, right: Sorted) => {
  const up = left[key] < right[key] ? -1 : Number(left[key] > right[key]);
  return order === "asc" ? up : -up;
};

const only = (shown: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => names.includes(name)));
