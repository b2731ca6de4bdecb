import { z } from "zod";
import { streamMode, type StreamMode } from "../agents/stream-modes";
import { agentBody } from "./agent-body";

const runBody = z.object({
  assistant_id: z.union([z.uuid(), z.string()]),
  input: z.unknown().optional(),
  stream_mode: z.union([streamMode, z.array(streamMode)]).default("values"),
  stream_subgraphs: z.boolean().default(false),
  multitask_strategy: z.enum(["enqueue", "reject", "interrupt", "rollback"]).default("enqueue"),
  on_disconnect: z.enum(["continue", "cancel"]).default("continue"),
  if_not_exists: z.enum(["create", "reject"]).default("reject"),
});

/** The body of a request for a run. Fields that the emulator does not know are ignored, as real servers do. */
export interface RunBody extends Omit<z.infer<typeof runBody>, "stream_mode"> {
  readonly modes: readonly StreamMode[];
}

/** The body of POST …/runs, …/runs/stream and …/runs/wait. Schema: its name in the agent server's messages. */
export function readRunBody(body: string, schema: "RunCreateStateless" | "RunCreateStateful"): RunBody {
  const { stream_mode: mode, ...rest } = agentBody(runBody, body, schema);
  const modes = typeof mode === "string" ? [mode] : mode;
  // An empty list means the default, as in the Python server.
  return { ...rest, modes: modes.length === 0 ? ["values"] : modes };
}
