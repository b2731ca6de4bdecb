import { join } from "node:path";
import { read, ROOT } from "../docs/pages";
import { deployed } from "../support/agent-under-test";
import { startPlatform, type Platform } from "./api";

/** The table in docs/emulator.md: an endpoint, and whether the contract documented has it. */
const ROWS = [...read(join(ROOT, "docs", "emulator.md")).matchAll(/^\| `([A-Z]+ \/\S+)` +\| (yes|no) +\|$/gm)].map(
  ([, endpoint = "", isDocumented]) => ({ endpoint, isDocumented: isDocumented === "yes" }),
);
const ALL = ROWS.map(({ endpoint }) => endpoint);
const DOCUMENTED = ROWS.flatMap(({ endpoint, isDocumented }) => (isDocumented ? [endpoint] : []));

let platform: Platform;

/** The path of an agent that serves. */
async function agentOf(options: Parameters<typeof startPlatform>[0] = {}): Promise<string> {
  platform = await startPlatform({ buildSeconds: 0, ...options });
  return `/agents/${await deployed(platform.emulator, "agent:1")}`;
}

describe("what the agents do not offer answers 404, and names exactly the endpoints that docs/emulator.md lists", () => {
  test.each<["extended" | "documented", "404" | "501", string, string, readonly string[]]>([
    ["extended", "501", "GET", "/threads/x/history", ALL],
    // As the command line starts it.
    ["extended", "404", "POST", "/runs/batch", ALL],
    ["extended", "404", "GET", "/", ALL],
    // A path that they have, with another method.
    ["extended", "501", "DELETE", "/threads", ALL],
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
