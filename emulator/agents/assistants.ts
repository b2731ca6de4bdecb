import { createHash } from "node:crypto";
import { ApiError } from "../base/api-error";
import type { Graph } from "./graph";

/** A graph, and the ids by which a run names it. */
export interface GraphAssistant {
  readonly graphId: string;
  readonly assistantId: string;
  readonly graph: Graph;
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

/** Whether a text has the form of a UUID. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The agent server's answer to an unknown thread or assistant. */
export const unknownThreadOrAssistant = (): ApiError => new ApiError(404, "Thread or assistant not found.");

/** The assistants of a server, newest first, as a search returns them: each graph's own. */
export function allAssistants(graphs: Readonly<Record<string, Graph>>): readonly GraphAssistant[] {
  const all = Object.entries(graphs).map(([graphId, graph]) => ({
    graphId,
    assistantId: assistantIdOf(graphId),
    graph,
  }));
  return all.reverse();
}

/** The assistant with that id or name. Throws 404 for an unknown UUID and 422 for any other text, as the Python server does. */
export function findAssistant(graphs: Readonly<Record<string, Graph>>, wanted: string): GraphAssistant {
  const is = ({ graphId, assistantId }: GraphAssistant) => graphId === wanted || assistantId === wanted.toLowerCase();
  const found = allAssistants(graphs).findLast(is);
  if (found !== undefined) return found;
  if (isUuid(wanted)) throw unknownThreadOrAssistant();
  const choices = `- A valid assistant UUID, or\n- One of the registered graphs: ${Object.keys(graphs).join(", ")}`;
  throw new ApiError(422, `Invalid assistant: '${wanted}'. Must be either:\n${choices}`);
}
