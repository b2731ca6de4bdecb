import { z } from "zod";

const EngineLine = z.object({ time: z.string(), level: z.string(), msg: z.string() });
const OUR_TEXT =
  / answered \d{3}\b| got no answer: |: revision \S+ (is|ended) |deleting \w+ "| has a problem: |must be (an?|at|one) | is also in |stays on the platform/;

/**
 * Our own lines of a verbose log. The engine writes its own as JSON, one a line ({"time", "level", "msg", "v"}): they show what goes
 * over gRPC, literal secrets included, and that is the engine's doing (docs/internals/engine.md, trap 24). Ours are all lines of standard
 * error that are not of that form, and of those that are, every one whose message repeats a text that only this package writes:
 * what it throws, refuses, warns of or reports as progress.
 */
export function ownLines(log: string): string {
  const own = log.split("\n").filter((line) => {
    const message = messageOf(line);
    return message === undefined || OUR_TEXT.test(message);
  });
  return own.join("\n");
}

/** The message of a line of the engine's log; undefined for any other line. */
function messageOf(line: string): string | undefined {
  try {
    return EngineLine.parse(JSON.parse(line)).msg;
  } catch {
    return undefined;
  }
}

/**
 * An event log without the debug events in which Pulumi's own Node SDK repeats the engine's answer to a registration. It writes
 * them for every resource of every package, at any verbosity, with literal secrets in them (the engine masks those of the configuration).
 */
export function withoutSdkDebug(events: string): string {
  const isSdkDebug = (line: string): boolean =>
    /"diagnosticEvent":\{.*"message":"(Register|Read)Resource RPC finished: .*"severity":"debug"\}\}$/.test(line);
  return events
    .split("\n")
    .filter((line) => !isSdkDebug(line))
    .join("\n");
}
