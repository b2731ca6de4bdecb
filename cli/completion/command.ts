import { Argument, type Command } from "commander";
import { SCRIPTS, SHELLS, type Shell } from "./scripts";

/** Declares the argument of `agent-platform completion` and what it does. */
export function defineCompletionCommand(command: Command): void {
  command
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nPut one of these lines into your shell's own file:" +
        '\n  ~/.bashrc                   eval "$(agent-platform completion bash)"' +
        '\n  ~/.zshrc, behind compinit   eval "$(agent-platform completion zsh)"' +
        "\n  ~/.config/fish/config.fish  agent-platform completion fish | source" +
        "\n\nThe script asks agent-platform itself for each word, so it fits whatever version is installed.",
    )
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));
}
