import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { z } from "zod";
import { openPlatform } from "../../provider/tools";
import { requireFree, writeProject } from "./folder";
import { CONNECTION_HELP, connectionsOf, declareConnection, onlyConnection } from "../base/connection";
import { notEmpty } from "../base/option-values";
import { progressOn } from "../base/progress-line";
import type { CountProgress } from "../base/whole-list";
import { PROGRAM_LANGUAGES, projectOf, type Project } from "./project";
import { summaryOf } from "./readme";
import { survey, type Survey } from "./survey";

const options = z.looseObject({ out: z.string(), language: z.enum(PROGRAM_LANGUAGES) });

/** Declares the options of `pulumi-agent-platform generate` and what it does. */
export function defineGenerateCommand(command: Command): void {
  command
    .requiredOption(
      "--out <folder>",
      "the folder of the project, new or empty",
      notEmpty("a folder that is new, or empty"),
    )
    .addOption(
      new Option("--language <name>", "the language of the program")
        .choices(PROGRAM_LANGUAGES)
        .default(PROGRAM_LANGUAGES[0]),
    );
  declareConnection(command)
    .addHelpText("after", `\nIt reads the platform and changes nothing.${CONNECTION_HELP}`)
    .action(async () => run(options.parse(command.opts())));
}

async function run(given: z.infer<typeof options>): Promise<void> {
  const folder = resolve(given.out);
  requireFree(folder);
  const platform = openPlatform(onlyConnection(await connectionsOf(given, process.env)).source);
  const progress = progressOn(process.stderr);
  const show: CountProgress = ({ many }, count) => progress.show(`reading: ${count} ${many}`);
  const read = await survey(platform, show).finally(progress.end);
  const project = projectOf(folder, platform.connection, read, given.language);
  writeProject(folder, project.files);
  process.stdout.write(closing(given.out, read, project));
}

function closing(out: string, read: Survey, { remarks, hidden, unread }: Project): string {
  const left = [
    [remarks, "to look at first"] as const,
    [hidden, "not shown by the platform, so left as they are"] as const,
    [unread, "not in the program"] as const,
  ].flatMap(([count, what]) => (count === 0 ? [] : [`  ${count} ${what}\n`]));
  const next = "Continue as its README.md says: npm install, pulumi stack init, pulumi config set, pulumi up.\n";
  return `${out}: ${summaryOf(read)}.\n${left.join("")}${next}`;
}
