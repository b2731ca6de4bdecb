import { hasTag, isFromNode, type RunEvent, type StreamMode } from "../../provider/tools";

/** Which events to show. An empty list lets everything through. */
export interface Filters {
  /** Tokens with one of these tags. */
  readonly tags: readonly string[];
  /** Tokens from one of these nodes. */
  readonly nodes: readonly string[];
  /** Events of these modes; for a join, because the run streams all modes that it was started with. */
  readonly modes: readonly StreamMode[];
}

/** Whether to show an event. Only tokens have tags and nodes: every other event passes those filters. */
export function passes(event: RunEvent, { tags, nodes, modes }: Filters): boolean {
  if (modes.length > 0 && !modes.some((mode) => mode === event.mode)) return false;
  if (event.mode !== "messages-tuple") return true;
  return any(tags, (tag) => hasTag(event, tag)) && any(nodes, (node) => isFromNode(event, node));
}

const any = (wanted: readonly string[], matches: (one: string) => boolean): boolean =>
  wanted.length === 0 || wanted.some(matches);
