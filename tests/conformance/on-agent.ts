import { z } from "zod";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { changingRequests, startAgentServer, type AgentServer } from "../support/agent-server";
import { PlatformUnderTest } from "../support/platform-under-test";
import { deploymentOf } from "../support/ask";

const Deployment = z.looseObject({ id: z.string(), latest_revision_id: z.string() });

/** A platform with the deployment "desk", and the server of its agent. */
export class OnAgent {
  deploymentId = "";
  revisionId = "";

  private constructor(
    readonly platform: PlatformUnderTest,
    readonly agent: AgentServer,
  ) {}

  static async start(deleteSeconds = 0): Promise<OnAgent> {
    return new OnAgent(await PlatformUnderTest.start({ deleteSeconds }), await startAgentServer());
  }

  /** Everything as after the start, with the deployment. */
  async reset(): Promise<void> {
    this.platform.reset();
    await this.agent.start();
    this.agent.reset();
    const made = await this.platform.ask("POST", "/v2/deployments", deploymentOf("desk", "registry.example/desk:1"));
    const { id, latest_revision_id: revision } = Deployment.parse(made);
    [this.deploymentId, this.revisionId] = [id, revision];
  }

  async close(): Promise<void> {
    await this.agent.close();
    await this.platform.close();
  }

  /** The arguments that say whose agent is meant. */
  get place(): JsonObject {
    return { deploymentId: this.deploymentId, url: this.agent.url, customUrl: this.agent.url };
  }

  model(kind: "Assistant" | "Cron", settings?: Record<string, string>): Promise<EngineModel> {
    return this.platform.resource(kind, settings);
  }

  /** What was sent to change something, since the last call. */
  changing(): string[] {
    return changingRequests(this.agent);
  }
}
