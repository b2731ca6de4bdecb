#!/usr/bin/env node
import { Command } from "commander";
import { CliError } from "./base/cli-error";

/** A command's description, and how to load it: only the command that runs is loaded, so a help text stays quick. */
interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<(command: Command) => void>;
}

const commands: readonly CommandEntry[] = [
  {
    name: "emulator",
    description: "serve the agent deployment platform on a loopback port",
    load: async () => (await import("./emulator/command")).defineEmulatorCommand,
  },
  {
    name: "run",
    description: "run a deployed agent, and print what it says while it says it",
    load: async () => (await import("./run/command")).defineRunCommand,
  },
  {
    name: "drift",
    description: "report what was changed on the platform behind the program's back",
    load: async () => (await import("./drift/command")).defineDriftCommand,
  },
  {
    name: "review",
    description: "say what `up` would do, and what follows from it: for a pull request",
    load: async () => (await import("./review/command")).defineReviewCommand,
  },
  {
    name: "inventory",
    description: "list what all stacks have on the platform, and what is there without a stack",
    load: async () => (await import("./inventory/command")).defineInventoryCommand,
  },
  {
    name: "revisions",
    description: "list the revisions of a deployment: what ran when, by which image or commit",
    load: async () => (await import("./revisions/command")).defineRevisionsCommand,
  },
  {
    name: "redeploy",
    description: "bring an earlier revision of a deployment back, by hand",
    load: async () => (await import("./redeploy/command")).defineRedeployCommand,
  },
  {
    name: "logs",
    description: "show why a revision failed, and what its agent says: its build and deploy logs",
    load: async () => (await import("./logs/command")).defineLogsCommand,
  },
  {
    name: "generate",
    description: "write a Pulumi program for what is on the platform",
    load: async () => (await import("./generate/command")).defineGenerateCommand,
  },
];

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("agent-platform").description("Tools for the agent deployment platform.");
  const asked = argv[2];
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.description);
    if (entry.name === asked || (asked === "help" && argv[3] === entry.name)) (await entry.load())(command);
  }
  await program.parseAsync(argv);
}

// A reader of the output that has left (`| head`) is an ordinary end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});

main(process.argv).catch((error: unknown) => {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
});
