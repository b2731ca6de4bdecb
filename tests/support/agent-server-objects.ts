import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { isUuid, uuidOf } from "../../emulator/agents/assistants";
import { BODIES, Fields, parsed, Refusal } from "./agent-server-bodies";

/** An assistant as it is kept. Its fields may be changed: that is a change behind the API. */
export interface KeptAssistant {
  assistant_id: string;
  graph_id: string;
  config: Fields;
  context: Fields;
  metadata: Fields;
  name: string;
  description: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}
/** A cron as it is kept. Its fields may be changed, too. */
export interface KeptCron {
  readonly cron_id: string;
  assistant_id: string;
  readonly thread_id: string | null;
  readonly user_id: string;
  end_time: string | null;
  schedule: string;
  timezone: string | null;
  payload: Fields;
  next_run_date: string;
  metadata: Fields;
  on_run_completed: string | null;
  enabled: boolean;
  readonly created_at: string;
  updated_at: string;
}

/** An answer without an error. */
export interface AgentAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
/** What a request asks for: the parts of its path, and its body. */
type Act = (ids: readonly string[], body: string) => AgentAnswer;

const BOTH =
  "Cannot specify both configurable and context. Prefer setting context alone. Context was introduced in LangGraph 0.6.0 " +
  "and is the long term planned replacement for configurable.";

const LOOPBACK =
  "Loopback webhooks (relative URLs and localhost) are disabled by default. They bypass authentication via the in-process ASGI " +
  "transport and can be abused to invoke internal routes as an unauthenticated caller. Set webhooks.url.disable_loopback to false " +
  "(in langgraph.json or via LANGGRAPH_WEBHOOKS) to opt back in — only do so when you control the mounted routes.";

/** The assistants, crons and threads of a server, and the requests that it knows. */
export class AgentObjects {
  /** By id, oldest first. */
  readonly assistants = new Map<string, KeptAssistant>();
  readonly crons = new Map<string, KeptCron>();
  /** How many versions each assistant has had. */
  private readonly versions = new Map<string, number>();
  private readonly threads = new Map<string, Fields>();

  constructor(
    private readonly graphs: readonly string[],
    private readonly now: () => number,
    /** False: a search of crons answers all, whatever metadata it asks for. */
    private readonly filtersCrons = true,
  ) {
    this.reset();
  }

  /** As after the first start: each graph has its own assistant. */
  reset(): void {
    for (const all of [this.assistants, this.crons, this.versions, this.threads]) all.clear();
    const metadata = { created_by: "system" };
    for (const name of this.graphs) this.addAssistant(uuidOf(name), { graph_id: name, name, metadata });
  }

  /** Method, pattern of the path, and what it does. A "*" stands for one part. */
  routes(crons: boolean): readonly (readonly [method: string, path: string, act: Act])[] {
    const ofCrons: readonly (readonly [string, string, Act])[] = [
      ["POST", "/runs/crons", (_, body) => this.createCron(null, body)],
      ["POST", "/threads/*/runs/crons", ([id = ""], body) => this.createCron(uuid(id, "thread"), body)],
      ["POST", "/runs/crons/search", (_, body) => this.searchCrons(body)],
      ["GET", "/runs/crons/*", ([id = ""]) => ({ body: found(this.crons, uuid(id, "cron")) })],
      ["PATCH", "/runs/crons/*", ([id = ""], body) => this.patchCron(uuid(id, "cron"), body)],
      ["DELETE", "/runs/crons/*", ([id = ""]) => this.deleteFrom(this.crons, uuid(id, "cron"), "Not Found")],
    ];
    return [
      ["POST", "/assistants", (_, body) => this.createAssistant(body)],
      ["POST", "/assistants/search", (_, body) => this.searchAssistants(body)],
      ["GET", "/assistants/*", ([id = ""]) => ({ body: found(this.assistants, uuid(id, "assistant")) })],
      ["PATCH", "/assistants/*", ([id = ""], body) => this.patchAssistant(uuid(id, "assistant"), body)],
      ["DELETE", "/assistants/*", ([id = ""]) => this.deleteAssistant(uuid(id, "assistant"))],
      ["POST", "/threads", (_, body) => this.createThread(body)],
      ...(crons ? ofCrons : []),
    ];
  }

