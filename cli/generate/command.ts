import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { environmentName, settingRow, SETTINGS, type Setting } from "../../provider/base/settings";
import { openPlatform } from "../../provider/reading";
import { requireFree, writeProject } from "./folder";
import { CliError } from "../base/cli-error";
import { projectOf, type Project } from "./project";
import { summaryOf } from "./readme";
import { survey, type Progress, type Survey } from "./survey";

const options = z.looseObject({ out: z.string().min(1, "--out needs a folder") });

/** Declares the options of `agent-platform generate` and what it does. */
export function defineGenerateCommand(command: Command): void {
  command.requiredOption("--out <folder>", "the project's folder: new, or empty");
  for (const setting of SETTINGS) {
    const { option } = settingRow(setting);
    if (option) command.option(`--${flagOf(setting)} <value>`, `${option} (else ${environmentName(setting)})`);
  }
  command
    .addHelpText(
      "after",
      "\nThe key is in AGENT_PLATFORM_API_KEY (or AGENT_PLATFORM_BEARER_TOKEN). The platform is read but not changed." +
        "\nThe address is taken from the options or from the environment as a whole. If the environment names one, its key" +
        "\nis sent only there.",
    )
    .action(async () => run(options.parse(command.opts())));
}

async function run(given: z.infer<typeof options>): Promise<void> {
  const folder = resolve(given.out);
  requireFree(folder);
  const platform = openPlatform((setting) => valueOf(given, setting), requireKey(process.env), howToSet);
  const progress = progressOn(process.stderr);
  const read = await survey(platform, progress.show).finally(progress.end);
  const project = projectOf(folder, platform.connection, read);
  writeProject(folder, project.files);
  process.stdout.write(closing(given.out, read, project));
}

function valueOf(given: z.infer<typeof options>, setting: Setting): string | undefined {
  const value = settingRow(setting).option === undefined ? undefined : given[setting];
  if (value === "") {
    throw new CliError(`--${flagOf(setting)} is empty: is the value that it comes from set? Leave it out otherwise`);
  }
  return typeof value === "string" ? value : undefined;
}

function howToSet(setting: Setting): string {
  const variable = `the environment variable ${environmentName(setting)}`;
  return settingRow(setting).option === undefined
    ? `set by ${variable}`
    : `set by --${flagOf(setting)} or by ${variable}`;
}

function requireKey(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (environment["AGENT_PLATFORM_API_KEY"] || environment["AGENT_PLATFORM_BEARER_TOKEN"]) return environment;
  throw new CliError(
    "no key for the platform: set the environment variable AGENT_PLATFORM_API_KEY (or AGENT_PLATFORM_BEARER_TOKEN)",
  );
}

function closing(out: string, read: Survey, { remarks, hidden }: Project): string {
  const left = [
    [remarks, "to look at first"] as const,
    [hidden, "not shown by the platform, and so left as they are"] as const,
    [read.unread.length, "not in the program"] as const,
  ].flatMap(([count, what]) => (count === 0 ? [] : [`  ${count} ${what}\n`]));
  const next = "Go on as its README.md says: npm install, pulumi stack init, pulumi config set, pulumi up.\n";
  return `${out}: ${summaryOf(read)}.\n${left.join("")}${next}`;
}

/** One line that changes, for a person at a terminal; it is erased at the end. */
function progressOn(stream: NodeJS.WriteStream): { readonly show: Progress; readonly end: () => void } {
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\x1b[K${text}`);
  };
  return { show: ({ many }, count) => write(`reading: ${count} ${many}`), end: () => write("") };
}

const flagOf = (setting: Setting): string => setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
