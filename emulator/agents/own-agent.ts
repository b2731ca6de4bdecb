import { EmulatorError } from "../base/emulator-error";

/** A server of the user's own, as the agent of the deployments of a name: its address, or the command that starts it. */
export type OwnAgent = string | { readonly command: string };

/** The same, checked. */
export type OwnServer = { readonly url: URL } | { readonly command: string };

/** Throws EmulatorError, with the remedy, for what is neither an address nor a command. */
export function ownServer(name: string, given: OwnAgent): OwnServer {
  if (typeof given !== "string") {
    if (given.command.trim() !== "") return { command: given.command };
    throw new EmulatorError(`The command of agent "${name}" is empty.`);
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.username === "") return { url };
  throw new EmulatorError(
    `The agent "${name}" needs a whole address without a name or password in it, such as http://127.0.0.1:2024.`,
  );
}

/** Whether requests to it stay on this machine. */
export const isOnThisMachine = ({ hostname }: URL): boolean =>
  ["localhost", "[::1]"].includes(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname);
