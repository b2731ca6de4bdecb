import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineServices from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import { realClock } from "../base/clock";

import { showDuration } from "../base/time";
import type { Log, Progress } from "../lifecycle/context";
import { engineText } from "./engine-text";

/** How often an unchanged status is repeated for people who watch. */
const REPEAT_MS = 15_000;
/** The least time between any two repeats: a thousand waits must not print a thousand lines. */
const BETWEEN_REPEATS_MS = 1000;

/** One line for the engine to show. */
export interface Line {
  readonly severity: "DEBUG" | "INFO" | "WARNING";
  readonly message: string;
  /** Replaced by the next line; an output that is not a terminal prints each. */
  readonly ephemeral: boolean;
  readonly urn?: string;
}

/** The log of the engine that runs this plugin; outside of a plugin, a log that says nothing. */
export function engineLog(argv: readonly string[] = process.argv): Log {
  const [, script = "", address = ""] = argv;
  if (!/dynamic-provider/.test(script) || !/:\d+$/.test(address))
    return { progress: () => undefined, warn: () => undefined, debug: () => undefined };
  let send: ((line: Line) => void) | undefined;
  return throttled((line) => {
    send ??= connect(address);
    send(line);
  });
}

/** Passes progress on when its status changes, else every 15 seconds, and at most once a second for all waits, which poll far more often. */
export function throttled(send: (line: Line) => void, now: () => number = () => realClock.now()): Log {
  const last = new Map<string | undefined, { status: string; at: number }>();
  let repeated = -Infinity;
  return {
    warn: (message) => send({ severity: "WARNING", message, ephemeral: false }),
    debug: (message) => send({ severity: "DEBUG", message, ephemeral: false }),
    progress: ({ status, waitedMs, note, urn }: Progress) => {
      const before = last.get(urn ?? status);
      if (before?.status === status) {
        if (now() - before.at < REPEAT_MS || now() - repeated < BETWEEN_REPEATS_MS) return;
        repeated = now();
      }
      last.set(urn ?? status, { status, at: now() });
      const message = `${status} (${showDuration(waitedMs)})${note === undefined ? "" : `; ${note}`}`;
      send({ severity: "INFO", message, ephemeral: true, urn });
    },
  };
}

function connect(address: string): (line: Line) => void {
  // The engine's client and its gRPC must come from the same installation of the SDK that runs this plugin.
  const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- a require has no type; the SDK promises this one
  const grpc: typeof Grpc = fromSdk("@grpc/grpc-js");
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- as above
  const services: typeof EngineServices = fromSdk("./proto/engine_grpc_pb");
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- as above
  const messages: typeof EngineMessages = fromSdk("./proto/engine_pb");
  const client = new services.EngineClient(address, grpc.credentials.createInsecure());
  return ({ severity, message, ephemeral, urn }) => {
    const request = new messages.LogRequest();
    request.setSeverity(messages.LogSeverity[severity]);
    request.setMessage(engineText(message));
    request.setEphemeral(ephemeral);
    if (urn !== undefined) request.setUrn(urn);
    // A lost line must not fail an operation.
    client.log(request, () => undefined);
  };
}
