import type { Context } from "hono";
import type { Child } from "hono/jsx";
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

/** The fields of a form, the last of each name. */
export async function formOf({ req }: ConsoleContext): Promise<ReadonlyMap<string, string>> {
  if (req.header("content-type")?.startsWith("application/x-www-form-urlencoded") !== true)
    throw new Refusal(415, "This is not a form", "Send a form.");
  return new Map(new URLSearchParams(await req.text()));
}
