import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { z } from "zod";
import type { SocketEnds } from "../server/request-handler";
import type { KnownSecrets } from "./known-secrets";
import type { ConsoleParts } from "./parts";
import type { SessionAuth } from "./session-auth";

/** What every request of the console has at hand. */
export interface ConsoleServices extends ConsoleParts {
  readonly sessionAuth: SessionAuth;
  readonly secrets: KnownSecrets;
}

export interface Env {
  Bindings: SocketEnds;
}
export type ConsoleContext = Context<Env>;

/** A query of a page, by name. */
export type Query = (name: string) => string | undefined;

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
