import { Command } from "commander";
import { isHttpError, messageOf } from "../provider/base/errors";
import { version } from "../provider/base/version";
import { CliError, failWith } from "./base/cli-error";
import { wasInterrupted } from "./base/pulumi";

interface CommandModule {
  readonly defineCommand: (command: Command) => void;
}

/** Each command's description, and how to load it: only the command that runs is loaded, so a help text stays quick. */
const COMMANDS: Readonly<Record<string, readonly [description: string, load: () => Promise<CommandModule>]>> = {
  emulator: ["run an emulator of the platform on this machine", () => import("./emulator/command")],
  run: ["run a deployed agent and print its output as it arrives", () => import("./run/command")],
  drift: ["show what was changed on the platform outside of your program", () => import("./drift/command")],
  review: ["explain what `up` would do, for example in a pull request", () => import("./review/command")],
  inventory: [
    "list what your stacks hold on the platform, and what no stack holds",
    () => import("./inventory/command"),
  ],
  revisions: ["list the revisions of a deployment, with their images or commits", () => import("./revisions/command")],
  redeploy: ["bring back an earlier revision of a deployment", () => import("./redeploy/command")],
  logs: ["show the build and deploy logs of a revision", () => import("./logs/command")],
  generate: ["write a Pulumi program for what exists on the platform", () => import("./generate/command")],
  doctor: [
    "check what a stack needs: engine, SDK, plugin, address, key, tenant, contract, clock",
    () => import("./doctor/command"),
  ],
};

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
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(description);
    if (name === asked) (await load()).defineCommand(command);
  }
  return program;
}

/** Does what the words of a command line say. A failure is printed, and sets the exit code of the process. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    await (await programFor(words)).parseAsync(words, { from: "user" });
  } catch (error) {
    const message = messageOf(error);
    const answer = error instanceof CliError ? error.cause : error;
    const isKey = isHttpError(answer) && answer.status === 401;
    const reason = isKey ? `${message}. \`npx pulumi-agent-platform doctor\` says how to set the key` : message;
    failWith(error, wasInterrupted() ? "the command was interrupted" : reason);
  }
}
