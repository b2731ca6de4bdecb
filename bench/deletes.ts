import { setTimeout as pause } from "node:timers/promises";
import type { Emulator } from "../emulator";
import { atMost, inTurns, NETWORKS, rowOfSides, seconds, Side, timed, type Measured } from "./row";
import { deploy, handlerOf, slowDown, withEmulator } from "./stacks";

const DEPLOYMENTS = 40;
/** As many deletes as `--parallel 10` has under way. */
const PARALLEL = 10;
const DELETE_SECONDS = 7;
const [, NETWORK] = NETWORKS;

/** 40 deployments that take 7 s to be gone, deleted by this provider and by one that polls every 5 s. */
export const deletes = (): Promise<Measured> =>
  withEmulator({ deleteSeconds: DELETE_SECONDS }, async (emulator) => {
    const side = (remover: Remover) => new Side(() => removeAll(emulator, remover));
    const sides = [side(ourRemover), side(pollingRemover)] as const;
    await inTurns(...sides);
    const what = `${DEPLOYMENTS} deployments deleted, ${PARALLEL} at a time, ${NETWORK.network}`;
    return {
      rows: [
        rowOfSides(`${what}: time, against a poll every 5 s`, sides, (run) => run.ms, seconds, atMost(1)),
        rowOfSides(`${what}: requests, against a poll every 5 s`, sides, (run) => run.requests, String, atMost(0.9)),
      ],
    };
  });

/** Deletes deployments of one emulator, each until it is gone. */
type Remover = (emulator: Emulator) => Promise<(id: string, name: string) => Promise<void>>;

const ourRemover: Remover = async (emulator) => {
  const handler = await handlerOf("Deployment", emulator);
  return (id, name) => handler.delete(id, { name });
};

const pollingRemover: Remover = ({ url, apiKey }) => {
  const ask = (method: string, id: string) =>
    fetch(`${url}/v2/deployments/${id}`, { method, headers: { "X-Api-Key": apiKey } });
  return Promise.resolve(async (id) => {
    await ask("DELETE", id);
    while ((await ask("GET", id)).status !== 404) await pause(5000);
  });
};

async function removeAll(emulator: Emulator, remover: Remover): Promise<{ ms: number; requests: number }> {
  const names = Array.from({ length: DEPLOYMENTS }, (_, n) => `d${n}`);
  const left = await Promise.all(
    names.map(async (name) => ({ name, id: (await deploy(emulator, name)).deploymentId })),
  );
  slowDown(emulator, NETWORK.latencyMs);
  const remove = await remover(emulator);
  emulator.clearLog();
  const slot = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await remove(next.id, next.name);
  };
  const ms = await timed(() => Promise.all(Array.from({ length: PARALLEL }, slot)));
  const requests = emulator.requests.length;
  emulator.reset();
  return { ms, requests };
}
