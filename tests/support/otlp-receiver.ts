import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { z } from "zod";

const Value = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  boolValue: z.boolean().optional(),
});
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((all) =>
    Object.fromEntries(
      all.map(({ key, value: { stringValue, intValue, boolValue } }) => [
        key,
        stringValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue)),
      ]),
    ),
  );
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: Attributes,
  events: z.array(z.object({ name: z.string(), attributes: Attributes })).default([]),
  status: z.object({ code: z.number().optional() }).default({}),
});
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** A span as it was received. */
export type ReceivedSpan = z.output<typeof Span>;

/** A receiver of spans on loopback (OTLP over HTTP, JSON). */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Every body as it came. */
  readonly bodies: string[] = [];
  /** Takes everything, and never answers. */
  isStuck = false;
  private readonly services = new Set<unknown>();

  private constructor(private readonly server: Server) {
    server.on("request", (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString("utf8");
        this.bodies.push(`${JSON.stringify(request.rawHeaders)} ${body}`);
        for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans) {
          this.services.add(resource.attributes["service.name"]);
          this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
        }
        if (!this.isStuck) response.setHeader("content-type", "application/json").end("{}");
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new OtlpReceiver(server);
  }

  /** What a command's environment needs to find it. */
  get environment(): NodeJS.ProcessEnv {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("the receiver does not listen");
    return { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}` };
  }

  get serviceNames(): readonly unknown[] {
    return [...this.services];
  }

  /** The only span of this name. */
  only(name: string): ReceivedSpan {
    const [span, other] = this.named(name);
    if (span === undefined || other !== undefined) {
      throw new Error(`not one span "${name}" among ${this.spans.map((each) => each.name).join(", ")}`);
    }
    return span;
  }

  named(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  parentOf({ parentSpanId }: ReceivedSpan): ReceivedSpan | undefined {
    return this.spans.find(({ spanId }) => spanId === parentSpanId);
  }

  clear(): void {
    this.spans.length = 0;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
