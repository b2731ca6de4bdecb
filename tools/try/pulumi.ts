import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { run, type Finished } from "./child";
import { STACK, type State } from "./state";

/** Runs one `pulumi` command on the example's stack. */
export interface Pulumi {
  /** With the engine's own output on the terminal; gives the exit code. */
  show(...args: string[]): Promise<number>;
  /** Quietly; throws what it wrote where it fails. `input` goes to its standard input. */
  ask(args: readonly string[], input?: string): Promise<string>;
}

/** The engine in `bin`, run in the checkout with the environment of its state. */
export function pulumiOf(bin: string, checkout: string, state: State): Pulumi {
  const env = { ...process.env, ...state.environment, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const pulumi = (args: readonly string[], output: "terminal" | "collect", input?: string): Promise<Finished> =>
    run(join(bin, "pulumi"), args, { cwd: checkout, env, output, input });
  return {
    show: async (...args) => (await pulumi(args, "terminal")).code,
    ask: async (args, input) => {
      const { code, stdout, stderr } = await pulumi(["--non-interactive", ...args], "collect", input);
      if (code !== 0)
        throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed (exit code ${code}):\n${stderr || stdout}`);
      return stdout;
    },
  };
}

const Lock = z.object({ pid: z.number() });

/** Frees the stack where the run that locked it is dead; a lock of a run that lives is left alone. Says whether it did. */
export async function freeStack(pulumi: Pulumi, state: State): Promise<boolean> {
  const locks = join(state.folder, "pulumi", ".pulumi", "locks");
  if (!existsSync(locks)) return false;
  const files = readdirSync(locks, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  const holders = files.map((file) => Lock.safeParse(JSON.parse(readFileSync(join(locks, file), "utf8"))));
  if (holders.length === 0 || holders.some((lock) => lock.success && isAlive(lock.data.pid))) return false;
  await pulumi.ask(["cancel", "--yes", "--stack", STACK]);
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
