import { z } from "zod";
import { readJson } from "../base/json-text";
import type { DeploymentRecord } from "../platform/deployment-record";
import type { SocketEnds } from "../server/request-handler";
import type { ConsoleServices } from "./handler";

/** How much of an answer is read, in bytes: some agents never stop. */
const MOST_BYTES = 64 * 1024;
/** How long the page waits for the rest of an answer, in milliseconds. */
const LONGEST_MS = 2 * 60_000;

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
  const tenant = services.tenants.find(({ tenantId }) => tenantId === record.tenant_id);
  if (tenant === undefined) return failed("No key of this emulator opens the workspace of this deployment.");
  const body = { assistant_id: asked.graph, input: { topic: asked.question } };
  const path = `/agents/${record.id}/runs/wait`;
  const response = await services.ask({ tenant, method: "POST", path, body }, connection);
  const text = await beginningOf(response, services);
  if (text === undefined) return failed(`The agent did not answer in ${LONGEST_MS / 1000} s, or not briefly enough.`);
  const read = readJson(text);
  const value: unknown = "value" in read ? read.value : undefined;
  if (!response.ok) return failed(refusal.safeParse(value).data?.detail ?? `The agent answered ${response.status}.`);
  const failure = failedRun.safeParse(value).data?.__error__;
  if (failure !== undefined) return failed(`${failure.error}: ${failure.message}`);
  const whole = "value" in read ? JSON.stringify(value, null, 2) : text;
  const said = finalState.safeParse(value).data?.messages.at(-1)?.content ?? whole;
  return { ...asked, answer: services.secrets.mask(said, true), hasFailed: false };
}

const refusal = z.object({ detail: z.string() });
const failedRun = z.object({ __error__: z.object({ error: z.string(), message: z.string() }) });
const finalState = z.object({ messages: z.array(z.looseObject({ content: z.string() })) });

/** The body; undefined if it has no end within the limits. */
async function beginningOf(response: Response, { pace }: ConsoleServices): Promise<string | undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const late = new AbortController();
  const stop = pace.after(LONGEST_MS, () => {
    late.abort();
    void reader?.cancel();
  });
  const chunks: Uint8Array[] = [];
  try {
    for (let bytes = 0; bytes <= MOST_BYTES;) {
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
