import { z } from "zod";
import { startEmulator, type Emulator, type EmulatorOptions } from "../emulator";
import { createSession } from "../provider/lifecycle/session";
import { openResource } from "../provider/resources/registry";
import type { ResourceType } from "../provider/resources/resource-types";
import { CliStack, ok, type Front } from "../tests/support/cli-stack";
import type { Result } from "../tests/support/run-process";
import { Side, timed } from "./row";
import { createHandler, type Handler } from "../provider/dynamic/handler";

/**
 * The same templates three times: through this provider; as stock dynamic resources whose seven functions are there and do
 * nothing; and as stock resources with the one function that they need.
 */
export type Kind = "ours" | "bare" | "createAlone";

const CREATE = `
    create: async (inputs) => ({ id: "00000000-0000-4000-8000-" + inputs.name, outs: { ...inputs, ...filled } }),`;
const SEVEN = `${CREATE}
    configure: async () => undefined,
    check: async (olds, news) => ({ inputs: news }),
    diff: async (id, olds, news) => ({ changes: false }),
    read: async (id, props) => ({ id, props }),
    update: async (id, olds, news) => ({ outs: { ...news, ...filled } }),
    delete: async () => undefined,`;

/** A program of `count` templates. The stock resources have the same outputs as ours. */
export const PROGRAMS: Readonly<Record<Kind, (count: number) => string>> = {
  ours: (count) => `
    for (let n = 0; n < ${count}; n++)
      new platform.SandboxTemplate("n" + n, { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" } });`,
  bare: (count) => stock(count, SEVEN),
  createAlone: (count) => stock(count, CREATE),
};

function stock(count: number, functions: string): string {
  return `
    const filled = { createdAt: "2030-01-01T00:00:00.000Z", updatedAt: "2030-01-01T00:00:00.000Z", origin: "0123456789ab" };
    const provider = {${functions}
    };
    const none = { createdAt: undefined, updatedAt: undefined, origin: undefined };
    class Stock extends pulumi.dynamic.Resource {}
    for (let n = 0; n < ${count}; n++)
      new Stock(provider, "n" + n, { name: "n" + n, image: "python:3.12", resources: { cpu: "1", memory: "1Gi" }, ...none });`;
}

/** The time of a command that has to succeed, in milliseconds. */
export const succeedsIn = (command: () => Promise<Result>): Promise<number> =>
  timed(async () => {
    ok(await command());
  });

/** Makes a stack of the program for one act. */
export async function withStack<T>(
  emulator: Emulator,
  program: string,
  act: (stack: CliStack) => Promise<T>,
  front: Front = "dynamic",
): Promise<T> {
  const stack = await CliStack.make(program, { front });
  try {
    await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
    return await act(stack);
  } finally {
    stack.remove();
    emulator.reset();
  }
}

/** `up` of a program, each time on a stack of its own. @param prepare Called before each. */
export const upOf = (
  emulator: Emulator,
  program: string,
  args: readonly string[],
  prepare: (stack: CliStack) => void,
): Side<number> =>
  new Side(() =>
    withStack(emulator, program, (stack) => {
      prepare(stack);
      return succeedsIn(() => stack.run(["up", "--yes", "--skip-preview", ...args]));
    }),
  );

export async function withEmulator<T>(
  options: EmulatorOptions,
  measure: (emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = await startEmulator(options);
  try {
    return await measure(emulator);
  } finally {
    await emulator.close();
  }
}

/** The stack configuration that points to the emulator. */
export const settingsOf = ({ url, apiKey }: Emulator): Record<string, string> => ({
  "agent-platform:baseUrl": url,
  "agent-platform:apiKey": apiKey,
});

/** The handler of a type, as in a process of its own. */
export async function handlerOf(
  kind: ResourceType,
  emulator: Emulator,
  more: Readonly<Record<string, string>> = {},
): Promise<Handler> {
  const session = createSession();
  const handler = createHandler(openResource(kind, session), session);
  const settings: Readonly<Record<string, string>> = { ...settingsOf(emulator), ...more };
  await handler.configure({ config: { get: (key) => settings[key] } });
  return handler;
}

/** From now on, until a reset, each answer takes that much longer. */
export function slowDown(emulator: Emulator, latencyMs: number): void {
  if (latencyMs > 0) emulator.faults.add({ kind: "latency", ms: latencyMs, jitterMs: 0 });
}

/** A deployment that was made, and its first revision. */
export interface Deployed {
  readonly deploymentId: string;
  readonly revisionId: string;
}

/** Makes a deployment of this name by a plain request. */
export async function deploy({ url, apiKey }: Emulator, name: string): Promise<Deployed> {
  const response = await fetch(`${url}/v2/deployments`, {
    method: "POST",
    headers: { "X-Api-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({
      name,
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "registry.example/agent:1" },
      secrets: [],
    }),
  });
  const made = z.object({ id: z.string(), latest_revision_id: z.string() });
  const { id, latest_revision_id } = made.parse(await response.json());
  return { deploymentId: id, revisionId: latest_revision_id };
}
