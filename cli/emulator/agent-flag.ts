import { InvalidArgumentError } from "commander";
import { EmulatorError } from "../../emulator/base/emulator-error";
import { isOnThisMachine, ownServer, type OwnAgent } from "../../emulator/agents/options";
import { deployments } from "../../emulator/platform/deployment-record";
import { revisions } from "../../emulator/platform/revision-record";
import type { Store } from "../../emulator/store/store";
import { lineText } from "../base/printable";

/** The text of --help about `--agent`. */
export const AGENT_HELP = `
With --agent NAME=SERVER, your own server is the agent of the deployments of that name (docs/emulator.md). SERVER is an \
address, such as http://127.0.0.1:2024, or a command, such as 'langgraph dev --no-browser --port {port}': one process for \
each revision, with its environment, and its port in PORT. The revision is DEPLOYED when it answers GET /ok.`;

/** The agents by name, those before and the one that a `--agent` describes. Throws what commander prints with the name of the option. */
export function oneMoreAgent(
  text: string,
  earlier: Readonly<Record<string, OwnAgent>> = {},
): Readonly<Record<string, OwnAgent>> {
  const at = text.indexOf("=");
  const [name, server] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || server.trim() === "") {
    throw new InvalidArgumentError("it has to be NAME=SERVER: the name of a deployment, and an address or a command.");
  }
  if (Object.hasOwn(earlier, name)) throw new InvalidArgumentError(`the agent ${lineText(name)} is given twice.`);
  return { ...earlier, [name]: serverIn(name, server) };
}

function serverIn(name: string, server: string): OwnAgent {
  const address = isHere(server) ? `http://${server}` : server;
  if (/^[\w.-]+:\d+$/.test(server) && !isHere(server)) {
    throw new InvalidArgumentError(
      `${server} is not on this machine: write its whole address, such as https://${server}. Requests then go there, without the emulator's key.`,
    );
  }
  if (!/^https?:\/\//.test(address)) return { command: server };
  try {
    ownServer(name, address);
    return address;
  } catch (error) {
    throw error instanceof EmulatorError ? new InvalidArgumentError(error.message) : error;
  }
}

/** An address of this machine may lack its scheme. */
const isHere = (server: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):\d{1,5}$/.test(server);

/** A line for each agent of the user's own. */
export function agentLines(agents: Readonly<Record<string, OwnAgent>>): string[] {
  return Object.entries(agents).map(([name, given]) => {
    const own = ownServer(name, given);
    const what = `Agent of deployment ${lineText(name)}:`;
    if ("command" in own) return `${what} ${lineText(own.command)}`;
    const where = isOnThisMachine(own.url)
      ? ""
      : " (not on this machine: requests go there, without the emulator's key)";
    return `${what} ${own.url.href}${where}`;
  });
}

/** A warning that names the deployments that a command has served, and that have no agent of the user's own now; undefined for none. */
export function missingAgents(agents: Readonly<Record<string, OwnAgent>>, store: Store): string | undefined {
  const missing = deployments
    .in(store)
    .all()
    .filter(({ id, name, tenant_id: tenant, deleted_at: deleted }) => {
      const made = revisions.in(store).having(tenant, id);
      return deleted === null && !Object.hasOwn(agents, name) && made.some((revision) => revision.by_command);
    });
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => lineText(name)).join(", ");
  return `warning: Before, a command served ${names}. To start it again: --agent 'NAME=COMMAND'.`;
}
