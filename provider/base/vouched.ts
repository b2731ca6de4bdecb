import { isIP } from "node:net";
import { isLoopback, withScheme } from "./address";
import type { Connection } from "./connection";

/** The addresses of a platform, as its configuration has them. */
type Addresses = Partial<Pick<Connection, "baseUrl" | "sandboxBaseUrl" | "agentDomain">>;

/**
 * Whether the key of a connection may go to this agent. Whoever may change a deployment on the platform chooses its address there, so that
 * somebody of ours has to vouch for it: the configuration (the platform's own servers, hosts below them, `agentDomain`), or the program.
 * @param declared The address as the program declares it.
 */
export function vouchesFor({ baseUrl, sandboxBaseUrl, agentDomain }: Addresses, url: string, declared = ""): boolean {
  const agent = new URL(url);
  const own = [baseUrl, sandboxBaseUrl].flatMap((address) => (address === undefined ? [] : [new URL(address)]));
  const servers = declared === "" ? own : [...own, new URL(withScheme(declared))];
  if (servers.some((server) => serverOf(server) === serverOf(agent))) return true;
  const domains = own.map(({ hostname }) => hostname).filter((host) => !isLoopback(host) && isIP(host) === 0);
  return (
    agent.hostname === agentDomain ||
    [...domains, ...(agentDomain === undefined ? [] : [agentDomain])].some((host) =>
      agent.hostname.endsWith(`.${host}`),
    )
  );
}

/** The names and addresses of this machine are one. */
const serverOf = ({ protocol, host, hostname, port }: URL): string =>
  `${protocol}//${isLoopback(hostname) ? `localhost:${port}` : host}`;