  private createAssistant(text: string): AgentAnswer {
    const given = parsed(text, BODIES.newAssistant);
    const id = given.assistant_id === undefined ? randomUUID() : uuid(given.assistant_id, "assistant");
    const checked = this.checked(given);
    const there = this.assistants.get(id);
    if (there === undefined) return { body: this.addAssistant(id, checked) };
    if (given.if_exists === "do_nothing") return { body: there };
    throw new Refusal(409, `Assistant ${id} already exists`);
  }

  private addAssistant(id: string, given: z.input<typeof BODIES.newAssistant>): KeptAssistant {
    const { graph_id, config = {}, context = {}, metadata = {}, name = "", description = null } = given;
    const parts = { graph_id, config, context, metadata, name: name === "" ? "Untitled" : name, description };
    const time = this.time();
    const assistant = { assistant_id: id, ...parts, version: 1, created_at: time, updated_at: time };
    this.assistants.set(id, assistant);
    return assistant;
  }

  private patchAssistant(id: string, text: string): AgentAnswer {
    const { config = {}, ...given } = this.checked(parsed(text, BODIES.assistant));
    const assistant = found(this.assistants, id, `Assistant ${id} not found`);
    const version = Math.max(assistant.version, this.versions.get(id) ?? 1) + 1;
    this.versions.set(id, version);
    const { context = assistant.context, graph_id = assistant.graph_id, name = assistant.name } = given;
    return {
      body: Object.assign(assistant, {
        graph_id,
        config: Object.keys(config).length > 0 ? config : assistant.config,
        context,
        metadata: { ...assistant.metadata, ...given.metadata },
        name,
        description: given.description ?? assistant.description,
        version,
        updated_at: this.time(),
      }),
    };
  }

  /** With `config.configurable` and `context` as one thing. Throws what is said about a graph or a config before anything else. */
  private checked<T extends z.infer<typeof BODIES.assistant | typeof BODIES.newAssistant>>(given: T): T {
    const { config = {}, context = {}, graph_id } = given;
    if (graph_id !== undefined) this.checkGraph(graph_id);
    const { configurable = {} } = config;
    const [hasConfigurable, hasContext] = [configurable, context].map((each) => Object.keys(each).length > 0);
    if (hasConfigurable === true && hasContext === true) throw new Refusal(400, BOTH);
    if (hasConfigurable === true) return { ...given, context: configurable };
    return hasContext === true ? { ...given, config: { ...config, configurable: context } } : given;
  }

  private checkGraph(name: string): void {
    const names = [...this.graphs].sort().map((each) => `'${each}'`);
    if (this.graphs.includes(name)) return;
    throw new Refusal(404, `Graph '${name}' not found. Expected one of: [${names.join(", ")}]`);
  }

  private deleteAssistant(id: string): AgentAnswer {
    const answer = this.deleteFrom(this.assistants, id, `Assistant with ID ${id} not found`);
    this.versions.delete(id);
    this.deleteCrons((cron) => cron.assistant_id === id);
    return answer;
  }

  private searchAssistants(text: string): AgentAnswer {
    const body = parsed(text, BODIES.assistants);
    const { graph_id, name = "", metadata = {} } = body;
    if (graph_id !== undefined) this.checkGraph(graph_id);
    const all = [...this.assistants.values()].filter(
      (each) =>
        (graph_id === undefined || each.graph_id === graph_id) &&
        each.name.toLowerCase().includes(name.toLowerCase()) &&
        contains(each.metadata, metadata),
    );
    return pageOf(all.reverse(), body);
  }

