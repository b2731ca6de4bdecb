import { z } from "zod";
import { sandboxSnapshots, type Emulator } from "../../emulator";
import { uuidOf } from "../../emulator/agents/assistants";
import { objectPlaceOf, type ResourceType } from "../../provider/resources/resource-types";
import { MARK } from "../../provider/resources/deployment/agent-fields";
import type { Declared, Subject } from "../model/subjects";
import { startAgentServer, type AgentServer } from "../support/agent-server";

// What only tests/interleavings plays, beside a registry: a snapshot, and what the agent of a deployment keeps. Any number of them can have one name.

/** Deployments with an agent of their own: what is fixed of an assistant is whose it is. */
const AGENTS = ["desk", "shop"] as const;

/** The agents of a world. Requests to them go through the emulator, so that they are held like any others. */
export class Agents {
  /** The deployments' ids, as long as they are there. */
  readonly ids: string[] = [];

  private constructor(readonly servers: readonly AgentServer[]) {}

  static async start(clock: { now(): number }): Promise<Agents> {
    return new Agents(await Promise.all(AGENTS.map(() => startAgentServer({ clock }))));
  }

  /** For the emulator: which server is whose. */
  get byDeployment(): Record<string, string> {
    return Object.fromEntries(AGENTS.map((name, index) => [name, this.servers[index]?.url ?? ""]));
  }

  reset(): void {
    this.ids.length = 0;
    for (const server of this.servers) server.reset();
  }

  /** Deploys them. */
  async deploy(ask: (method: string, path: string, body: unknown) => Promise<unknown>): Promise<void> {
    for (const name of AGENTS) {
      const made = await ask("POST", "/v2/deployments", {
        name,
        source: "external_docker",
        source_config: { resource_spec: {} },
        source_revision_config: { image_uri: "registry.example/agent:1" },
        secrets: [],
      });
      this.ids.push(z.object({ id: z.string() }).parse(made).id);
    }
  }

  /** "/agents/desk/..." with the id in the place of the name. */
  pathOf(path: string): string {
    return path.replace(/^\/agents\/(\w+)/, (whole, name: string) => {
      const id = this.ids[AGENTS.findIndex((each) => each === name)];
      return id === undefined ? whole : `/agents/${id}`;
    });
  }

  /** Whose the object of a declaration is. */
  placeOf({ kind }: Subject, { fixed }: Declared, url: string): Record<string, string> {
    const deploymentId = this.ids[kind === "Assistant" ? fixed % AGENTS.length : 0] ?? "";
    const address = `${url}/agents/${deploymentId}`;
    return { deploymentId, url: address, customUrl: address };
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }
}

const known = new WeakMap<Emulator, Agents>();
/** Tells which agents stand behind an emulator. */
export const joinAgents = (emulator: Emulator, agents: Agents): unknown => known.set(emulator, agents);
const serversOf = (emulator: Emulator): readonly AgentServer[] => known.get(emulator)?.servers ?? [];

/** An agent keeps them: each has an id that is its own, whatever its name. */
export const isOfAgent = (kind: ResourceType): boolean => objectPlaceOf(kind) === "agent";
/** The kinds of which several can have one name: each stack makes its own, and its class gives its row. */
export const canRepeat = (kind: ResourceType): boolean => kind === "SandboxSnapshot" || isOfAgent(kind);

const numberOf = ({ values }: Declared, field: string): number => values[field] ?? 0;

const assistantState = (declared: Declared) => ({
  name: `a-${declared.name}`,
  agent: AGENTS[declared.fixed % AGENTS.length],
  context: { tone: numberOf(declared, "context") },
  description: `Number ${numberOf(declared, "description")}`,
});

