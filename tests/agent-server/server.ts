import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installAgentServer } from "./install";

/** The official agent server, with the graphs of graph.mjs, in a process of its own. */
export interface AgentServer {
  /** "http://127.0.0.1:<port>" */
  readonly url: string;
  /** Ends it, by its process id. May be called twice. */
  close(): Promise<void>;
}

/** Installs its packages first, where that was not done yet. */
export async function startAgentServer(): Promise<AgentServer> {
  await installAgentServer();
  const { PORT, ...env } = process.env;
  const child = fork(join(__dirname, "start.mjs"), {
    env,
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const url = await urlOf(child);
  if (url === undefined) throw new Error("the agent server ended before it listened; its output is above");
  return {
    url,
    close: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** The line that it prints when it accepts requests; other lines in the same place are not for us. */
async function urlOf({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const url = /^\{"url":"([^"]+)"\}$/.exec(line)?.[1];
    if (url !== undefined) {
      stdout.resume();
      return url;
    }
  }
  return undefined;
}