  private createCron(thread: string | null, text: string): AgentAnswer {
    const payload = parsed(text, BODIES.newCron);
    const { assistant_id, schedule, timezone = null, end_time = null, metadata = {}, enabled = true } = payload;
    checkWebhook(payload.webhook);
    // The server falls over where one of these is missing.
    if (assistant_id === undefined || schedule === undefined) throw new Refusal(500, null);
    const isGraph = this.graphs.includes(assistant_id);
    if (!isGraph && !isUuid(assistant_id)) throw new Refusal(404, `Assistant '${assistant_id}' not found`);
    checkTimezone(timezone);
    checkSchedule(schedule);
    const assistant = isGraph ? uuidOf(assistant_id) : assistant_id;
    found(this.assistants, assistant, `Assistant '${assistant}' not found`);
    const gone = `Thread with ID '${thread ?? ""}' not found. Please verify the ID is correct and the thread hasn't been deleted or expired.`;
    if (thread !== null) found(this.threads, thread, gone);
    const cron: KeptCron = {
      cron_id: randomUUID(),
      assistant_id: assistant,
      thread_id: thread,
      user_id: "",
      end_time,
      schedule,
      timezone,
      payload: { ...payload, assistant_id: assistant },
      next_run_date: this.nextRun(schedule),
      metadata,
      on_run_completed: thread === null ? (payload.on_run_completed ?? "delete") : null,
      enabled,
      created_at: this.time(),
      updated_at: this.time(),
    };
    cron.payload = withCronId(cron, cron.payload);
    this.crons.set(cron.cron_id, cron);
    return { body: cron };
  }

  /** The server changes one field after the other, so a schedule that it refuses can leave the fields before it changed. */
  private patchCron(id: string, text: string): AgentAnswer {
    const payload = parsed(text, BODIES.cron);
    if (Object.keys(payload).length === 0) throw new Refusal(400, "Request body cannot be empty");
    const { timezone, webhook, schedule, end_time, enabled, on_run_completed, metadata } = payload;
    checkTimezone(timezone ?? null);
    checkWebhook(webhook);
    const cron = found(this.crons, id, `Cron '${id}' not found`);
    if (timezone !== undefined) cron.timezone = timezone;
    if (schedule !== undefined) checkSchedule(schedule);
    if (schedule !== undefined) cron.schedule = schedule;
    if (schedule !== undefined || timezone !== undefined) cron.next_run_date = this.nextRun(cron.schedule);
    if (end_time !== undefined) cron.end_time = end_time;
    if (enabled !== undefined) cron.enabled = enabled;
    if (on_run_completed !== undefined) cron.on_run_completed = on_run_completed;
    cron.metadata = { ...cron.metadata, ...metadata };
    cron.payload = withCronId(cron, { ...cron.payload, ...payload, assistant_id: cron.payload["assistant_id"] });
    cron.updated_at = this.time();
    return { body: cron };
  }

  private searchCrons(text: string): AgentAnswer {
    const body = parsed(text, BODIES.crons);
    return pageOf(this.foundCrons(body).reverse(), body);
  }

  private foundCrons({ assistant_id, thread_id, metadata = {}, enabled }: z.infer<typeof BODIES.crons>): KeptCron[] {
    if (assistant_id !== undefined) uuid(assistant_id, "assistant");
    if (thread_id !== undefined) uuid(thread_id, "thread");
    return [...this.crons.values()].filter(
      (each) =>
        (assistant_id === undefined || each.assistant_id === assistant_id) &&
        (thread_id === undefined || each.thread_id === thread_id) &&
        (enabled === undefined || each.enabled === enabled) &&
        (!this.filtersCrons || contains(each.metadata, metadata)),
    );
  }

  private deleteCrons(which: (cron: KeptCron) => boolean): void {
    for (const cron of [...this.crons.values()].filter(which)) this.crons.delete(cron.cron_id);
  }

  private createThread(text: string): AgentAnswer {
    const { thread_id = randomUUID(), metadata = {}, if_exists } = parsed(text, BODIES.thread);
    const id = uuid(thread_id, "thread");
    const there = this.threads.get(id);
    if (there !== undefined && if_exists !== "do_nothing") {
      throw new Refusal(409, `Thread with ID ${id} already exists`);
    }
    const time = this.time();
    const times = { created_at: time, updated_at: time, state_updated_at: time };
    const thread = there ?? { thread_id: id, ...times, metadata, status: "idle", config: {}, values: null };
    this.threads.set(id, thread);
    return { body: thread };
  }

  private deleteFrom(all: Map<string, unknown>, id: string, detail: string): AgentAnswer {
    if (!all.delete(id)) throw new Refusal(404, detail);
    return { status: 204 };
  }

