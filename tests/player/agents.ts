import { z } from "zod";
import type { JsonObject } from "../../provider/base/json";
import { PLAYED } from "../conformance/cases";
import { deploymentOf } from "../support/ask";
import { startAgentServer, type AgentServer, type AgentServerOptions } from "../support/agent-server";
import type { Declaration } from "./declarations";

/** Deployments with an agent of their own. */
const NAMES = ["desk", "shop"] as const;
const Made = z.looseObject({ id: z.string() });

/** The agents of a platform. Requests to them go through the emulator, so that they are held like any others. */
export class Agents {
  /** The ids of their deployments, as long as they are there. */
  readonly ids: string[] = [];

  private constructor(private readonly servers: readonly AgentServer[]) {}

  static async start(options: AgentServerOptions): Promise<Agents> {
    return new Agents(await Promise.all(NAMES.map(() => startAgentServer(options))));
  }

  get byName(): Record<string, AgentServer> {
    return Object.fromEntries(this.servers.map((server, index) => [NAMES[index] ?? "", server]));
  }

  reset(): void {
    this.ids.length = 0;
    for (const server of this.servers) server.reset();
  }

  /** Deploys them. */
  async deploy(ask: (method: string, path: string, body: unknown) => Promise<unknown>): Promise<void> {
    for (const name of NAMES) {
      const made = await ask("POST", "/v2/deployments", deploymentOf(name));
      this.ids.push(Made.parse(made).id);
    }
  }

  /** Of the agent of a declared object: where its case has nothing that is fixed, whose it is. */
  private idOf({ type, fixed }: Declaration): string {
    return this.ids[PLAYED[type].fixed === undefined ? fixed % NAMES.length : 0] ?? "";
  }

  pathOf(declaration: Declaration): string {
    return `/agents/${this.idOf(declaration)}`;
  }

  /** The arguments that say whose an object is. */
  placeOf(declaration: Declaration, url: string): JsonObject {
    const address = url + this.pathOf(declaration);
    return { deploymentId: this.idOf(declaration), url: address, customUrl: address };
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }
}
