import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createSandboxRegistryBody } from "./sandbox-registry-body";

/** A registry of images as stored. Only the record holds username and password, never an answer. */
export interface SandboxRegistryRecord extends StoredRecord {
  name: string;
  url: string;
  username: string;
  password: string;
}

const recordSchema = storedRecord.extend(createSandboxRegistryBody.shape);

/** The registries; out of band they are found by name too. */
export const sandboxRegistries = defineCollection<SandboxRegistryRecord>(
  "sandbox_registries",
  recordSchema,
  ({ name }) => [name],
);
