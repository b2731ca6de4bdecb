import { setTimeout as pause } from "node:timers/promises";
import type { Emulator } from "../emulator";
import { createHandler } from "../provider/dynamic/handler";
import { createSession } from "../provider/lifecycle/session";
import { openResource } from "../provider/resources/registry";
import { atMost, inTurns, NETWORKS, seconds, Side, timed, type Measured, type Row } from "./row";
import { deploy, settingsOf, slowDown, withEmulator } from "./stacks";

const DEPLOYMENTS = 40;
/** As many deletes as `--parallel 10` has under way. */
const PARALLEL = 10;
const DELETE_SECONDS = 7;
const [, NETWORK] = NETWORKS;

/** 40 deployments that take 7 s to be gone, deleted by this provider and by one that polls every 5 s. */
export const deletes = (): Promise<Measured> =>
  withEmulator({ deleteSeconds: DELETE_SECONDS }, async (emulator) => {
    const side = (remover: Remover) => new Side(() => removeAll(emulator, remover));
    const [ours, polling] = [side(ourRemover), side(pollingRemover)];
    await inTurns(ours, polling);
    const what = `${DEPLOYMENTS} deployments deleted, ${PARALLEL} at a time, ${NETWORK.network}`;
    const [ourMs, theirMs] = [ours.median((run) => run.ms), polling.median((run) => run.ms)];
    const [ourRequests, theirRequests] = [ours.median((run) => run.requests), polling.median((run) => run.requests)];
    const rows: Row[] = [
      {
        name: `${what}: time, against a poll every 5 s`,
        ours: seconds(ourMs),
        baseline: seconds(theirMs),
        ...atMost(1, ourMs / theirMs),
      },
      {
        name: `${what}: requests, against a poll every 5 s`,
        ours: String(ourRequests),
        baseline: String(theirRequests),
        ...atMost(0.9, ourRequests / theirRequests),
      },
    ];
    return { rows };
  });

/** Deletes deployments of one emulator, each until it is gone. */
type Remover = (emulator: Emulator) => Promise<(id: string, name: string) => Promise<void>>;

const ourRemover: Remover = async (emulator) => {
  const session = createSession();
  const handler = createHandler(openResource("Deployment", session), session);
  const settings = settingsOf(emulator);
  await handler.configure({ config: { get: (key) => settings[key] } });
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
