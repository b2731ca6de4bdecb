import type { z } from "zod";
import { type Answer, NO_BODY, type Send } from "../../http/request";
import { segment } from "../../http/segment";
import { PAUSES_MS } from "../create";
import { wireName } from "../fields/rename";
import type { Table } from "../fields/table";
import type { Context, Found } from "../observe/context";
import { mapFound, type Observation, observe, observeInPages } from "../observe/observation";

/** An answer, or the body of a request: the fields of the table, and any others. */
export type Live = Readonly<Record<string, unknown>>;

/**
 * A plain collection of the platform: POST and GET at its path, GET, PATCH and DELETE of one object below it, under its id (by-id.ts) or its name
 * (by-name.ts).
 */
export class RestCollection {
  readonly keyName: string;

  /**
   * @param pages All objects, or those that the platform's filters leave, a page at a time; never kept.
   * @param isDeleted Whether an answer to a DELETE is the platform's own; any other success may come from a gateway in between.
   */
  constructor(
    readonly table: Table,
    readonly path: string,
    readonly live: z.ZodType<Live>,
    readonly idOf: (live: Live) => string,
    readonly pages: (send: Send, filters?: Readonly<Record<string, string>>) => AsyncGenerator<Answer<readonly Live[]>>,
    private readonly isDeleted = ({ status }: Answer<unknown>): boolean => status === 204,
  ) {
    this.keyName = keyNameOf(table);
  }

  /** The path of one object. @param key Its id or its name. */
  pathOf(key: string): string {
    return `${this.path}/${segment(key)}`;
  }

  readonly foundIn = (live: Live): Found<Live> => ({ id: this.idOf(live), live });

  async lookUp(send: Send, key: string): Promise<Observation<Found<Live>>> {
    return mapFound(await observe(() => send({ method: "GET", path: this.pathOf(key) }, this.live)), this.foundIn);
  }

  /** Looks for the first object in the list that fits. */
  async lookInList(send: Send, fits: (live: Live) => boolean): Promise<Observation<Found<Live>>> {
    return mapFound(await observeInPages(this.pages(send), fits), this.foundIn);
  }

  /** Sends the DELETE. False if its success may be a gateway's: a look then shows whether the object is gone. */
  async delete(send: Send, key: string): Promise<boolean> {
    return this.isDeleted(await send({ method: "DELETE", path: this.pathOf(key) }, NO_BODY));
  }
}

/** The platform's name of the natural key. */
export const keyNameOf = ({ naturalKey = "", fields }: Table): string =>
  wireName(naturalKey, fields[naturalKey]) ?? naturalKey;

/** True only if both are ids of the platform, and differ. */
export const areTwo = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one !== other;

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
