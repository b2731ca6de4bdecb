import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import type { Handler } from "../../provider/dynamic/handler";
import { createSession, SILENT, type Session } from "../../provider/lifecycle/session";
import type { ResourceType } from "../../provider/resources/resource-types";
import { EventClock } from "./event-clock";
import { configured } from "./platform-under-test";
import { seededRandom } from "../../emulator/faults/trigger";

/** Requests of this process whose answers are not complete. */
let underWay = 0;
subscribe("http.client.request.start", (message) => {
  underWay += 1;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Node documents the message of this channel
  (message as { request: ClientRequest }).request.once("close", () => (underWay -= 1));
});

/** An emulator, and one process with many calls at once, on a clock that stands still while a request is under way. */
export class CrowdUnderTest {
  readonly warnings: string[] = [];
  readonly debug: string[] = [];
  readonly progress: string[] = [];
  private readonly session: Session;

  private constructor(
    readonly emulator: Emulator,
    readonly clock: EventClock,
  ) {
    this.session = createSession({
      clock,
      random: seededRandom(1),
      log: {
        ...SILENT,
        progress: ({ status, of = "" }) => this.progress.push(`${of} ${status}`),
        warn: (message) => this.warnings.push(message),
        debug: (message) => this.debug.push(message),
      },
    });
  }

  static async start(options: EmulatorOptions = {}): Promise<CrowdUnderTest> {
    const clock = new EventClock(Date.UTC(2030, 0, 1), () => underWay === 0);
    const after = (ms: number, then: () => void) => {
      const call = new AbortController();
      void clock.sleep(ms, call.signal).then(() => call.signal.aborted || then());
      return () => call.abort();
    };
    const emulator = await startEmulator({ clock: { now: () => clock.now(), after }, ...options });
    return new CrowdUnderTest(emulator, clock);
  }

  handler(kind: ResourceType, settings: Record<string, string> = {}): Promise<Handler> {
    const { url: baseUrl, apiKey } = this.emulator;
    return configured(kind, this.session, { baseUrl, apiKey, ...settings });
  }

  close(): Promise<void> {
    return this.emulator.close();
  }
}
