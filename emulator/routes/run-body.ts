import { z } from "zod";
import { streamMode, type StreamMode } from "../agents/stream-modes";
import { ApiError } from "../base/api-error";
import { agentJson } from "./agent-body";

const runBody = z.object({
  assistant_id: z.string(),
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
  const value = agentJson(body);
  const parsed = runBody.safeParse(value);
  if (!parsed.success) throw refusal(parsed.error, value, schema);
  const { stream_mode: mode, ...rest } = parsed.data;
  const modes = typeof mode === "string" ? [mode] : mode;
  // An empty list means the default, as in the Python server.
  return { ...rest, modes: modes.length === 0 ? ["values"] : modes };
}

const ENUM_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  multitask_strategy: runBody.shape.multitask_strategy.unwrap().options,
  on_disconnect: runBody.shape.on_disconnect.unwrap().options,
  if_not_exists: runBody.shape.if_not_exists.unwrap().options,
};

/** 422 with a text, not with a list, as the Python server answers. */
function refusal(error: z.ZodError, body: unknown, schema: string): ApiError {
  const field = String(error.issues[0]?.path[0] ?? "");
  const fields = z.record(z.string(), z.unknown()).safeParse(body);
  if (!fields.success) return problem(`${JSON.stringify(body)} is not of type "object"`, "type", schema, "", body);
  const value = fields.data[field];
  const shown = JSON.stringify(value);
  if (value === undefined) return problem(`"${field}" is a required property`, "required", schema, "", body);
  if (field === "stream_subgraphs") {
    return problem(`${shown} is not of type "boolean"`, "type", schema, field, value);
  }
  const options = ENUM_OPTIONS[field];
  if (options !== undefined) {
    const listed = options.map((option) => `"${option}"`).join(" or ");
    return problem(`${shown} is not one of ${listed}`, "enum", schema, field, value);
  }
  const anyOf = `${shown} is not valid under any of the schemas listed in the 'anyOf' keyword`;
  return problem(anyOf, "anyOf", schema, field, value);
}

function problem(message: string, keyword: string, schema: string, field: string, instance: unknown): ApiError {
  const at = field === "" ? "" : `["properties"]["${field}"]`;
  const where = field === "" ? "" : `["${field}"]`;
  const failed = `Failed validating "${keyword}" in schema["components"]["schemas"]["${schema}"]${at}`;
  return new ApiError(422, `${message}\n\n${failed}\n\nOn instance${where}:\n    ${JSON.stringify(instance)}`);
}
