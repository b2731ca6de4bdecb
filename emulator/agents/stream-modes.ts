import { z } from "zod";

// Apart from sse.ts, whose types are public: they must not lead to zod.

/** docs/internals/platform.md, Stream modes. */
export const streamMode = z.enum([
  "values",
  "updates",
  "messages-tuple",
  "messages",
  "debug",
  "tasks",
  "checkpoints",
  "custom",
  "events",
]);
export type StreamMode = z.infer<typeof streamMode>;
