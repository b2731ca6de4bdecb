import { isOfAnother } from "./peers";

const OURS = process.getuid?.() ?? 0;
const OTHERS = OURS + 1;
const row = (from: number, to: number, state: string, uid: number): string =>
  `   0: 0100007F:${hex(from)} 0100007F:${hex(to)} ${state} 00000000:00000000 00:00000000 00000000  ${String(uid).padStart(4)}        0 1165 1 0000 100 0 0 10 0`;
const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");
const table = (...rows: string[]): string =>
  [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    row(4000, 0, "0A", OURS),
    row(4000, 5000, "01", OURS),
    ...rows,
  ].join("\n");

describe("whether a connection from port 5000 to ours, 4000, is another user's", () => {
  test.each<[reason: string, isOthers: boolean, table: string, remoteAddress?: string]>([
    ["this user's", false, table(row(5000, 4000, "01", OURS))],
    ["root's", false, table(row(5000, 4000, "01", 0))],
    ["another user's", true, table(row(5000, 4000, "01", OTHERS))],
    ["one that is closed already, which counts as root's", true, table(row(5000, 4000, "05", 0))],
    ["one of another version of IP, or gone", true, table()],
    ["one to another port", true, table(row(5000, 4001, "01", OURS))],
    ["from another address, at the port of the engine's", true, table(row(5000, 4000, "01", OURS)), "127.0.0.2"],
    ["on a system without the table nobody knows", false, ""],
    ["nor where the table lacks our own end", false, row(5000, 4000, "01", OTHERS)],
  ])("%s", (_reason, isOthers, given, remoteAddress = "127.0.0.1") => {
    expect(isOfAnother({ localPort: 4000, remotePort: 5000, remoteAddress }, given)).toBe(isOthers);
  });
});
