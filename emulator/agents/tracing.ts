import type { ChunkEmitter } from "./chunk-emitter";

type Fields = Readonly<Record<string, unknown>>;

/** Something that begins and ends within a run: the run itself, a node, a subgraph, a model call. */
export interface RunSpan {
  readonly id: string;
  readonly name: string;
  readonly kind: "chain" | "chat_model";
  readonly tags: readonly string[];
  readonly metadata: Fields;
  /** Outermost first. */
  readonly parents: readonly string[];
}

/** The chunk of mode events: `on_<kind>_<moment>` of a span. */
export function emitSpan(
  emitter: ChunkEmitter,
  span: RunSpan,
  moment: "start" | "stream" | "end",
  data: () => Fields,
): Promise<unknown> | undefined {
  return emitter.emit("events", [], () => ({
    event: `on_${span.kind}_${moment}`,
    data: data(),
    name: span.name,
    tags: span.tags,
    run_id: span.id,
    metadata: span.metadata,
    parent_ids: span.parents,
  }));
}
