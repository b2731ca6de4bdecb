import { isIP } from "node:net";
import { isLoopback, withScheme } from "./address";
import type { Connection } from "./connection";

type Addresses = Partial<Pick<Connection, "baseUrl" | "sandboxBaseUrl" | "agentDomain">>;

/**
 * Whether the key of a connection may be sent to this agent. Anybody who can change a deployment on the platform can choose its address, so the
 * configuration (the platform's own servers, hosts below them, `agentDomain`) or the program has to vouch for it.
 * @param declared The address as the program declares it.
 */
export function vouchesFor({ baseUrl, sandboxBaseUrl, agentDomain }: Addresses, url: string, declared = ""): boolean {
  const agent = new URL(url);
  const own = [baseUrl, sandboxBaseUrl].flatMap((address) => (address === undefined ? [] : [new URL(address)]));
  const servers = declared === "" ? own : [...own, new URL(withScheme(declared))];
  if (servers.some((server) => isSameServer(server, agent))) return true;
  const domains = own.map(({ hostname }) => hostname).filter((host) => !isLoopback(host) && isIP(host) === 0);
  return (
    agent.hostname === agentDomain ||
    [...domains, ...(agentDomain === undefined ? [] : [agentDomain])].some((host) =>
      agent.hostname.endsWith(`.${host}`),
    )
  );
}

/** localhost stands for both loopback addresses. Each of these matches only itself: on the other one, the port may belong to another user's server. */
const isSameServer = (server: URL, { protocol, hostname, port }: URL): boolean =>
  server.protocol === protocol &&
  server.port === port &&
  (server.hostname === hostname || (server.hostname === "localhost" && ["127.0.0.1", "[::1]"].includes(hostname)));
