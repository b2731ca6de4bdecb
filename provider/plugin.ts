import { messageOf } from "./base/errors";
import { version } from "./base/version";
import { FUNCTIONS } from "./functions/functions";
import type { Offer } from "./native/offer";
import { schemaOf } from "./native/schema";
import { serve } from "./native/serve";
import { openedOf } from "./opened";
import { readerOf } from "./reading";
import { KINDS } from "./resources/kinds";
import { openResource, RESOURCES } from "./resources/registry";

/** Everything that the native plugin offers. */
export const OFFER: Offer = {
  version: version(),
  kinds: new Map(
    KINDS.map((kind) => {
      const { table, naturalKey, fill } = RESOURCES[kind];
      return [kind, { table, naturalKey, fill, open: (session) => openResource(kind, session) }];
    }),
  ),
  functions: new Map(
    [...FUNCTIONS].map(([name, called]) => [
      name,
      {
        args: Object.keys(called.args),
        call: (given, { resolved, session }) => called.call(given, readerOf(openedOf(resolved, session))),
      },
    ]),
  ),
  schema: () =>
    JSON.stringify(
      schemaOf({
        version: version(),
        kinds: KINDS.map((kind) => RESOURCES[kind]),
        functions: FUNCTIONS,
      }),
    ),
};

/** Serves the native plugin to the engine that started this process (plugin/). */
export function main(): void {
  serve(OFFER).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
