import { Argument, type Command } from "commander";
import { SCRIPTS, SHELLS, type Shell } from "./scripts";

/** Declares the argument of `pulumi-agent-platform completion` and what it does. */
export function defineCompletionCommand(command: Command): void {
  command
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nAdd the line for your shell to the file on the left:" +
        '\n  ~/.bashrc                   eval "$(pulumi-agent-platform completion bash)"' +
        '\n  ~/.zshrc, after compinit    eval "$(pulumi-agent-platform completion zsh)"' +
        "\n  ~/.config/fish/config.fish  pulumi-agent-platform completion fish | source" +
        "\n\nThe script asks pulumi-agent-platform for each word, so it fits the installed version.",
    )
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));
}
