// Commands, as a person would type them.
import { spawn } from "node:child_process";

/**
 * Runs a command to its end. Its output goes to the terminal, and what it prints is collected too where `collect` is set.
 * @returns {Promise<{ code: number, stdout: string }>}
 */
export function run(command, args, { cwd = ".", input, collect = false } = {}) {
  const child = spawn(command, args, { cwd, stdio: ["pipe", collect ? "pipe" : "inherit", "inherit"] });
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => (stdout += text));
  // A secret goes through standard input: the arguments of a process are for all to read.
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`${command} cannot be started: ${error.message}`)));
    child.once("close", (code) => resolve({ code: code ?? 1, stdout }));
  });
}

/** Runs a command that has to succeed, and gives what it prints. */
export async function ask(command, args, options) {
  const { code, stdout } = await run(command, args, { ...options, collect: true });
  if (code !== 0) throw new Error(`\`${command} ${args.join(" ")}\` ended with ${code}: its message is above.`);
  return stdout;
}

/** The same for a command that talks to a person. */
export async function show(command, args, options) {
  const { code } = await run(command, args, options);
  if (code !== 0) throw new Error(`\`${command} ${args.join(" ")}\` ended with ${code}: its message is above.`);
}
