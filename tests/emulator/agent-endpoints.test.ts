import { deployed } from "../support/agent-under-test";
import { startPlatform, text, type Platform } from "./api";

const DOCUMENTED = [
  "GET /ok",
  "POST /threads",
  "POST /runs/stream",
  "POST /threads/{thread_id}/runs/stream",
  "GET /threads/{thread_id}/runs/{run_id}/stream",
];
/** Some of the others: each is asked for in a test of its own. */
const EXTENDED = ["GET /info", "POST /runs/crons", "DELETE /store/items"];

let platform: Platform;

/** The path of an agent that serves. */
async function agentOf(options: Parameters<typeof startPlatform>[0] = {}): Promise<string> {
  platform = await startPlatform({ buildSeconds: 0, ...options });
  return `/agents/${await deployed(platform.emulator, "agent:1")}`;
}

describe("what the agents do not offer answers 404, and names exactly what they do", () => {
  test.each<["extended" | "documented", "404" | "501", string, string]>([
    ["extended", "501", "GET", "/threads/x/history"],
    // As the command line starts it.
    ["extended", "404", "POST", "/runs/batch"],
    ["extended", "404", "GET", "/"],
    // A path that they have, with another method.
    ["extended", "501", "DELETE", "/threads"],
    ["documented", "501", "GET", "/store/items"],
    // The other contract has it.
    ["documented", "404", "GET", "/info"],
  ])("%s, unknown routes %s: %s %s", async (contract, unknownRoute, method, path) => {
    const agent = await agentOf({ contract, unknownRoute });
    const { status, body } = await platform.call(method, agent + path);
    const [said, offered = ""] = text(body, "detail").split(" They offer ");
    const remedy = "name a server that does by the emulator's option --agent.";
    expect([status, said]).toEqual([404, `The emulator's agents do not offer ${method} ${path}: ${remedy}`]);
    if (contract === "documented") expect(offered).toBe(DOCUMENTED.join(", "));
    else expect(offered.split(", ")).toEqual(expect.arrayContaining([...DOCUMENTED, ...EXTENDED]));
  });
});

test("nobody without the key, and nobody before the agent serves, learns what it offers", async () => {
  const agent = await agentOf({ buildSeconds: 100 });
  const ask = (headers: Record<string, string> = {}) => platform.call("GET", `${agent}/store/items`, { headers });
  expect((await ask({ "x-api-key": "wrong" })).status).toBe(401);
  expect((await ask()).status).toBe(503);
  expect((await platform.call("GET", "/agents/x/store/items")).status).toBe(404);
});
