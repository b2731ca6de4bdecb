import { createInterface } from "node:readline";

/** A stream that may be a terminal. */
type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Asks the person at the terminal; undefined where there is no terminal. Only y or yes is a yes: no answer (Ctrl-C, Ctrl-D) is none. */
export async function saysYes(
  question: string,
  input: Terminal<NodeJS.ReadableStream> = process.stdin,
  output: Terminal<NodeJS.WritableStream> = process.stderr,
): Promise<boolean | undefined> {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  const terminal = createInterface({ input, output });
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("close", () => resolve(undefined));
    terminal.question(`${question} [y/N] `, resolve);
  });
  terminal.close();
  if (answer === undefined) output.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
