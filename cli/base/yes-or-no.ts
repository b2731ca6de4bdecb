import { createInterface } from "node:readline";

/** A stream that may be a terminal. */
type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Asks the user at the terminal; undefined without a terminal. Only y or yes counts as yes; Ctrl-C and Ctrl-D do not. */
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
