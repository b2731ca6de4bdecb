import { z } from "zod";
import { plainText } from "../../provider/base/plain-text";
import { realClock } from "../base/clock";
import { readJson } from "../base/json-text";
import type { DeploymentRecord } from "../platform/deployment-record";
import type { SocketEnds } from "../server/request-handler";
import type { ConsoleServices } from "./handler";
import { masked } from "./known-secrets";
import { deploymentNow } from "./model/deployment";
import { underProgramName } from "./model/settings";

/** How much of an answer is read, and for how long: some agents never stop. A page comes without a list that is late. */
const ANSWER = { bytes: 64 * 1024, ms: 2 * 60_000 };
const LIST = { bytes: 1024 * 1024, ms: 2_000 };

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
  const said = (answer: string, hasFailed = false): AgentAnswer => ({
    ...asked,
    answer: services.secrets.mask(plainText(answer), true),
    hasFailed,
  });
  const failed = (answer: string) => said(answer, true);
  const { silence } = deploymentNow(services, record);
  if (silence !== undefined) return failed(silence);
  const { question } = asked;
  // A graph takes what its state has of this: the emulator's agents the topic, most others the messages.
  const input = { topic: question, messages: [{ role: "user", content: question }] };
  const body = { assistant_id: asked.graph, input };
  const answered = await answerOf(services, record, { path: "/runs/wait", body, most: ANSWER }, connection);
  if (answered === undefined)
    return failed(`The agent did not answer in ${ANSWER.ms / 1000} s, or not briefly enough.`);
  const { response, text } = answered;
  const { value, problem } = readJson(text);
  if (!response.ok) return failed(refusal.safeParse(value).data?.detail ?? `The agent answered ${response.status}.`);
  const failure = failedRun.safeParse(value).data?.__error__;
  if (failure !== undefined) return failed(`${failure.error}: ${failure.message}`);
  const whole = problem === undefined ? JSON.stringify(value, null, 2) : text;
  const last = finalState.safeParse(value).data?.messages.at(-1);
  return said(last === undefined || last.type === "human" ? whole : last.content);
}

const refusal = z.object({ detail: z.string() });
const failedRun = z.object({ __error__: z.object({ error: z.string(), message: z.string() }) });
const finalState = z.object({ messages: z.array(z.object({ content: z.string(), type: z.string().optional() })) });

/** What the server of an agent keeps: where it is searched, and the fields that are shown. */
const KEPT = [
  { resource: "Assistant", path: "/assistants/search", shown: ["name", "graph_id", "assistant_id"] },
  {
    resource: "Cron",
    path: "/runs/crons/search",
    shown: ["schedule", "timezone", "enabled", "assistant_id", "next_run_date", "cron_id"],
  },
  { resource: "Thread", path: "/threads/search", shown: ["thread_id", "status", "created_at", "updated_at"] },
] as const;
const textOf = (value: unknown): string => (["string", "boolean"].includes(typeof value) ? String(value) : "");
const listed = z.array(z.record(z.string(), z.unknown())).catch([]);

/** Objects of an agent, a row for each, and the graphs that they name. */
export type KeptByAgent = Awaited<ReturnType<typeof keptBy>>;

/** Asks an agent what it keeps, since nobody else knows: its newest assistants, crons and threads. */
export async function keptBy(services: ConsoleServices, record: DeploymentRecord, connection: SocketEnds) {
  const graphs = new Set<string>();
  const lists = KEPT.map(async ({ resource, path, shown }) => {
    const answered = await answerOf(services, record, { path, body: { limit: 100 }, most: LIST }, connection);
    const all = listed.parse(readJson(answered?.text ?? "").value);
    for (const { graph_id: graph } of all.toReversed()) if (typeof graph === "string") graphs.add(graph);
    const head = shown.map((name) =>
      resource === "Thread" ? name : underProgramName(resource, { path: name, value: "" }).path,
    );
    return { title: `${resource}s`, head, rows: all.map((each) => shown.map((name) => textOf(each[name]))) };
  });
  const filled = (await Promise.all(lists)).filter(({ rows }) => rows.length > 0);
  return masked({ lists: filled, graphs: [...graphs] }, services.secrets);
}

/** What an agent answers; undefined if it does not within the limits. */
async function answerOf(
  { tenants, ask }: ConsoleServices,
  { id, tenant_id: tenantId }: DeploymentRecord,
  { path, body, most }: { readonly path: string; readonly body: object; readonly most: typeof ANSWER },
  connection: SocketEnds,
): Promise<{ readonly response: Response; readonly text: string } | undefined> {
  const tenant = tenants.find((each) => each.tenantId === tenantId);
  if (tenant === undefined) return undefined;
  // The machine's clock, because the emulator's may stand still.
  let [stop, end] = [(): void => undefined, (): void => undefined];
  const late = new Promise<undefined>((resolve) => (stop = realClock.after(most.ms, () => resolve(undefined))));
  const read = async () => {
    const response = await ask({ tenant, method: "POST", path: `/agents/${id}${path}`, body }, connection);
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
    end = () => void reader?.cancel();
    const chunks: Uint8Array[] = [];
    for (let bytes = 0; bytes <= most.bytes;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) return { response, text: Buffer.concat(chunks).toString() };
      chunks.push(chunk.value);
      bytes += chunk.value.length;
    }
    return undefined;
  };
  const answered = await Promise.race([read().catch(() => undefined), late]);
  stop();
  end();
  return answered;
}
