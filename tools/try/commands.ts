import { readFileSync } from "node:fs";
import { z } from "zod";
import { configKey } from "../../provider/base/settings";
import { ensureEngine } from "../engine";
import { withEmulator } from "./emulator";
import { pulumiOf, type Pulumi } from "./pulumi";
import { randomSecret } from "../base/loopback";
import { openState, removeDeadLocks, STACK, type TryState } from "./state";

/** Waits occupy slots of the engine, of which there are few by default (docs/internals/engine.md, trap 23). */
const PARALLEL = ["--parallel", "64"];
const ON_STACK = ["--stack", STACK];

/** The tools of a command: the engine's CLI on the example's stack, and the running emulator. */
export interface TrySession {
  readonly pulumi: Pulumi;
  readonly url: string;
  /** Whether the emulator goes on running after the command. */
  readonly stays: boolean;
}

/** The commands behind `npm start`, `npm run preview`, `npm run drift` and `npm run destroy`; each gives the exit code. */
export const COMMANDS: Readonly<Record<string, (session: TrySession) => Promise<number>>> = {
  async start({ pulumi, url, stays }) {
    const up = await pulumi.show("up", "--yes", "--skip-preview", ...PARALLEL, ...ON_STACK);
    if (up !== 0) return up;
    say("Once more, as a preview: there is nothing left to do.");
    const again = await pulumi.show("preview", "--expect-no-changes", ...ON_STACK);
    if (again === 0) say(nextSteps(url, stays));
    return again;
  },
  preview: ({ pulumi }) => pulumi.show("preview", "--diff", ...ON_STACK),
  drift: ({ pulumi }) => pulumi.tool("drift", ...ON_STACK),
  destroy: ({ pulumi }) => pulumi.show("destroy", "--yes", "--skip-preview", ...PARALLEL, ...ON_STACK),
};

/** Runs one command with an engine and the emulator, which are gone when it ends. */
export async function runTryCommand(name: string, checkout: string): Promise<number> {
  const command = COMMANDS[name];
  if (!command) throw new Error(`unknown command "${name}": one of ${Object.keys(COMMANDS).join(", ")}`);
  const engine = await ensureEngine();
  const state = openState(checkout);
  return withEmulator(state, async (url, stays) => {
    const pulumi = pulumiOf(engine.bin, checkout, state);
    await prepareStack(pulumi, url, state);
    return command({ pulumi, url, stays });
  });
}

/** Makes the stack and its configuration on first use. Secrets go over standard input, and are random: nothing outside knows them. */
async function prepareStack(pulumi: Pulumi, url: string, state: TryState): Promise<void> {
  await pulumi.ask(["stack", "select", "--create", STACK]);
  removeDeadLocks(state);
  const set = z.record(z.string(), z.unknown()).parse(JSON.parse(await pulumi.ask(["config", "--json", ...ON_STACK])));
  if (set[configKey("baseUrl")] === undefined)
    await pulumi.ask(["config", "set", configKey("baseUrl"), url, ...ON_STACK]);
  const secrets = {
    [configKey("apiKey")]: readFileSync(state.keyFile, "utf8").trim(),
    "support-desk:githubClientSecret": randomSecret(),
    "support-desk:googleClientSecret": randomSecret(),
    "support-desk:modelApiKey": randomSecret(),
  };
  for (const [key, value] of Object.entries(secrets)) {
    if (set[key] === undefined) await pulumi.ask(["config", "set", "--secret", key, ...ON_STACK], value);
  }
}

function say(text: string): void {
  console.log(`\n${text}\n`);
}

function nextSteps(url: string, stays: boolean): string {
  const look = stays
    ? [`Done. The emulator (${url}) keeps running, with its page (\`npm run platform\`). Next:`]
    : [
        `Done. The emulator (${url}) stopped; it keeps its data in .state, so the environment is still there. Next:`,
        "  - `npm run platform` starts it again and shows the environment in a browser; the other commands then use it",
      ];
  return [
    ...look,
    "  - change examples/support-desk/index.ts (say, an imageUri), look with `npm run preview`, apply with `npm start`",
    "  - `npm run drift` asks the platform whether anything was changed behind the program's back",
    "  - `npm run destroy` removes everything again",
  ].join("\n");
}
