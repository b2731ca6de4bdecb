import type { JsonObject } from "../base/json";

// Apart from handler.ts: the public type of the handlers must not lead to zod.

/** Called by the engine's plugin for dynamic resources; the shape of a dynamic provider (@pulumi/pulumi/dynamic, ResourceProvider). */
export interface Handler {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ inputs: JsonObject; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: JsonObject): Promise<{ id: string; outs: JsonObject }>;
  read(id: string, props: JsonObject): Promise<{ id: string; props: JsonObject; inputs?: JsonObject }>;
  update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }>;
  delete(id: string, props: JsonObject): Promise<void>;
}
