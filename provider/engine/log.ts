import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineServices from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../lifecycle/definition";

/** How often an unchanged status is repeated, for a person who watches. */
const REPEAT_MS = 15_000;

type Send = (severity: "INFO" | "WARNING", message: string, ephemeral: boolean) => void;

/** The log of the engine that runs this plugin; outside of a plugin, a log that says nothing. */
export function engineLog(argv: readonly string[] = process.argv): Log {
  const [, script = "", address = ""] = argv;
  if (!/dynamic-provider/.test(script) || !/:\d+$/.test(address))
    return { progress: () => undefined, warn: () => undefined };
  let send: Send | undefined;
  return throttled((severity, message, ephemeral) => {
    send ??= connect(address);
    send(severity, message, ephemeral);
  });
}

/** Sends progress only when its text without the time in it changes, or every 15 seconds: a wait asks far more often. */
export function throttled(send: Send, now: () => number = Date.now): Log {
  const lastByObject = new Map<string, { status: string; at: number }>();
  return {
    warn: (message) => send("WARNING", message, false),
    progress: (message) => {
      // "deployment ...: revision r is BUILDING, 12s": the object is before the first ": ", the time behind the last comma.
      const object = message.split(": ", 1)[0] ?? message;
      const status = message.slice(0, message.lastIndexOf(","));
      const last = lastByObject.get(object);
      if (last?.status === status && now() - last.at < REPEAT_MS) return;
      lastByObject.set(object, { status, at: now() });
      send("INFO", message, true);
    },
  };
}

function connect(address: string): Send {
  // The engine's client and its gRPC must come from the same installation of the SDK that runs this plugin.
  const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- a require has no type; the SDK promises this one
  const grpc: typeof Grpc = fromSdk("@grpc/grpc-js");
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- as above
  const services: typeof EngineServices = fromSdk("./proto/engine_grpc_pb");
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- as above
  const messages: typeof EngineMessages = fromSdk("./proto/engine_pb");
  const client = new services.EngineClient(address, grpc.credentials.createInsecure());
  return (severity, message, ephemeral) => {
    const request = new messages.LogRequest();
    request.setSeverity(severity === "WARNING" ? messages.LogSeverity.WARNING : messages.LogSeverity.INFO);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    // A lost line is no reason to fail an operation.
    client.log(request, () => undefined);
  };
}
