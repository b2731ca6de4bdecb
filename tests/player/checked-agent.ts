import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { PARTS, type World } from "./world";

/** What a check comes to on the second image; it passes on any other. */
export type Outcome = "passes" | "fails" | "cannot be asked";

export const imageOf = (version: number): string => `registry.example/desk:${version}`;

/** The revision that serves. */
export interface Serving {
  readonly id: string;
  readonly image: unknown;
}

interface Run {
  readonly check: number;
  readonly on: string;
  readonly outcome: Outcome;
}

/** The agent of the only deployment: what serves when a request comes, answers it. */
export class Agent {
  /** By check. */
  outcomes: readonly Outcome[] = [];
  runs: Run[] = [];

  private constructor(
    private readonly world: World,
    private readonly server: Server,
    private readonly url: string,
  ) {}

  static async start(world: World): Promise<Agent> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const agent = new Agent(world, server, `http://127.0.0.1:${port}`);
    server.on("request", (request, response) => {
      request.resume().on("end", () => {
        // Whoever has hung up needs no answer.
        agent.answer(request.url ?? "", request.method ?? "", response).catch(() => response.destroy());
      });
    });
    return agent;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  urlFor(check: number): string {
    return `${this.url}/${check}`;
  }

  serving(): Serving {
    const active = this.world.serving();
    return { id: active?.id ?? "", image: active?.source_revision_config["image_uri"] };
  }

  private async answer(url: string, method: string, response: ServerResponse): Promise<void> {
    const { world } = this;
    // A connection that is kept may end just as the next request comes.
    response.setHeader("connection", "close");
    const check = Number(url.split("/")[1]);
    const who = PARTS[check] ?? "";
    const step = { who, name: `${method} ${url} of the agent`, collection: "/v2/deployments", object: "" };
    await world.schedule.reach({ ...step, what: "request", isRead: true });
    const { id, image } = this.serving();
    const outcome = image === imageOf(2) ? (this.outcomes[check] ?? "passes") : "passes";
    if (world.isKilled(who)) response.writeHead(400).end();
    else if (outcome === "cannot be asked") response.writeHead(503).end();
    else if (method === "GET") response.end('{"ok":true}');
    else {
      this.runs.push({ check, on: id, outcome });
      const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
      const end =
        outcome === "fails" ? event("error", { error: "ValueError", message: "broken" }) : event("values", { a: 1 });
      response.writeHead(200, { "content-type": "text/event-stream" }).end(event("metadata", { run_id: "r-1" }) + end);
    }
  }
}
