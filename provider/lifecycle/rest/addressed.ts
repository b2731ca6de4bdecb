import type { z } from "zod";
import { type JsonObject, textIn } from "../../base/json";
import type { Answer, Send } from "../../http/request";
import { PAUSES_MS } from "../create";
import type { Deletion } from "../definition";
import type { Table } from "../fields/table";
import type { Context, Found, State } from "../observe/context";
import type { KeptList, Listing } from "../observe/kept-list";
import type { Observation } from "../observe/observation";
import type { Key } from "../observe/read-object";

/** An answer, or the body of a request: the fields of the table, and any others. */
export type Live = Readonly<Record<string, unknown>>;

/** A plain collection of the platform: POST and GET at its path, GET, PATCH and DELETE of one object below it. */
export interface RestCollection {
  readonly table: Table;
  readonly path: string;
  readonly live: z.ZodType<Live>;
  /** The platform's name of the natural key. */
  readonly keyName: string;
  /** The id in the state is the natural key. */
  readonly idIsKey: boolean;
  readonly idOf: (live: Live) => string;
  /** What GET accepts instead of the id, to find an object by name. @param inputs Those of the resource. @default a list finds the name */
  readonly alias?: ((name: string, inputs: JsonObject | undefined) => string) | undefined;
  /** All objects, or those that the platform's filters leave, a page at a time; never kept. */
  readonly pages: (send: Send, filters?: Readonly<Record<string, string>>) => AsyncGenerator<Answer<readonly Live[]>>;
  readonly list: KeptList<Live>;
  /** Whether an answer to a DELETE is the platform's own; any other success may come from a gateway in between. */
  readonly isDeleted: (answer: Answer<unknown>) => boolean;
  /** The output with the platform's id, if the id in state is not the platform's, because it had not assigned one yet. */
  readonly platformId?: string | undefined;
}

/** How the objects of a collection are found and changed below its path: under their id (by-id.ts), or under their name (by-name.ts). */
export interface Addressed {
  observe(context: Context, key: Key, listed?: Listing<Live>): Promise<Observation<Found<Live>>>;
  /** Sends the PATCH, which is idempotent. If there is nothing to send, only reads. */
  update(context: Context, state: State, body: Live): Promise<Live>;
  /** Removes the object, and returns when it is gone. */
  delete(context: Context, state: State): Promise<Deletion>;
}

/** True only if both answers show the platform's id and the ids differ. */
export function areTwo(one: Live, other: Live): boolean {
  const [first, second] = [textIn(one, "id"), textIn(other, "id")];
  return first !== undefined && second !== undefined && first !== second;
}

/** Looks, and looks again after {@link PAUSES_MS} until an answer is credible; otherwise returns the last one. */
export async function lookUntil<T>(
  { clock, signal }: Context,
  look: () => Promise<T>,
  isCredible: (seen: T) => boolean,
): Promise<T> {
  let seen = await look();
  for (const pause of PAUSES_MS) {
    if (isCredible(seen)) break;
    await clock.sleep(pause, signal);
    seen = await look();
  }
  return seen;
}
