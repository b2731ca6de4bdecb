import { Command, CommanderError } from "commander";
import { version } from "../provider/base/version";
import { paragraphText } from "./base/printable";
import { CliError, WRONG_USAGE } from "./base/cli-error";

type Define = (command: Command) => void;

/** A command's description, and how to load it: only the command that runs is loaded, so a help text stays quick. */
interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<Define>;
}

const COMMANDS: readonly CommandEntry[] = [
  {
    name: "emulator",
    description: "run an emulator of the platform on this machine",
    load: async () => (await import("./emulator/command")).defineEmulatorCommand,
  },
  {
    name: "run",
    description: "run a deployed agent and print its output as it arrives",
    load: async () => (await import("./run/command")).defineRunCommand,
  },
  {
    name: "drift",
    description: "show what was changed on the platform outside of your program",
    load: async () => (await import("./drift/command")).defineDriftCommand,
  },
  {
    name: "review",
    description: "explain what `up` would do, for example in a pull request",
    load: async () => (await import("./review/command")).defineReviewCommand,
  },
  {
    name: "inventory",
    description: "list what your stacks hold on the platform, and what no stack holds",
    load: async () => (await import("./inventory/command")).defineInventoryCommand,
  },
  {
    name: "revisions",
    description: "list the revisions of a deployment, with their images or commits",
    load: async () => (await import("./revisions/command")).defineRevisionsCommand,
  },
  {
    name: "redeploy",
    description: "bring back an earlier revision of a deployment",
    load: async () => (await import("./redeploy/command")).defineRedeployCommand,
  },
  {
    name: "logs",
    description: "show the build and deploy logs of a revision",
    load: async () => (await import("./logs/command")).defineLogsCommand,
  },
  {
    name: "generate",
    description: "write a Pulumi program for what exists on the platform",
    load: async () => (await import("./generate/command")).defineGenerateCommand,
  },
  {
    name: "doctor",
    description: "check what a stack needs: engine, SDK, plugin, address, key, tenant, contract, clock",
    load: async () => (await import("./doctor/command")).defineDoctorCommand,
  },
];

/**
 * The tree of commands, as far as these words need it: only the named command has its options. Errors of usage are printed and throw commander's
 * error.
 */
export async function programFor(words: readonly string[]): Promise<Command> {
  const program = new Command("pulumi-agent-platform")
    .description("Tools for the agent deployment platform.")
    .version(version(), "-V, --version", "print the version")
    .exitOverride()
    .addHelpText("afterAll", "\nExit code 2 means wrong usage: nothing was done.");
  const asked = words[0] === "help" ? words[1] : words[0];
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (name === asked) (await load())(command);
  }
  return program;
}

/** Does what the words of a command line say. A failure is printed, and sets the exit code of the process. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    await (await programFor(words)).parseAsync(words, { from: "user" });
  } catch (error) {
    // Commander has printed its own; a help text is no error.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
      return;
    }
    process.stderr.write(`error: ${paragraphText(error instanceof Error ? error.message : String(error))}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  }
}
