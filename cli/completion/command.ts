import { Argument, type Command } from "commander";
import { SCRIPTS, SHELLS, type Shell } from "./scripts";

/** Declares the argument of `agent-platform completion` and what it does. */
export function defineCompletionCommand(command: Command): void {
  command
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nAdd the line for your shell to the file on the left:" +
        '\n  ~/.bashrc                   eval "$(agent-platform completion bash)"' +
        '\n  ~/.zshrc, behind compinit   eval "$(agent-platform completion zsh)"' +
        "\n  ~/.config/fish/config.fish  agent-platform completion fish | source" +
        "\n\nThe script asks agent-platform itself for each word, so it always fits the installed version.",
    )
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));
}