  private time(): string {
    return new Date(this.now()).toISOString().replace("Z", "000+00:00");
  }

  /** No test asks when a cron runs: it is always the next minute, but for a 30th or 31st of February, which never comes. */
  private nextRun(schedule: string): string {
    if (/^\S+ \S+ (?:30|31) 2 \*$/.test(schedule)) throw new Refusal(400, "failed to find next date");
    return new Date(Math.ceil((this.now() + 1) / 60_000) * 60_000).toISOString().replace(".000Z", "+00:00");
  }
}

/** Its lower-case form. Throws 422 for another text. */
function uuid(id: string, what: "assistant" | "cron" | "thread"): string {
  if (!isUuid(id)) throw new Refusal(422, `Invalid ${what} ID: must be a UUID`);
  return id.toLowerCase();
}

function found<T>(all: ReadonlyMap<string, T>, id: string, detail = "Not Found"): T {
  const one = all.get(id);
  if (one === undefined) throw new Refusal(404, detail);
  return one;
}

/** Whether each part of the second stands in the first. */
function contains(all: Fields, part: Fields): boolean {
  return Object.entries(part).every(([name, wanted]) => {
    const [inner, value] = [Fields.safeParse(wanted), Fields.safeParse(all[name])];
    if (inner.success && value.success) return contains(value.data, inner.data);
    return name in all && isDeepStrictEqual(all[name], wanted);
  });
}

/** The total is no total: it says no more than whether there is a next page. */
function pageOf(all: readonly unknown[], body: z.infer<typeof BODIES.assistants | typeof BODIES.crons>): AgentAnswer {
  // An answer to a question that was not understood would be a wrong one.
  if (["sort_by", "sort_order", "select"].some((name) => name in body)) throw new Refusal(501, "Not in the stand-in");
  const { limit, offset } = body;
  const page = all.slice(offset, offset + limit);
  const next = offset + limit;
  if (all.length <= next) return { body: page, headers: { "x-pagination-total": String(page.length + offset) } };
  return { body: page, headers: { "x-pagination-total": String(next + 1), "x-pagination-next": String(next) } };
}

function withCronId({ cron_id }: KeptCron, payload: Fields): Fields {
  const config = Fields.parse(payload["config"] ?? {});
  return {
    ...payload,
    config: { ...config, configurable: { ...Fields.parse(config["configurable"] ?? {}), cron_id } },
  };
}

/** The number of fields is all that is checked here; the server looks into them, too. */
function checkSchedule(schedule: string): void {
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/.test(schedule)) return;
  if ([5, 6].includes(schedule.trim().split(/\s+/).length)) return;
  const form = "Ensure the schedule uses the standard cron format (minute hour day_of_month month day_of_week).";
  const example = "Example: '*/5 * * * *' for every 5 minutes.";
  throw new Refusal(422, `Invalid cron schedule: '${schedule}'. Reason: Invalid cron schedule. ${form} ${example}`);
}

function checkTimezone(timezone: string | null): void {
  try {
    if (timezone !== null) new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    const example = "Use IANA timezone format (e.g. 'America/New_York').";
    throw new Refusal(422, `Invalid timezone: '${timezone ?? ""}'. ${example}`);
  }
}

/** Nothing is looked up here: a host below "invalid" stands for one that cannot be found, any other is taken. */
function checkWebhook(webhook: string | undefined): void {
  if (webhook === undefined) return;
  if (webhook.startsWith("/")) throw new Refusal(422, LOOPBACK);
  const hostname = URL.canParse(webhook) ? new URL(webhook).hostname : "";
  if (hostname === "") throw new Refusal(422, "Invalid webhook hostname ''");
  const blocked: readonly (readonly [RegExp, string])[] = [
    [/^localhost$/, "localhost address"],
    [/^127\./, "loopback IP range"],
    [/\.invalid$/, "DNS resolution failed"],
  ];
  const reason = blocked.find(([host]) => host.test(hostname))?.[1];
  if (reason !== undefined) throw new Refusal(422, `Webhook host blocked: ${reason}`);
}
