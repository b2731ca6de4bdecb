import { z } from "zod";
import { readJson } from "../base/json-text";
import type { DeploymentRecord } from "../platform/deployment-record";
import type { SocketEnds } from "../server/request-handler";
import type { ConsoleServices } from "./handler";
import { masked } from "./masked";
import { deploymentNow } from "./model/deployment";

/** How much of an answer is read, and for how long: some agents never stop. A page comes without a list that is late. */
const LIMITS = {
  answer: { bytes: 64 * 1024, ms: 2 * 60_000 },
  list: { bytes: 1024 * 1024, ms: 2_000 },
} as const;

/** What was asked, and what the agent answered. */
export interface AgentAnswer {
  readonly question: string;
  readonly graph: string;
  readonly answer: string;
  readonly hasFailed: boolean;
}

/** Asks the agent of a deployment, on no thread. */
export async function askAgent(
  services: ConsoleServices,
  record: DeploymentRecord,
  asked: Pick<AgentAnswer, "question" | "graph">,
  connection: SocketEnds,
): Promise<AgentAnswer> {
  const failed = (answer: string): AgentAnswer => ({
    ...asked,
    answer: services.secrets.mask(answer, true),
    hasFailed: true,
  });
  const { silence } = deploymentNow(services, record);
  if (silence !== undefined) return failed(silence);
  const body = { assistant_id: asked.graph, input: { topic: asked.question } };
  const response = await post(services, record, "/runs/wait", body, connection);
  if (response === undefined) return failed("No key of this emulator opens the workspace of this deployment.");
  const text = await beginningOf(response, services, LIMITS.answer);
  if (text === undefined)
    return failed(`The agent did not answer in ${LIMITS.answer.ms / 1000} s, or not briefly enough.`);
  const read = readJson(text);
  const value: unknown = "value" in read ? read.value : undefined;
  if (!response.ok) return failed(refusal.safeParse(value).data?.detail ?? `The agent answered ${response.status}.`);
  const failure = failedRun.safeParse(value).data?.__error__;
  if (failure !== undefined) return failed(`${failure.error}: ${failure.message}`);
  const whole = "value" in read ? JSON.stringify(value, null, 2) : text;
  const said = finalState.safeParse(value).data?.messages.at(-1)?.content ?? whole;
  return { ...asked, answer: services.secrets.mask(said, true), hasFailed: false };
}

/** A request to the agent; undefined if no key opens its workspace. */
async function post(
  { tenants, ask }: ConsoleServices,
  { id, tenant_id: tenantId }: DeploymentRecord,
  path: string,
  body: object,
  connection: SocketEnds,
): Promise<Response | undefined> {
  const tenant = tenants.find((each) => each.tenantId === tenantId);
  return tenant && ask({ tenant, method: "POST", path: `/agents/${id}${path}`, body }, connection);
}

/** What an agent lists of itself, each as the cells of a row. */
export interface AgentLists {
  /** Name, graph and id. */
  readonly assistants: readonly (readonly [name: string, graph: string, id: string])[];
  /** Schedule, assistant, next run and id. */
  readonly crons: readonly (readonly string[])[];
}

/** Asks an agent for its assistants and crons, newest first: nobody else knows them. None of those that it does not list. */
export async function agentLists(
  services: ConsoleServices,
  record: DeploymentRecord,
  connection: SocketEnds,
): Promise<AgentLists> {
  const listed = async (path: string): Promise<unknown> => {
    let stop = (): void => undefined;
    const late = new Promise<undefined>((resolve) => {
      stop = services.pace.after(LIMITS.list.ms, () => resolve(undefined));
    });
    const found = post(services, record, path, { limit: 100 }, connection).then(
      (response) => response && beginningOf(response, services, LIMITS.list),
    );
    // Its connection may end after the page has come without it.
    const text = await Promise.race([found.catch(() => undefined), late]).finally(() => stop());
    const read = readJson(text ?? "");
    return "value" in read ? read.value : undefined;
  };
  const [assistants, crons] = await Promise.all([listed("/assistants/search"), listed("/runs/crons/search")]);
  const lists: AgentLists = {
    assistants: assistantList.parse(assistants).map((each) => [each.name ?? "", each.graph_id, each.assistant_id]),
    crons: cronList.parse(crons).map((each) => {
      const next = each.enabled === false ? "disabled" : (each.next_run_date ?? "unknown");
      return [`${each.schedule} ${each.timezone ?? ""}`, each.assistant_id, next, each.cron_id];
    }),
  };
  return masked(lists, services.secrets);
}

const assistantList = z
  .array(z.object({ assistant_id: z.string(), graph_id: z.string(), name: z.string().nullish() }))
  .catch([]);
const cronList = z
  .array(
    z.object({
      cron_id: z.string(),
      assistant_id: z.string(),
      schedule: z.string(),
      timezone: z.string().nullish(),
      next_run_date: z.string().nullish(),
      enabled: z.boolean().nullish(),
    }),
  )
  .catch([]);
const refusal = z.object({ detail: z.string() });
const failedRun = z.object({ __error__: z.object({ error: z.string(), message: z.string() }) });
const finalState = z.object({ messages: z.array(z.looseObject({ content: z.string() })) });

/** The body; undefined if it has no end within the limits. */
async function beginningOf(
  response: Response,
  { pace }: ConsoleServices,
  most: (typeof LIMITS)[keyof typeof LIMITS],
): Promise<string | undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const late = new AbortController();
  const stop = pace.after(most.ms, () => {
    late.abort();
    void reader?.cancel();
  });
  const chunks: Uint8Array[] = [];
  try {
    for (let bytes = 0; bytes <= most.bytes;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) return late.signal.aborted ? undefined : Buffer.concat(chunks).toString();
      chunks.push(chunk.value);
      bytes += chunk.value.length;
    }
  } finally {
    stop();
  }
  await reader?.cancel();
  return undefined;
}
