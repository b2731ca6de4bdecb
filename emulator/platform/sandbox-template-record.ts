import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createSandboxTemplateBody } from "./sandbox-template-body";

/** A sandbox template as stored. */
export interface SandboxTemplateRecord extends StoredRecord {
  name: string;
  image: string;
  resources: { cpu: string; memory: string; storage?: string };
  volume_mounts: { volume_name: string; mount_path: string }[];
  proxy_config: {
    rules: {
      name: string;
      match_hosts: string[];
      inject_headers: Record<string, string>;
      match_paths: string[];
      enabled: boolean;
    }[];
    no_proxy: string[];
  } | null;
  /** A sandbox runs from it: DELETE answers Conflict. Set out of band. */
  in_use: boolean;
  /** From an older version of the platform: answers have no id and no times. Set out of band, or by `oldTemplateRows`. */
  is_old_row: boolean;
}

const recordSchema = storedRecord.extend({
  ...createSandboxTemplateBody.shape,
  in_use: z.boolean(),
  is_old_row: z.boolean().default(false),
});

/** The sandbox templates; out of band they are found by name too. */
export const sandboxTemplates = defineCollection<SandboxTemplateRecord>("sandbox_templates", recordSchema, (record) => [
  record.name,
]);
