import { readJson } from "../base/json-text";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import type { DeploymentRecord } from "../platform/deployment-record";
import type { SocketEnds } from "../server/request-handler";
import type { KnownSecrets } from "./known-secrets";
import type { ConsoleParts } from "./handler";
import type { AnswerPart } from "./views";

/** An answer beyond this is cut: some agents never stop. */
const MOST_CHARACTERS = 64 * 1024;
/** So is one event beyond this, in characters. */
const LONGEST_EVENT = 16 * 1024 * 1024;

/** Asks the agent of a deployment, on no thread; its answer as lines of AnswerPart, without secrets. */
export async function askAgent(
  parts: ConsoleParts,
  secrets: KnownSecrets,
  record: DeploymentRecord,
  { question, graph }: { readonly question: string; readonly graph: string },
  connection: SocketEnds,
): Promise<Response> {
  const tenant = parts.tenants.find(({ tenantId }) => tenantId === record.tenant_id);
  if (tenant === undefined) return linesOf([failed("No key of this emulator opens the workspace of this deployment.")]);
  const body = {
    assistant_id: graph,
    input: { topic: question },
    stream_mode: ["messages-tuple", "updates"],
    stream_subgraphs: true,
  };
  const path = `/agents/${record.id}/runs/stream`;
  const answer = await parts.ask({ tenant, method: "POST", path, body }, connection);
  if (!answer.ok || answer.body === null) return linesOf([failed(secrets.mask(await reasonOf(answer)))]);
  return new AnswerLines(answer.body, secrets).response();
}

const failed = (message: string): AnswerPart => ({ type: "failed", message });
const line = (part: AnswerPart): Uint8Array => Buffer.from(`${JSON.stringify(part)}\n`);
const HEADERS = { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" };

const linesOf = (parts: readonly AnswerPart[]): Response =>
  new Response(Buffer.concat(parts.map(line)), { headers: HEADERS });

async function reasonOf(answer: Response): Promise<string> {
  const said = z.object({ detail: z.string() }).safeParse(await answer.json().catch(() => undefined));
  return said.success ? said.data.detail : `The agent answered ${answer.status}.`;
}

const token = z.tuple([
  z.looseObject({ content: z.string(), type: z.string() }),
  z.looseObject({ langgraph_node: z.string() }),
]);
const update = z.record(z.string(), z.unknown());
const failure = z.object({ error: z.string(), message: z.string() });

/** The events of a run, as lines: read as fast as the page takes them. */
class AnswerLines {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private readonly maskers = new Map<string, ReturnType<KnownSecrets["masker"]>>();
  private readonly waiting: AnswerPart[] = [];
  private readonly parser = createParser({
    onEvent: ({ event, data }) => {
      const read = readJson(data);
      if ("value" in read) this.take(event ?? "", read.value);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") this.characters = Infinity;
    },
    maxBufferSize: LONGEST_EVENT,
  });
  private characters = 0;
  private isOver = false;
  private hasFailed = false;

  constructor(
    body: ReadableStream<Uint8Array>,
    private readonly secrets: KnownSecrets,
  ) {
    this.reader = body.getReader();
  }

  response(): Response {
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.waiting.length === 0 && !this.isOver) await this.read();
          for (const part of this.waiting.splice(0)) controller.enqueue(line(part));
          if (this.isOver) controller.close();
        },
        cancel: () => this.reader.cancel(),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: HEADERS });
  }

  private async read(): Promise<void> {
    const { done, value } = await this.reader.read();
    if (value !== undefined) this.parser.feed(this.decoder.decode(value, { stream: true }));
    if (this.characters > MOST_CHARACTERS) await this.reader.cancel();
    if (!done && this.characters <= MOST_CHARACTERS) return;
    for (const [node, masker] of this.maskers) this.send(node, masker.end());
    if (this.characters > MOST_CHARACTERS) this.waiting.push({ type: "cut" });
    if (!this.hasFailed) this.waiting.push({ type: "done" });
    this.isOver = true;
  }

  private take(event: string, data: unknown): void {
    const [name = ""] = event.split("|");
    if (name === "messages") this.takeToken(data);
    if (name === "updates") this.takeUpdate(data);
    if (name === "error") this.takeFailure(data);
  }

  private takeToken(data: unknown): void {
    const parsed = token.safeParse(data);
    if (!parsed.success) return;
    const [{ content, type }, { langgraph_node: node }] = parsed.data;
    const isSaidByModel = type === "AIMessageChunk" || type === "ai";
    if (content === "" || !isSaidByModel || this.characters > MOST_CHARACTERS) return;
    this.characters += content.length + node.length;
    const masker = this.maskers.get(node) ?? this.secrets.masker();
    this.maskers.set(node, masker);
    this.send(node, masker.add(content));
  }

  private takeUpdate(data: unknown): void {
    const parsed = update.safeParse(data);
    for (const node of Object.keys(parsed.data ?? {})) {
      if (this.characters > MOST_CHARACTERS) return;
      this.characters += node.length + 1;
      this.waiting.push({ type: "node", node: this.secrets.mask(node) });
    }
  }

  private takeFailure(data: unknown): void {
    const parsed = failure.safeParse(data);
    if (this.characters > MOST_CHARACTERS) return;
    const said = parsed.success ? `${parsed.data.error}: ${parsed.data.message}` : "The run failed.";
    this.characters += said.length;
    this.waiting.push(failed(this.secrets.mask(said)));
    this.hasFailed = true;
  }

  private send(node: string, text: string): void {
    if (text !== "") this.waiting.push({ type: "token", node: this.secrets.mask(node), text });
  }
}
