import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { CliError } from "./cli-error";
import { printedAs, type Target } from "./pulumi";
import { stateIn, stateOf, type StackState } from "./stack-state";

const Backend = z.object({ url: z.string() });

/** How long a backend may take to say where it is, in milliseconds. Behind a firewall the engine would wait for minutes. */
const ANSWER_MS = 20_000;

/**
 * Reads the states of stacks, by their full names (`organization/shop/prod`): from the files of a backend that keeps them in a folder, elsewhere by a
 * `pulumi stack export` each, which takes a hundred times as long. Secrets stay encrypted. Throws CliError where the backend does not answer.
 */
export async function stateReader(
  target: Target,
  deadline = AbortSignal.timeout(ANSWER_MS),
): Promise<(stack: string) => Promise<StackState>> {
  const folder = await backendFolder({ ...target, deadline });
  if (deadline.aborted)
    throw new CliError(
      "the backend that keeps the states has not answered for 20 seconds: check the address that " +
        "PULUMI_BACKEND_URL or `pulumi login` names, and the way there",
    );
  return async (stack) => {
    const text = folder === undefined ? undefined : await stateFile(folder, stack);
    return text === undefined ? stateOf(stack, target) : stateIn(text);
  };
}

/** The folder of the backend; undefined if it keeps its states elsewhere. */
export async function backendFolder(target: Target): Promise<string | undefined> {
  const { url } = await printedAs(Backend, ["whoami", "--verbose"], target).catch(() => ({ url: "" }));
  const path = /^file:\/\/(~?\/[^?]*|~)/.exec(url)?.[1];
  return path?.replace(/^~/, homedir());
}

/** The text of a state; undefined if the folder has it under another name, in another form, or in several. */
async function stateFile(folder: string, stack: string): Promise<string | undefined> {
  const [, project = "", name = ""] = stack.split("/");
  const path = join(folder, ".pulumi", "stacks", project, `${name}.json`);
  const forms = ["", ".gz", ".zst"].map((suffix) => readFile(path + suffix).catch(() => undefined));
  const [plain, gzipped, other] = await Promise.all(forms);
  if ([plain, gzipped, other].filter((form) => form !== undefined).length !== 1) return undefined;
  return (plain ?? (gzipped && (await promisify(gunzip)(gzipped))))?.toString("utf8");
}
