import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { BodyReader } from "../server/body-reader";
import type { SocketEnds } from "../server/request-handler";
import type { KnownSecrets } from "./known-secrets";
import type { ConsoleParts } from "./parts";

/** What every request of the console has at hand. */
export interface ConsoleServices extends ConsoleParts {
  readonly secrets: KnownSecrets;
}

export interface Env {
  Bindings: SocketEnds;
}
export type ConsoleContext = Context<Env>;

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
const bodies = new BodyReader(256 * 1024);

/** The fields of a form, the last of each name. */
export async function formOf({ env: { incoming } }: ConsoleContext): Promise<ReadonlyMap<string, string>> {
  if (incoming.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true)
    throw new Refusal(415, "This is not a form", "Send a form.");
  const { bytes, refusal } = await bodies.read(incoming, "all");
  if (refusal !== undefined) throw new Refusal(refusal.status, "This is too long", "No form is that long.");
  return new Map(new URLSearchParams(Buffer.from(bytes).toString()));
}
