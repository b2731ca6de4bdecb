import { randomBytes } from "node:crypto";
import { z } from "zod";
import { startServer, type RunningServer } from "../try/child";
import type { Workplace } from "../engine/ways";

/** The path below which one of the platforms lives, as control planes on a host of their users do. */
const BASE_PATH = "/api-host";

/** The platforms that the tests know, by the variable that gives the address, and the flags that make each what it is. */
const PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  OFFICIAL_URL: [],
  OFFICIAL_URL_BELOW_PATH: ["--base-path", BASE_PATH],
  OFFICIAL_URL_OF_FULL_SANDBOXES: ["--sandbox-quota", "1"],
};
/** The platform whose agents are servers of their own. */
const OWN_AGENTS = "OFFICIAL_URL_OF_OWN_AGENTS";
/** Builds end soon, and yet not before a client has seen one on its way. */
const QUICK = ["--build-seconds", "1", "--format", "json", "--port", "0"];

const Started = z.object({ url: z.string() });

/** The emulators under test, each a process: in `env` are their addresses and their key, what the tests need to reach them. */
export type Platforms = Awaited<ReturnType<typeof startPlatforms>>;

/** The agent servers that one of them has as agents. */
export interface OwnAgentServers {
  /** By the name of the agent, the folder of its langgraph.json, where the server keeps its database. */
  readonly folders: Readonly<Record<string, string>>;
  /** With their command on the PATH, and no way off this machine. */
  readonly env: NodeJS.ProcessEnv;
}

/** Starts them with one random key, which travels by environment alone. `cli` is the compiled cli/main.js. */
export async function startPlatforms({ checkout, env }: Workplace, cli: string, own: OwnAgentServers) {
  const key = randomBytes(24).toString("base64url");
  const withKey = { AGENT_PLATFORM_EMULATOR_API_KEY: key };
  const command = (folder: string): string =>
    `cd '${folder}' && exec langgraph dev --no-browser --no-reload --port {port}`;
  const agents = Object.entries(own.folders).flatMap(([name, folder]) => ["--agent", `${name}=${command(folder)}`]);
  const platforms: readonly (readonly [name: string, flags: readonly string[], env: NodeJS.ProcessEnv])[] = [
    ...Object.entries(PLATFORMS).map(([name, flags]) => [name, flags, env] as const),
    [OWN_AGENTS, agents, own.env],
  ];
  const servers: RunningServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  const found: NodeJS.ProcessEnv = { OFFICIAL_API_KEY: key };
  try {
    for (const [name, flags, around] of platforms) {
      const options = { cwd: checkout, env: { ...around, ...withKey } };
      const server = await startServer(process.execPath, [cli, "emulator", ...QUICK, ...flags], options);
      servers.push(server);
      found[name] = Started.parse(JSON.parse(server.firstLine)).url;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: found, stop };
}
