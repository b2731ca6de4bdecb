import { type Command, Option } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { CONNECTION_HELP, connectionsOf, declareConnection, onlyConnection } from "../base/connection";
import { notEmpty, withHelp } from "../base/options";
import { lineText, sentenceLines } from "../base/printable";
import { statesOf } from "../base/stack-objects";
import { PARALLEL, stacksOf } from "../base/stacks";
import { stateReader } from "../base/states";
import { progressOn } from "../base/style";
import { requireFree, writeProject } from "./folder";
import { orphansIn, type OrphanSurvey } from "./orphans";
import { PROGRAM_LANGUAGES } from "./program";
import { type Project, projectOf } from "./project";
import { summaryOf } from "./readme";
import { survey } from "./survey";
import { someOf } from "../../provider/base/plain-text";
import { openPlatform, type PlatformReader } from "../../provider/functions/reading";

const options = z.looseObject({
  out: z.string(),
  language: z.enum(PROGRAM_LANGUAGES),
  orphans: z.boolean().default(false),
  cwd: z.string(),
});
type Given = z.infer<typeof options>;

/** Declares the options of `pulumi-agent-platform generate` and what it does. */
export function defineCommand(command: Command): void {
  command
    .requiredOption(
      "--out <folder>",
      "the folder of the project, new or empty (required)",
      notEmpty("a folder that is new, or empty"),
    )
    .addOption(
      new Option("--language <name>", "the language of the program")
        .choices(PROGRAM_LANGUAGES)
        .default(PROGRAM_LANGUAGES[0]),
    )
    .option("--orphans", "only what no stack of the backend holds, as in `inventory`");
  declareConnection(command);
  withHelp(
    command,
    "\nExample: pulumi-agent-platform generate --out existing --orphans" +
      "\n\nIt changes nothing on the platform. Two stacks with one object would both change and delete it: --orphans leaves out " +
      "what other stacks hold, and the project's README.md names each such object and its stack." +
      CONNECTION_HELP,
  ).action(async () => run(options.parse(command.opts())));
}

async function run(given: Given): Promise<void> {
  const folder = resolve(given.out);
  requireFree(folder);
  const platform = openPlatform(onlyConnection(await connectionsOf(given, process.env)).source);
  const found = await surveyOf(platform, given);
  for (const kind of found.read.refused) process.stderr.write(`warning: ${kind}\n`);
  const { objects, unread } = found.read;
  if (given.orphans && objects.length === 0 && unread.length === found.held.length) {
    process.stdout.write(`Nothing was written: there are no orphans at ${platform.connection.baseUrl}.\n`);
    return;
  }
  const project = projectOf(folder, platform.connection, found.read, given.language);
  writeProject(folder, project.files);
  process.stdout.write(closing(given.out, found, project));
}

async function surveyOf(platform: PlatformReader, { orphans, cwd }: Given): Promise<OrphanSurvey> {
  const progress = progressOn(process.stderr);
  try {
    const read = await survey(platform, progress);
    if (!orphans) return { read, held: [] };
    const target = { folder: resolve(cwd), environment: process.env };
    const readState = await stateReader(target);
    // After the platform, so that an object that is created meanwhile is already in a state.
    const states = await statesOf(await stacksOf("backend", target), readState, PARALLEL, progress);
    return orphansIn(read, platform.connection, states);
  } finally {
    progress.end();
  }
}

function closing(out: string, { read, held }: OrphanSurvey, { remarks, hidden, unread }: Project): string {
  // The README has them all.
  const stacks = someOf([...new Set(held.flat())].sort());
  const left = [
    [remarks, "to look at first"] as const,
    [hidden, `argument${hidden === 1 ? "" : "s"} left out as secret or not shown, so left as they are`] as const,
    [unread - held.length, "not in the program"] as const,
    [held.length, `left out, because a stack has ${held.length === 1 ? "it" : "them"}: ${stacks}`] as const,
  ].flatMap(([count, what]) => (count === 0 ? [] : sentenceLines(`${count} ${what}`, "  ", "    ")));
  const next = "Continue as its README.md says: `npm install`, `pulumi stack init`, `pulumi config set`, `pulumi up`.";
  const lines = [...sentenceLines(`${out}: ${summaryOf(read)}.`, "", "  "), ...left, ...sentenceLines(next, "")];
  return `${lines.map(lineText).join("\n")}\n`;
}
