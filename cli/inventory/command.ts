import type { Command } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { CliError, wrongUsage } from "../base/cli-error";
import { CONNECTION_HELP, connectionsOf, declareConnection, flagOf } from "../base/connection";
import { declareFormat, FORMATS, withHelp } from "../base/options";
import { shownReasons, type Target } from "../base/pulumi";
import { statesOf } from "../base/stack-objects";
import type { StackState } from "../base/stack-state";
import { stateReader } from "../base/states";
import { matching, PARALLEL, parallelOf, patternOf, stacksOf } from "../base/stacks";
import { type ProgressLine, progressOn } from "../base/style";
import { withAgents } from "./agents";
import { INVENTORY_FORMATS } from "./formats";
import { type Asked, askedOf, inventoryOf } from "./report";
import { messageOf } from "../../provider/base/errors";
import { SETTINGS } from "../../provider/base/settings";
import { openPlatform, type PlatformReader } from "../../provider/functions/reading";

const options = z.looseObject({
  stacks: z.array(z.string()).optional(),
  parallel: z.number(),
  cwd: z.string(),
  format: z.enum(FORMATS),
  /** False with `--no-platform`. */
  platform: z.union([z.string(), z.literal(false)]).optional(),
});
type Given = z.infer<typeof options>;

/** The exit code for objects that no stack has; the same as that of `drift`. */
const ORPHANS = 7;

/** Declares the options of `pulumi-agent-platform inventory` and what it does. */
export function defineCommand(command: Command): void {
  command
    .option(
      "--stacks <pattern>",
      'list only these stacks, such as "prod-*" or "shop/*"; repeatable (default: all)',
      patternOf,
    )
    .option("--parallel <count>", "how many states to read at a time", parallelOf, PARALLEL);
  declareFormat(command, "format of the report");
  declareConnection(command).option("--no-platform", "list only what the stacks have, without asking a platform");
  withHelp(
    command,
    '\nExample: pulumi-agent-platform inventory --stacks "shop/*"' +
      "\n\nExit codes: 0 every object on the platform is in a stack, 7 there are orphans, 1 a state or the platform could " +
      "not be read. It changes nothing, and shows no secret." +
      "\n\nAn orphan is an object that no stack of the backend holds; other backends are not seen. The command asks the platforms of " +
      "one stack's connections (--stack, whose passphrase it needs), and the agents for the assistants and crons of the listed " +
      "stacks, but not for others, since an agent's users create some too." +
      CONNECTION_HELP +
      "\n\n--format json: { version: 2, platforms: [{ baseUrl, tenantId }], stacks: the number of listed stacks," +
      "\n  objects: [{ stack, region, kind, name, id, urn, resource, url, problem, read, here }]," +
      "\n  orphans: [{ baseUrl, tenantId, kind, name, id, readBy }] | null," +
      "\n  unlisted: [sentence], failed: [{ stack, reason }] }",
  ).action(async () => run(options.parse(command.opts())));
}

async function run(given: Given): Promise<void> {
  const target = { folder: resolve(given.cwd), environment: process.env };
  const idle = given.platform === false && ["stack", ...SETTINGS].find((name) => given[name] !== undefined);
  if (idle)
    throw wrongUsage(
      `--no-platform: --${flagOf(idle)} says which platform to ask: leave one of the two out (--stacks chooses what is listed)`,
    );
  // First, since a backend that is away would hold up every other command of the engine for minutes.
  const readState = await stateReader(target);
  const connections = given.platform === false ? undefined : (await connectionsOf(given, process.env)).all;
  const platforms = connections?.map(({ platform: name, source }) => ({ name, platform: openPlatform(source) }));
  const progress = progressOn(process.stderr);
  const { report, problems } = await read(given, target, readState, platforms, progress).finally(progress.end);
  process.stdout.write(INVENTORY_FORMATS[given.format](report));
  if (report.orphans !== null && report.orphans.length > 0) process.exitCode = ORPHANS;
  if (problems.length > 0)
    throw new CliError(
      `not every platform could be read; --platform <name> lists one that answers alone${shownReasons(problems)}`,
    );
  const failed = report.failed.length;
  if (failed > 0)
    throw new CliError(
      `the state of ${failed} ${failed === 1 ? "stack" : "stacks"} could not be read, so objects listed as in no stack may be in one of them`,
    );
}

async function read(
  given: Given,
  target: Target,
  readState: (stack: string) => Promise<StackState>,
  platforms: readonly { readonly name: string | undefined; readonly platform: PlatformReader }[] | undefined,
  progress: ProgressLine,
) {
  const all = await stacksOf("backend", target);
  // After the last stack, all that is left are orphans.
  const listed = given.stacks === undefined ? all : matching(all, given.stacks);
  // Read the platform first: an object that is created after that is in no list, and one that is created meanwhile is already in a state.
  const asked: Asked[] = [];
  const problems: string[] = [];
  let cause: unknown;
  for (const { name, platform } of platforms ?? []) {
    const answer = await askedOf(platform, progress);
    const which = name === undefined ? "The stack's platform: " : `Platform "${name}": `;
    const begun = platforms?.length === 1 ? "" : which;
    if (answer.problem !== undefined) problems.push(begun + messageOf(answer.problem));
    cause ??= answer.problem;
    asked.push(answer);
  }
  if (problems.length > 0 && problems.length === asked.length) throw new CliError(problems.join("\n"), { cause });
  const states = await statesOf(await stacksOf("backend", target), readState, given.parallel, progress);
  const report = inventoryOf(await withAgents({ ...states, listed }, asked, given.parallel), platforms && asked);
  return { report, problems };
}
