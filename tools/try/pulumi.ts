import { delimiter, join } from "node:path";
import { run, type Finished } from "./child";
import type { TryState } from "./state";

/** Runs one `pulumi` command on the example's stack. */
export type Pulumi = Readonly<ReturnType<typeof pulumiOf>>;

/** The engine in `bin`, run in the checkout with the environment of its state. */
export function pulumiOf(bin: string, checkout: string, state: TryState) {
  const env = engineEnvironment(process.env, bin, state);
  const pulumi = (args: readonly string[], output: "terminal" | "collect", input?: string): Promise<Finished> =>
    run(join(bin, "pulumi"), args, { cwd: checkout, env, output, input });
  const command = join(checkout, "dist", "cli", "main.js");
  return {
    /** With the engine's own output on the terminal; gives the exit code. */
    show: async (...args: string[]) => (await pulumi(args, "terminal")).code,
    /** The same of this package's command, `agent-platform`. */
    tool: async (...args: string[]) =>
      (await run(process.execPath, [command, ...args], { cwd: checkout, env, output: "terminal" })).code,
    /** Quietly; if it fails, throws its output. `input` goes to its standard input. */
    ask: async (args: readonly string[], input?: string) => {
      const { code, stdout, stderr } = await pulumi(["--non-interactive", ...args], "collect", input);
      if (code !== 0)
        throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed (exit code ${code}):\n${stderr || stdout}`);
      return stdout;
    },
  };
}

/** The user's environment without settings for other stacks and platforms: a passphrase or a tenant of theirs would win over ours. */
export function engineEnvironment(given: NodeJS.ProcessEnv, bin: string, state: TryState): NodeJS.ProcessEnv {
  const neutral = Object.entries(given).filter(([name]) => !/^(PULUMI|AGENT_PLATFORM)_/.test(name));
  return { ...Object.fromEntries(neutral), ...state.environment, PATH: `${bin}${delimiter}${given.PATH ?? ""}` };
}
