import { runCommandLine } from "../../cli/program";
import type { Ended } from "./cli-processes";

/**
 * Runs a command line in this process, in this environment alone. One in a process of its own (CliProcesses) takes a third of a second: that is for
 * signals, pipes and what a process leaves behind.
 */
export async function commandLine(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  let [out, err] = ["", ""];
  const terminals = [process.stdout, process.stderr].map((stream) => ({ stream, isTTY: stream.isTTY }));
  // As in a pipe, wherever the tests run.
  for (const { stream } of terminals) stream.isTTY = false;
  const environment = jest.replaceProperty(process, "env", env);
  const writes = [
    jest.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true)),
    jest.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true)),
  ];
  try {
    await runCommandLine(words);
    return { code: Number(process.exitCode ?? 0), out, err };
  } finally {
    environment.restore();
    for (const { stream, isTTY } of terminals) stream.isTTY = isTTY;
    for (const write of writes) write.mockRestore();
    process.exitCode = undefined;
    process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");
  }
}
