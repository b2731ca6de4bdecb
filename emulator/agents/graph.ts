import { createHash } from "node:crypto";

/** How a channel of the state takes an update: the last value stays, or a list grows. */
export type Channels = Readonly<Record<string, "last" | "append">>;

/** The state of a graph; a channel that was never written is missing. */
export type GraphState = Readonly<Record<string, unknown>>;

/**
 * A step of a node. In texts and data `{name}` stands for the value of that name in the state or the context, `{reply}` for the text of the
 * node's last model call and `{message}` for its message; a text that is only a placeholder becomes the value itself.
 */
export type Action =
  /** A chunk of mode custom. */
  | { readonly type: "custom"; readonly data: unknown }
  /** A pause by the emulator's clock; `from` names the state's value that holds the milliseconds. */
  | { readonly type: "delay"; readonly ms: number | { readonly from: string } }
  /** A model call: `text` comes character by character, or whole with `streaming: false`. */
  | {
      readonly type: "model";
      readonly text: string;
      readonly prompt?: string;
      readonly tags?: readonly string[];
      readonly tokenDelayMs?: number;
      readonly streaming?: boolean;
    }
  /** Fails the run; with `when` only if the state has a value of that name that is not empty. */
  | { readonly type: "throw"; readonly error: string; readonly message: string; readonly when?: string }
  /** `tokens` of `size` characters (Infinity: no end) as fast as the readers take them; waits for the first reader, ends with the last. */
  | { readonly type: "flood"; readonly tokens: number; readonly size: number };

/** A node: runs its actions in order and then writes its update; or it is a graph of its own. */
export type Node =
  | { readonly actions?: readonly Action[]; readonly update?: Readonly<Record<string, unknown>> }
  | { readonly subgraph: Graph };

/** A graph as data: super-steps one after the other, the nodes of each side by side. */
export interface Graph {
  readonly channels: Channels;
  /** What the context has where neither the assistant nor the run gives it. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Readonly<Record<string, Node>>[];
}

/** The namespace in which real agent servers derive the id of a graph's own assistant. */
const ASSISTANT_NAMESPACE = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");

/** The id of a graph's own assistant: the same on every server (UUID version 5 of the graph's name). */
export const assistantIdOf = (graphId: string): string => uuidOf(graphId);

/** The UUID version 5 of a name: the same name has the same one. */
export function uuidOf(name: string): string {
  const bytes = createHash("sha1").update(ASSISTANT_NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
