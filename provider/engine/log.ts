import { closeSync, openSync } from "node:fs";
import type * as EngineServices from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import { realClock } from "../base/clock";
import { nameInUrn } from "../base/engine-format";
import { showDuration } from "../base/time";
import type { Log, Progress } from "../lifecycle/observe/context";
import { fromSdk, grpcOfSdk } from "./sdk";
import { safeText } from "../base/masker";

/** How often an unchanged status is repeated for people who watch. */
const REPEAT_MS = 15_000;
/** The least time between any two repeats: a thousand waits must not print a thousand lines. */
const BETWEEN_REPEATS_MS = 1000;
/** How many names a line at the end of a run has. */
const NAMED = 3;

export interface Line {
  readonly severity: "DEBUG" | "INFO" | "WARNING";
  readonly message: string;
  /** Replaced by the next line, and gone at the end of the run; an output that is not a terminal prints each (docs/internals/engine.md, trap 57). */
  readonly ephemeral: boolean;
  readonly urn?: string | undefined;
}

/** Resolves once the line has arrived, or is lost: that must not fail an operation. */
type SendLine = (line: Line) => Promise<void>;

/** The log of a plugin; `ended` gives its closing lines: messages that several resources share, and how the waits ended. */
type EngineLog = Log & { readonly ended: () => string[] };

/** The log of the engine at this address; where there is none, outside of a plugin, it says nothing. A plugin of dynamic resources does not learn of its end. */
export function engineLog(engine: string | undefined): Log {
  const log = throttled(linesTo(engine), isWatched(process.env));
  const told = new Set<string>();
  const alike = (message: string, name: string): void => {
    if (!told.has(message)) log.info(`${message} (first in ${name})`);
    told.add(message);
  };
  return { ...log, alike };
}

/**
 * Whether somebody may watch the rows of this run: it has a terminal, and `CI` does not say that it is a pipeline. The engine does not say what it prints to, which a plugin inherits
 * no part of but the terminal of its session.
 */
export function isWatched({ CI: pipeline = "" }: NodeJS.ProcessEnv, terminal = "/dev/tty"): boolean {
  if (!["", "0", "false"].includes(pipeline)) return false;
  try {
    closeSync(openSync(terminal, "r"));
    return true;
  } catch {
    // Windows has no such file.
    return process.platform === "win32";
  }
}

/** Sends lines to the engine at this address. The first line connects. */
export function linesTo(engine: string | undefined): SendLine {
  let send: SendLine | undefined;
  return (line) => {
    if (engine === undefined) return Promise.resolve();
    send ??= connect(engine);
    return send(line);
  };
}

/**
 * Passes progress on when its status changes, else every 15 seconds, and at most once a second for all waits, which poll far more often; none of it where
 * nobody watches, since a log keeps each line.
 */
export function throttled(send: SendLine, watched: boolean, now: () => number = () => realClock.now()): EngineLog {
  const last = new Map<string | undefined, { status: string; at: number }>();
  let repeated = -Infinity;
  const ended: { readonly status: string; readonly waitedMs: number; readonly name: string }[] = [];
  const alike = new Map<string, string[]>();
  return {
    warn: (message) => void send({ severity: "WARNING", message, ephemeral: false }),
    info: (message, urn) => void send({ severity: "INFO", message, ephemeral: false, urn }),
    alike: (message, name) => void alike.set(message, [...(alike.get(message) ?? []), name]),
    debug: (message, urn) => void send({ severity: "DEBUG", message, ephemeral: false, urn }),
    progress: ({ status, of, waitedMs, note, urn }: Progress) => {
      if (!watched) return;
      const key = urn ?? of ?? status;
      const before = last.get(key);
      if (before?.status === status) {
        if (now() - before.at < REPEAT_MS || now() - repeated < BETWEEN_REPEATS_MS) return;
        repeated = now();
      }
      last.set(key, { status, at: now() });
      const time = showDuration(waitedMs);
      const message = [of === undefined ? `${status} (${time})` : `${status} ${time}`, note ?? []].flat().join("; ");
      void send({ severity: "INFO", message, ephemeral: true, urn });
    },
    finishProgress: async ({ status, waitedMs, urn }) => {
      if (urn !== undefined && waitedMs !== undefined) ended.push({ status, waitedMs, name: nameInUrn(urn) });
      const message = waitedMs === undefined ? status : `${status} in ${showDuration(waitedMs)}`;
      if (watched) await send({ severity: "INFO", message, ephemeral: true, urn });
    },
    ended: () => {
      const parts = [...new Set(ended.map(({ status }) => status))].map((status) => {
        const all = ended.filter((each) => each.status === status).sort((a, b) => b.waitedMs - a.waitedMs);
        return `${status}: ${listed(
          all.map(({ name, waitedMs }) => `${name} in ${showDuration(waitedMs)}`),
          "more sooner",
        )}`;
      });
      const told = [...alike].map(([message, names]) => `${message} (${listed(names.sort(), "more")})`);
      return parts.length === 0 ? told : [...told, parts.join("; ")];
    },
  };
}

const listed = (all: readonly string[], more: string): string =>
  [...all.slice(0, NAMED), ...(all.length > NAMED ? [`${all.length - NAMED} ${more}`] : [])].join(", ");

function connect(address: string): SendLine {
  const services = fromSdk<typeof EngineServices>("./proto/engine_grpc_pb");
  const messages = fromSdk<typeof EngineMessages>("./proto/engine_pb");
  const client = new services.EngineClient(address, grpcOfSdk().credentials.createInsecure());
  return ({ severity, message, ephemeral, urn }) => {
    const request = new messages.LogRequest();
    request.setSeverity(messages.LogSeverity[severity]);
    request.setMessage(safeText(message));
    request.setEphemeral(ephemeral);
    if (urn !== undefined) request.setUrn(urn);
    return new Promise((resolve) => client.log(request, () => resolve()));
  };
}

/** The same, with an error that the engine may print: nothing in its texts is a secret that this process knows, or steers a terminal. */
export async function withEngineText<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // Where one of ours has no stack, a fault in the code has one, which repeats its message.
    if (error instanceof Error)
      Object.assign(error, { message: safeText(error.message), stack: safeText(error.stack ?? "") });
    throw error;
  }
}
