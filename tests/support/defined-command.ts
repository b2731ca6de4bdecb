import { Command } from "commander";
import type { Emulator } from "../../emulator";

/** What the last run has printed. */
export const printed = { out: "", err: "" };
beforeEach(() => {
  Object.assign(printed, { out: "", err: "" });
  jest.spyOn(process.stdout, "write").mockImplementation((text) => ((printed.out += String(text)), true));
  jest.spyOn(process.stderr, "write").mockImplementation((text) => ((printed.err += String(text)), true));
});
afterEach(() => jest.restoreAllMocks());

/** Runs one command as the command line does, on this emulator and with its key. */
export async function runDefined(
  define: (command: Command) => void,
  { url, apiKey }: Emulator,
  args: readonly string[],
): Promise<void> {
  Object.assign(printed, { out: "", err: "" });
  process.env["AGENT_PLATFORM_API_KEY"] = apiKey;
  try {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    define(command);
    await command.parseAsync(["--base-url", url, ...args], { from: "user" });
  } finally {
    delete process.env["AGENT_PLATFORM_API_KEY"];
  }
}