const assistant: Subject = {
  kind: "Assistant",
  fields: ["context", "description"],
  nameOf: (declared) => assistantState(declared).name,
  program: (declared) => {
    const { name, context, description } = assistantState(declared);
    return { name, graphId: "agent", context, description };
  },
  wanted: assistantState,
  objects: (emulator) =>
    serversOf(emulator).flatMap(({ assistants }, index) =>
      [...assistants.values()]
        .filter(({ metadata }) => metadata["created_by"] !== "system")
        .map(({ assistant_id: id, name, context, description }) => ({
          ...{ id, name, mark: id, tenantId: "" },
          state: { name, agent: AGENTS[index], context: z.record(z.string(), z.json()).parse(context), description },
        })),
    ),
  vanish: (emulator, id) => serversOf(emulator).forEach(({ assistants }) => assistants.delete(id)),
  drift: () => undefined,
  // Under an id of its own: one that somebody gives the id of another is that one.
  make: async (platform, declared) => {
    const { name, context, description } = assistantState(declared);
    const body = { graph_id: "agent", name, context, description };
    const made = await platform.ask("POST", "/agents/desk/assistants", body);
    return { id: z.object({ assistant_id: z.string() }).parse(made).assistant_id };
  },
};

const GRAPHS = ["agent", "other"] as const;
const cronState = (declared: Declared) => ({
  name: `c-${declared.name}`,
  assistant: GRAPHS[declared.fixed % GRAPHS.length],
  schedule: `${numberOf(declared, "schedule")} 9 * * *`,
  input: { text: `Number ${numberOf(declared, "input")}` },
});

/** It has no name: what is taken for one is a mark of the user's. */
const cron: Subject = {
  kind: "Cron",
  fields: ["schedule", "input"],
  nameOf: (declared) => cronState(declared).name,
  program: (declared) => {
    const { name, assistant: assistantId, schedule, input } = cronState(declared);
    return { assistantId, schedule, input, metadata: { name } };
  },
  wanted: cronState,
  objects: (emulator) =>
    serversOf(emulator).flatMap(({ crons }) =>
      [...crons.values()].map(({ cron_id: id, assistant_id: of, schedule, payload, metadata }) => {
        const { name, [MARK]: mark = id } = z.record(z.string(), z.string()).parse(metadata);
        const runs = GRAPHS.find((graph) => uuidOf(graph) === of);
        const input = z.json().parse(payload["input"] ?? null);
        return {
          ...{ id, name: name ?? "", mark, tenantId: "" },
          state: { name: name ?? "", assistant: runs, schedule, input },
        };
      }),
    ),
  vanish: (emulator, id) => serversOf(emulator).forEach(({ crons }) => crons.delete(id)),
  drift: () => undefined,
  make: async (platform, declared) => {
    const { name, assistant: of, schedule, input } = cronState(declared);
    const body = { assistant_id: of, schedule, input, metadata: { name } };
    const made = await platform.ask("POST", "/agents/desk/runs/crons", body);
    return { id: z.object({ cron_id: z.string() }).parse(made).cron_id };
  },
};

const snapshotState = ({ name, fixed }: Declared) => ({ name: `s-${name}`, image: `image:${fixed}`, isTagged: true });

/** All of it is fixed. The newest of a name has its tag. */
const snapshot: Subject = {
  kind: "SandboxSnapshot",
  fields: [],
  nameOf: (declared) => snapshotState(declared).name,
  program: (declared) => {
    const { name, image } = snapshotState(declared);
    return { name, dockerImage: image, fsCapacityBytes: 1024 };
  },
  wanted: snapshotState,
  objects: (emulator) =>
    emulator
      .outOfBand(sandboxSnapshots)
      .list()
      .map(({ id, name, tags, tenant_id: tenantId, docker_image: image }) => {
        const isTagged = tags.includes("latest");
        return { id, name, mark: isTagged ? name : id, tenantId, state: { name, image, isTagged } };
      }),
  vanish: (emulator, id) => emulator.outOfBand(sandboxSnapshots).remove(id),
  drift: () => undefined,
  make: (platform, declared) => {
    const { name, image } = snapshotState(declared);
    const body = { name, docker_image: image, fs_capacity_bytes: 1024 };
    return platform.ask("POST", "/v2/sandboxes/snapshots", body);
  },
};

export const OTHER_NOUNS: readonly Subject[] = [assistant, cron, snapshot];
