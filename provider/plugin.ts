import { messageOf } from "./base/errors";
import { serve, type LoadComponents } from "./native/serve";

/** Serves the native plugin to the engine that started this process (plugin/). */
export function main(loadComponents: LoadComponents): void {
  serve(loadComponents).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
