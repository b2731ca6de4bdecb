import { z } from "zod";
import { messageOf } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import type { Ran as Ended, Stack } from "./stack";
import { PARTS, World } from "./world";
import { Agent, imageOf, type Outcome, type Serving } from "./checked-agent";

/** What somebody else does: a push whose build takes its time, one that serves at once, a redeploy of the first revision that serves at once. */
export type Other = "push" | "push serves" | "redeploy serves";

export interface Declared {
  readonly image: string;
  readonly trigger?: number;
  /** What the checks expect beside an answer. */
  readonly expect?: JsonObject;
  /** The checks leave the program. */
  readonly isUnchecked?: boolean;
}

/** One command, as it ended. */
export interface Ran extends Ended {
  /** How many requests went to the platform. */
  readonly requests: number;
  /** Those that change something. */
  readonly writes: readonly string[];
  readonly runs: Agent["runs"];
  /** At its end. */
  readonly serves: Serving;
}

const PUSHED = "registry.example/desk:pushed";
const Listed = z.object({ resources: z.array(z.object({ id: z.string() })) });

/** A program of one deployment with its checks, and its agent. */
export class Program {
  /** The entries of the platform's log that are of somebody else. */
  private readonly others = new Set<number>();

  private constructor(
    readonly world: World,
    private readonly agent: Agent,
    private readonly stack: Stack,
  ) {}

  static async start(): Promise<Program> {
    // One poll while it is built, and one after it: more would only make more orders of the same.
    const world = await World.start();
    const stack = world.stack("ours");
    for (const each of PARTS) await stack.addPart(each, "RunCheck");
    return new Program(world, await Agent.start(world), stack);
  }

  async close(): Promise<void> {
    this.agent.close();
    await this.world.close();
  }

  /** The first revision serves, and its checks have passed. */
  async begin(checks: readonly Outcome[]): Promise<void> {
    this.world.reset();
    this.agent.outcomes = checks;
    const { isGreen, said } = await this.run({ image: imageOf(1) });
    if (!isGreen) throw new Error(said);
  }

  /** One command. */
  async run(declared: Declared, refresh = false): Promise<Ran> {
    const { stack, agent, world, others } = this;
    world.emulator.clearLog();
    others.clear();
    agent.runs = [];
    const ended = await stack.command(async () => {
      if (refresh) for (const model of this.models()) if (model.hasState) await model.refresh();
      await this.up(declared);
    });
    // Those that a killed process sends reach nothing.
    const sent = world.emulator.requests.filter(({ seq, tenant }) => tenant !== null && !others.has(seq));
    const changing = sent.filter(({ method }) => method !== "GET");
    const writes = changing.map(({ method, path }) => `${method} ${path}`);
    return { ...ended, requests: sent.length, writes, runs: agent.runs, serves: agent.serving() };
  }

  /** Somebody else, at some moment. */
  async act(what: Other): Promise<void> {
    const { world } = this;
    const step = { who: "somebody", name: what, collection: "/v2/deployments", object: "" };
    await world.schedule.reach({ ...step, what: "act", isRead: false });
    const [only] = Listed.parse(await this.ask("GET", "/v2/deployments")).resources;
    const path = `/v2/deployments/${only?.id ?? ""}`;
    if (what === "redeploy serves") {
      const first = Listed.parse(await this.ask("GET", `${path}/revisions?limit=100`)).resources.at(-1);
      await this.ask("POST", `${path}/revisions/${first?.id ?? ""}/redeploy`);
    } else await this.ask("PATCH", path, { source_revision_config: { image_uri: PUSHED } });
    if (what !== "push") world.settle(60_000);
  }

  private models(): EngineModel[] {
    const checks = this.agent.outcomes.map((_, check) => this.stack.model("RunCheck", PARTS[check]));
    return [this.stack.model("Deployment"), this.stack.model("Rollout"), ...checks];
  }

  private async up({ image: imageUri, trigger, expect, isUnchecked }: Declared): Promise<void> {
    const [deployment, rollout, ...checks] = this.models();
    if (deployment === undefined || rollout === undefined) throw new Error("no models");
    await deployment.up({
      name: "desk",
      source: "external_docker",
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri },
      ...(trigger !== undefined && { redeployTrigger: trigger }),
    });
    const { id: deploymentId, outputs } = deployment.current;
    const { latestRevisionId, secretsRevisionId } = outputs;
    await rollout.up({
      deploymentId,
      revisionId: latestRevisionId,
      followsPushes: false,
      deploymentName: "desk",
    });
    const { activeRevisionId: revisionId } = rollout.current.outputs;
    const parts = checks.map((check, index): [string, () => Promise<void>] => {
      const who = PARTS[index] ?? "";
      const url = this.agent.urlFor(index);
      const about = { deploymentId, revisionId, secretsRevisionId };
      const declared = {
        url,
        customUrl: url,
        assistantId: "agent",
        attempts: 2,
        rollBack: true,
        ...about,
        ...(expect && { expect }),
      };
      return [
        who,
        async () => {
          await (isUnchecked === true ? check.destroy() : check.up(declared));
        },
      ];
    });
    const ended = await this.world.schedule.split("ours", new Map(parts));
    const failures = ended.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : []));
    if (failures.length > 0) throw new Error(failures.join("\n\n"));
  }

  private async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const { emulator } = this.world;
    const known = emulator.requests.length;
    try {
      return await this.world.ask(method, path, body);
    } finally {
      for (const { seq } of emulator.requests.slice(known)) this.others.add(seq);
    }
  }
}
