import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createSandboxTemplateBody } from "./resource-bodies";

const recordSchema = storedRecord.extend({
  ...createSandboxTemplateBody.shape,
  /** A sandbox runs from it: DELETE answers Conflict. Set out of band. */
  in_use: z.boolean(),
  /** From an older version of the platform: answers have no id and no times. Set out of band, or by `oldTemplateRows`. */
  is_old_row: z.boolean().default(false),
});

/** The sandbox templates; out of band they are found by name too. */
export const sandboxTemplates = defineCollection("sandbox_templates", recordSchema, (record) => [record.name]);
export type SandboxTemplateRecord = RecordOf<typeof sandboxTemplates>;
