import { join } from "node:path";
import { freePort, randomSecret } from "../base/loopback";
import { answers, serverProcess, type Server } from "../base/server";

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

/** The emulators under test, each a process: in `env` are their addresses and their key, what the tests need to reach them. */
export type Platforms = Awaited<ReturnType<typeof startPlatforms>>;

/** The agent servers that one of them has as agents. */
export interface OwnAgentServers {
  /** By the name of the agent, the folder of its langgraph.json, where the server keeps its database. */
  readonly folders: Readonly<Record<string, string>>;
  /** With their command on the PATH, and no way off this machine. */
  readonly env: NodeJS.ProcessEnv;
}

/** Starts them with one random key, which travels by environment alone. `cli` is the compiled cli/main.js; `room` takes their logs. */
export async function startPlatforms(env: NodeJS.ProcessEnv, cli: string, room: string, own: OwnAgentServers) {
  const key = randomSecret();
  const command = (folder: string): string =>
    `cd '${folder}' && exec langgraph dev --no-browser --no-reload --port {port}`;
  const agents = Object.entries(own.folders).flatMap(([name, folder]) => ["--agent", `${name}=${command(folder)}`]);
  const platforms = [
    ...Object.entries(PLATFORMS).map(([name, flags]) => ({ name, flags, around: env })),
    { name: OWN_AGENTS, flags: agents, around: own.env },
  ];
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  const found: NodeJS.ProcessEnv = { OFFICIAL_API_KEY: key };
  try {
    for (const { name, flags, around } of platforms) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      // Builds end soon, and yet not before a client has seen one on its way.
      const args = [cli, "emulator", "--build-seconds", "1", "--port", String(port), ...flags];
      const child = { ...around, AGENT_PLATFORM_EMULATOR_API_KEY: key };
      const started = {
        file: process.execPath,
        args,
        env: child,
        log: join(room, `${name}.log`),
        end: "SIGTERM",
      } as const;
      const server = serverProcess(name, started, () => answers(url));
      servers.push(server);
      await server.start();
      found[name] = flags.includes(BASE_PATH) ? url + BASE_PATH : url;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: found, stop };
}
