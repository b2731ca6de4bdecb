import { messageOf } from "./base/errors";
import { version } from "./base/version";
import { FUNCTIONS } from "./functions/functions";
import type { Offer } from "./native/offer";
import { schemaOf } from "./native/schema";
import { serve } from "./native/serve";
import { clientOf } from "./platform-client";
import { readerOf } from "./reading";
import { RESOURCE_TYPES } from "./resources/resource-types";
import { unawaited } from "./resources/rollout/unawaited";
import { openResource, RESOURCES } from "./resources/registry";

/** Everything that the native plugin offers. */
export const OFFER: Offer = {
  version: version(),
  kinds: new Map(
    RESOURCE_TYPES.map((kind) => {
      const { table } = RESOURCES[kind];
      return [kind, { table, open: (session) => openResource(kind, session) }];
    }),
  ),
  functions: new Map(
    [...FUNCTIONS].map(([name, called]) => [
      name,
      {
        args: Object.keys(called.args),
        call: (given, { resolved, session }) => called.call(given, readerOf(clientOf(resolved, session))),
      },
    ]),
  ),
  warnings: unawaited,
  schema: () =>
    JSON.stringify(
      schemaOf({
        version: version(),
        kinds: RESOURCE_TYPES.map((kind) => RESOURCES[kind]),
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
