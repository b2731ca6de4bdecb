import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { messageOf, openPlatform, type PlatformReader } from "../../provider/tools";
import { CliError } from "../base/cli-error";
import { connectionOf, declareConnection, KEY_HELP } from "../base/connection";
import { declareFormat, FORMATS } from "../base/format";
import { inParallel } from "../base/in-parallel";
import { progressOn, type ProgressLine } from "../base/progress-line";
import type { Target } from "../base/pulumi";
import { matching, PARALLEL, parallelOf, patternOf, stacksOf } from "../base/stacks";
import { INVENTORY_FORMATS } from "./formats";
import { liveObjects } from "./live";
import { inventoryOf, type Asked, type States } from "./report";
import { objectsInState } from "./state";

const options = z.looseObject({
  stacks: z.array(z.string()).default(["*"]),
  parallel: z.number(),
  cwd: z.string(),
  format: z.enum(FORMATS),
  platform: z.boolean(),
});
type Given = z.infer<typeof options>;

/** The exit code for objects that no stack has; that of `drift` for what nobody declared. */
const ORPHANS = 7;

/** Declares the options of `pulumi-agent-platform inventory` and what it does. */
export function defineInventoryCommand(command: Command): void {
  command
    .option(
      "--stacks <pattern>",
      'list only these stacks, such as "prod-*" or "shop/*"; repeatable (default: all)',
      patternOf,
    )
    .option("--no-platform", "list only what the stacks have, without asking the platform")
    .option("--parallel <count>", "how many states to read at a time", parallelOf, PARALLEL)
    .option("--cwd <folder>", "a folder from which `pulumi stack ls --all` works", ".");
  declareFormat(command, "format of the report", FORMATS, "table");
  declareConnection(command)
    .addHelpText(
      "after",
      "\nExit codes: 0 every object on the platform is in a stack, 7 there are orphans, 1 a state or the platform could" +
        "\nnot be read. It writes nothing." +
        "\n\nIt always reads the states of all stacks in the backend: an orphan is an object that no stack holds." +
        "\nIt does not see stacks in other backends. It needs no passphrase and shows no secret." +
        "\nIt asks one tenant of one platform. For objects elsewhere, run it again with their address and key." +
        KEY_HELP +
        "\n\n--format json: { version: 1, platform: { baseUrl, tenantId } | null, stacks: the number of listed stacks," +
        "\n  objects: [{ stack, kind, name, id, urn, read, here }], orphans: [{ kind, name, id, readBy }] | null," +
        "\n  unlisted: [sentence], failed: [{ stack, reason }] }",
    )
    .action(async () => run(options.parse(command.opts())));
}

async function run(given: Given): Promise<void> {
  const target = { folder: resolve(given.cwd), environment: process.env };
  const platform = given.platform ? openPlatform(...connectionOf(given, process.env)) : undefined;
  const progress = progressOn(process.stderr);
  const report = await read(given, target, platform, progress).finally(progress.end);
  process.stdout.write(INVENTORY_FORMATS[given.format](report));
  if (report.orphans !== null && report.orphans.length > 0) process.exitCode = ORPHANS;
  const failed = report.failed.length;
  if (failed > 0)
    throw new CliError(
      `the state of ${failed} stacks could not be read, so objects listed as in no stack may be in one of them`,
    );
}

async function read(given: Given, target: Target, platform: PlatformReader | undefined, progress: ProgressLine) {
  const listed = matching(await stacksOf("backend", target), given.stacks);
  // First the platform: what is made from now on is in no list, and what is made meanwhile is in a state.
  const asked: Asked | undefined = platform && {
    connection: platform.connection,
    live: await liveObjects(platform, ({ many }, count) => progress.show(`reading: ${count} ${many}`)),
  };
  const states = await statesOf(await stacksOf("backend", target), given.parallel, target, progress);
  return inventoryOf({ ...states, listed }, asked);
}

type Read = Omit<States, "listed">;

async function statesOf(
  stacks: readonly string[],
  parallel: number,
  target: Target,
  progress: ProgressLine,
): Promise<Read> {
  let done = 0;
  const all = await inParallel(stacks, parallel, async (stack): Promise<Read> => {
    try {
      return { objects: await objectsInState(stack, target), failed: [] };
    } catch (error) {
      return { objects: [], failed: [{ stack, reason: messageOf(error) }] };
    } finally {
      progress.show(`reading: ${++done} of ${stacks.length} stacks`);
    }
  });
  return { objects: all.flatMap(({ objects }) => objects), failed: all.flatMap(({ failed }) => failed) };
}
