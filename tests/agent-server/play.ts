import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { installAgentServer } from "./install";

/** Something that the official client does (official-client.mjs, acts), with the fields of its own `payload`. */
export interface Scene {
  readonly name: string;
  readonly act:
    "stateless" | "thread" | "secondRun" | "unknownThread" | "join" | "joinFinished" | "joinUnknown" | "resume";
  /** @default "agent" */
  readonly assistant?: string;
  readonly input?: unknown;
  readonly streamMode?: string | readonly string[];
  readonly streamSubgraphs?: boolean;
}

const Chunk = z.object({ event: z.string(), data: z.unknown() });
const Failure = z.object({ name: z.string(), status: z.number().optional(), message: z.string() });
const Seen = z.record(z.string(), z.object({ chunks: z.array(Chunk), error: Failure.optional() }));

export type Chunk = z.infer<typeof Chunk>;
/** The result of each scene, by name. */
export type Seen = z.infer<typeof Seen>;

/** Plays the scenes one after the other with the official client, in a process of its own. */
export async function play(
  scenes: readonly Scene[],
  address: { readonly url: string; readonly apiKey?: string },
): Promise<Seen> {
  await installAgentServer();
  const child = spawn(process.execPath, [join(__dirname, "official-client.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ ...address, scenes }));
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (output === "") throw new Error("the official client ended before it printed anything; its errors are above");
  const json: unknown = JSON.parse(output);
  return Seen.parse(json);
}
