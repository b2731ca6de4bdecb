import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { leniently } from "../base/errors";

/** Where Linux says which user has which end of a connection. */
const TABLE = "/proc/net/tcp";

/**
 * Closes connections of other users to any server of this process before a byte is read: the protocol has no password, and a caller of the plugin could
 * stop it and use its keys. The engine runs as this user. If the system does not say who owns a connection, it is accepted.
 */
export function refuseOtherUsers(): void {
  subscribe("net.server.socket", (message) => {
    if (!(typeof message === "object" && message !== null && "socket" in message)) return;
    const { socket } = message;
    if (socket instanceof Socket && isOfAnother(socket, leniently(() => readFileSync(TABLE, "latin1")) ?? ""))
      socket.destroy();
  });
}

const LISTENS = "0A";
/** An end that its process has closed has no user any more, or root. */
const CONNECTED = "01";

/** Whether a connection comes from another user. A table that lacks our own end says nothing. */
export function isOfAnother(
  { localPort, remotePort, remoteAddress }: Pick<Socket, "localPort" | "remotePort" | "remoteAddress">,
  table: string,
): boolean {
  const own = [String(process.getuid?.()), "0"];
  const rows = table.matchAll(/^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) ([\dA-F]{2}) \S+ \S+ \S+ +(\d+) /gm);
  let [isListed, isOurs] = [false, false];
  for (const [, ...columns] of rows) {
    const [from, to] = columns.map((port) => Number.parseInt(port, 16));
    const [, , state, uid = ""] = columns;
    if (!own.includes(uid)) continue;
    if (from === localPort && state === LISTENS) isListed = true;
    if (from === remotePort && to === localPort && state === CONNECTED) isOurs = true;
  }
  // The table of this version of IP alone is read, and from another address of this machine anybody can use the engine's port.
  return isListed && !(isOurs && remoteAddress === "127.0.0.1");
}
