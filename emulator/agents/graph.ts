/** How a part of the state takes an update: the last value stays, or a list grows. */
export type Channels = Readonly<Record<string, "last" | "append">>;

/** The state of a graph; a channel that nothing was written to is missing. */
export type State = Readonly<Record<string, unknown>>;

/**
 * One thing that a node does. In texts and data `{name}` stands for the state's value of that name, `{reply}` for the text
 * of the node's last model call and `{message}` for its message; a text that is nothing else becomes the value itself.
 */
export type Action =
  /** Data of the graph's own (mode custom). */
  | { readonly type: "custom"; readonly data: unknown }
  /** Time by the emulator's clock; `from`: as many milliseconds as the state says. */
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
  /** `tokens` of `size` characters (Infinity: no end) as fast as somebody reads; waits for a reader, ends with the last. */
  | { readonly type: "flood"; readonly tokens: number; readonly size: number };

/** Does its actions in order, then writes its update; or is a graph of its own. */
export type Node =
  | { readonly actions?: readonly Action[]; readonly update?: Readonly<Record<string, unknown>> }
  | { readonly subgraph: Graph };

/** A graph as data: super-steps one after the other, the nodes of each side by side. */
export interface Graph {
  readonly channels: Channels;
  readonly steps: readonly Readonly<Record<string, Node>>[];
}
