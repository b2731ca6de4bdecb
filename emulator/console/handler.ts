import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { z } from "zod";
import { findObject, type ConsoleObject } from "./model/objects";
import type { RequestParts } from "./model/requests";
import type { SocketEnds } from "../server/request-handler";
import type { SessionAuth } from "./session-auth";
import type { KnownSecrets } from "./known-secrets";
import type { OpenPages, ShownPage } from "./live";
import type { ConsoleParts } from "./parts";
import type { View } from "./views";

/** What every request of the console has at hand. */
export interface ConsoleServices extends ConsoleParts, RequestParts {
  readonly sessionAuth: SessionAuth;
  readonly secrets: KnownSecrets;
  readonly live: OpenPages;
}

export interface Env {
  Bindings: SocketEnds;
}
export type ConsoleContext = Context<Env>;

/** A request that is refused: its status, and what a person reads. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly title: string,
    readonly reason: string,
    /** To be corrected, and sent again. */
    readonly form?: Child,
  ) {
    super(title);
  }
}

/** The object that a path names; 404 for none. */
export function consoleObjectOf({ store }: ConsoleParts, collection: string, id: string): ConsoleObject {
  const found = findObject(store, collection, id);
  if (found !== undefined) return found;
  throw new Refusal(404, "It is gone", "This object does not exist, or no longer exists.");
}

/** More than any form has. */
const MOST_BYTES = 256 * 1024;
const formText = z.string().max(MOST_BYTES);

/** The fields of a form, the last of each name. */
export async function formOf(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  const length = Number(request.headers.get("content-length") ?? 0);
  if (!type.startsWith("application/x-www-form-urlencoded"))
    throw new Refusal(415, "This is not a form", "Send a form.");
  if (length > MOST_BYTES) throw new Refusal(413, "This is too long", "No form is that long.");
  const text = formText.parse(await request.text());
  return new Map(new URLSearchParams(text));
}

/** Shows something else with every look; says so once it is gone. */
export type Look = () => ShownPage & { readonly view: View };
