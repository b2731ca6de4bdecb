import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { CliProcesses } from "../../tests/support/cli-processes";
import { commandLine } from "../../tests/support/command-line";
import { programFor } from "../program";
import { complete } from "./candidates";

let processes: CliProcesses;
let environment: NodeJS.ProcessEnv;
beforeAll(() => {
  processes = new CliProcesses();
  chmodSync(processes.program, 0o755);
  const bin = join(dirname(processes.program), "bin");
  mkdirSync(bin);
  for (const name of ["pulumi-agent-platform", "agent-platform"]) symlinkSync(processes.program, join(bin, name));
  environment = { ...process.env, PATH: [bin, process.env["PATH"]].join(delimiter) };
});
afterAll(() => processes.remove());

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { env: environment, encoding: "utf8", timeout: 20_000 });

/** What the command itself answers to the words of a line. */
async function candidates(...words: string[]): Promise<string[]> {
  const { out } = await commandLine(["__complete", ...words]);
  return out.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
}

/** The tests of a missing one are skipped (tests/jest/setup.js has said so). */
const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "exit"]).status === 0;

/** The words that a real shell offers for a line whose end is completed; where it completes paths by itself, the path. */
const SHELLS: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  // readline breaks words at "=", and only a terminal has it: the words are broken here as it does.
  bash: (words) => {
    const broken = words.flatMap((word) => (word.startsWith("--") ? word.split(/(=)/) : [word]));
    const script = [
      'eval "$(pulumi-agent-platform completion bash)"',
      'compopt() { COMPREPLY+=("$2"); }',
      'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))',
      "_agent_platform",
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join("\n");
    return run("bash", "-c", script, "bash", ...broken)
      .trim()
      .split("\n");
  },
  // Typed into a terminal of its own, with a tab; a key of our own then prints the line as it stands.
  zsh: (words) => {
    const script = [
      "zmodload zsh/zpty; zpty z 'zsh -f -i'",
      `zpty -w z 'autoload -U compinit; compinit -u -D; eval "$(pulumi-agent-platform completion zsh)"'`,
      `zpty -w z 'show() { print -r -- "{{$BUFFER}""}" }; zle -N show; bindkey "^X^P" show; print rea""dy'`,
      "zpty -r z out '*ready*'",
      `zpty -w -n z "$1"$'\\t\\x18\\x10'`,
      "zpty -r z out '*{{*}}*'",
      "print -r -- ${${out##*\\{\\{}%%\\}\\}*}",
      "zpty -d z",
    ].join("\n");
    return [run("zsh", "-f", "-c", script, "zsh", words.join(" ")).trim().split(" ").at(-1) ?? ""];
  },
  fish: (words) =>
    run("fish", "--no-config", "-c", `pulumi-agent-platform completion fish | source; complete -C '${words.join(" ")}'`)
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0] ?? ""),
};

describe.each(Object.keys(SHELLS))("in %s", (shell) => {
  const testThere = isThere(shell) ? test : test.skip;

  testThere.each<[reason: string, words: string[], end: string]>([
    ["a command", ["pulumi-agent-platform", "dri"], "drift"],
    ["the same under the other name of the program", ["agent-platform", "dri"], "drift"],
    ["an option of the command", ["pulumi-agent-platform", "drift", "--form"], "--format"],
    ["a value of the option before it", ["pulumi-agent-platform", "drift", "--format", "mark"], "markdown"],
    ["a value behind an equals sign", ["pulumi-agent-platform", "drift", "--format=js"], "--format=json"],
  ])("%s is completed", (_reason, words, end) => {
    // bash completes what stands behind the sign.
    expect(SHELLS[shell]?.(words)).toEqual([shell === "bash" ? end.replace(/^.*=/, "") : end]);
  });
});

(isThere("bash") ? test : test.skip)("the shell completes paths by itself, where an option takes one", () => {
  expect(SHELLS["bash"]?.(["pulumi-agent-platform", "emulator", "--data", ""])).toEqual(["default"]);
  expect(SHELLS["bash"]?.(["pulumi-agent-platform", "drift", "--cwd", ""])).toEqual(["dirnames"]);
});

test("every command and option that help shows is offered, with no list to keep", async () => {
  const program = await programFor([]);
  const names = program.commands.map((command) => command.name());
  expect(await candidates("")).toEqual([...names, "help"]);
  for (const name of names) {
    const help =
      (await programFor([name])).commands.find((command) => command.name() === name)?.helpInformation() ?? "";
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
    const offered = await complete([name, "--"], programFor);
    if (typeof offered === "string") throw new Error(`${name} offers ${offered}`);
    expect([name, ...offered.map(({ word }) => word)]).toEqual([name, ...flags]);
    expect(offered.map(({ description }) => description)).not.toContain("");
  }
});

test.each<[reason: string, words: string[], offered: string[]]>([
  ["a word that nothing begins with", ["dxy"], []],
  ["a value that only its author knows", ["drift", "--stack", ""], []],
  ["an option behind one whose value was left out", ["run", "--allow-insecure", "--jo"], ["--join"]],
  ["what goes to another program", ["review", "--", "--tar"], []],
  ["an argument with choices", ["completion", ""], ["bash", "zsh", "fish"]],
  ["the command that help is for", ["help", "red"], ["redeploy"]],
])("%s: offered is what fits", async (_reason, words, offered) => {
  expect(await candidates(...words)).toEqual(offered);
});
