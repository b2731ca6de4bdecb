import { deployed } from "../support/agent-under-test";
import { startPlatform, type Platform } from "./api";

const DOCUMENTED = [
  "GET /ok",
  "POST /threads",
  "POST /runs/stream",
  "POST /threads/{thread_id}/runs/stream",
  "GET /threads/{thread_id}/runs/{run_id}/stream",
];
const EXTENDED = [
  "GET /ok",
  "GET /info",
  "POST /assistants",
  "POST /assistants/search",
  "GET /assistants/{assistant_id}",
  "PATCH /assistants/{assistant_id}",
  "DELETE /assistants/{assistant_id}",
  "POST /assistants/{assistant_id}/versions",
  "POST /assistants/{assistant_id}/latest",
  "POST /runs/crons",
  "POST /threads/{thread_id}/runs/crons",
  "POST /runs/crons/search",
  "GET /runs/crons/{cron_id}",
  "PATCH /runs/crons/{cron_id}",
  "DELETE /runs/crons/{cron_id}",
  "PUT /store/items",
  "GET /store/items",
  "DELETE /store/items",
  "POST /store/items/search",
  "POST /store/namespaces",
  "POST /threads",
  "POST /threads/search",
  "GET /threads/{thread_id}",
  "GET /threads/{thread_id}/state",
  "POST /runs/stream",
  "POST /threads/{thread_id}/runs/stream",
  "POST /runs/wait",
  "POST /threads/{thread_id}/runs/wait",
  "POST /threads/{thread_id}/runs",
  "GET /threads/{thread_id}/runs/{run_id}/stream",
  "GET /threads/{thread_id}/runs",
  "GET /threads/{thread_id}/runs/{run_id}",
  "GET /threads/{thread_id}/runs/{run_id}/join",
];

let platform: Platform;

/** The path of an agent that serves. */
async function agentOf(options: Parameters<typeof startPlatform>[0] = {}): Promise<string> {
  platform = await startPlatform({ buildSeconds: 0, ...options });
  return `/agents/${await deployed(platform.emulator, "agent:1")}`;
}

describe("what the agents do not offer answers 404, and names exactly what they do", () => {
  test.each<["extended" | "documented", "404" | "501", string, string, readonly string[]]>([
    ["extended", "501", "GET", "/threads/x/history", EXTENDED],
    // As the command line starts it.
    ["extended", "404", "POST", "/runs/batch", EXTENDED],
    ["extended", "404", "GET", "/", EXTENDED],
    // A path that they have, with another method.
    ["extended", "501", "DELETE", "/threads", EXTENDED],
    ["documented", "501", "GET", "/store/items", DOCUMENTED],
    // The other contract has it.
    ["documented", "404", "GET", "/info", DOCUMENTED],
  ])("%s, unknown routes %s: %s %s", async (contract, unknownRoute, method, path, endpoints) => {
    const agent = await agentOf({ contract, unknownRoute });
    const { status, body } = await platform.call(method, agent + path);
    const detail = `The emulator's agents do not offer ${method} ${path}: name a server that does by the emulator's option --agent. They offer ${endpoints.join(", ")}`;
    expect([status, body]).toEqual([404, { detail }]);
  });
});

test("nobody without the key, and nobody before the agent serves, learns what it offers", async () => {
  const agent = await agentOf({ buildSeconds: 100 });
  const ask = (headers: Record<string, string> = {}) => platform.call("GET", `${agent}/store/items`, { headers });
  expect((await ask({ "x-api-key": "wrong" })).status).toBe(401);
  expect((await ask()).status).toBe(503);
  expect((await platform.call("GET", "/agents/x/store/items")).status).toBe(404);
});
