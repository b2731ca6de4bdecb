import { Workspaces } from "../../provider/lifecycle/observe/workspace";
import type { Context } from "../../provider/lifecycle/observe/context";
import { SILENT } from "../../provider/lifecycle/session";
import { connectionTo } from "./connection";
import { FakeClock } from "./fake-clock";

/** What a verb works with, for a unit below it. A request fails, unless the test says how it is answered. */
export function contextWith(over: Partial<Context>): Context {
  const { send = () => Promise.reject(new Error("not asked")) } = over;
  return {
    connection: connectionTo("http://127.0.0.1"),
    send,
    sendToSandboxes: send,
    sendTo: () => send,
    clock: new FakeClock(),
    random: () => 0.5,
    log: SILENT,
    writes: { count: 0 },
    workspaces: new Workspaces(),
    program: { of: () => [] },
    isFirstTo: () => true,
    checkAlive: () => Promise.resolve(),
    call: {},
    ...over,
  };
}
