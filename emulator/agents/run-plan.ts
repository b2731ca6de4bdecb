import { z } from "zod";
import type { GraphAssistant } from "./assistants";
import type { RunPlan } from "./runs";
import { streamMode } from "./sse";

const fields = z.record(z.string(), z.unknown()).nullish();

/** How a run is asked for, by a request or by a cron. */
export const runOptions = z.object({
  input: z.unknown().optional(),
  context: fields,
  config: z.looseObject({ configurable: fields, metadata: fields }).nullish(),
  metadata: fields,
  stream_mode: z.preprocess((mode) => (typeof mode === "string" ? [mode] : mode), z.array(streamMode).default([])),
  stream_resumable: z.boolean().default(false),
  stream_subgraphs: z.boolean().default(false),
  multitask_strategy: z.string().catch("enqueue"),
});

/** The names by which metadata says what runs. */
export const namesOf = ({ graphId, assistantId }: GraphAssistant) => ({ graph_id: graphId, assistant_id: assistantId });

export function planRun(
  assistant: GraphAssistant,
  given: z.infer<typeof runOptions>,
  { metadata, ...on }: Pick<RunPlan, "threadId" | "metadata" | "memory">,
): RunPlan {
  return {
    ...assistant,
    ...on,
    context: { ...assistant.context, ...given.config?.configurable, ...given.context },
    input: given.input,
    // An empty list means the default, as in the Python server.
    modes: given.stream_mode.length === 0 ? ["values"] : given.stream_mode,
    subgraphs: given.stream_subgraphs,
    resumable: given.stream_resumable,
    multitaskStrategy: given.multitask_strategy,
    metadata: {
      created_by: "system",
      ...{ ...metadata, ...given.config?.metadata, ...given.metadata },
      ...namesOf(assistant),
    },
  };
}
