import { CliError } from "./cli-error";
import { runPulumi, type Target } from "./pulumi";

/** The variable with which `--json` streams events. Without it a preview prints a digest, which lacks most of them. */
export const STREAMING = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } as const;

/** The name of the selected stack. */
export async function selectedStack(target: Target): Promise<string> {
  const result = await runPulumi(["stack", "--show-name"], target);
  if (result.code === 0) return result.stdout.trim();
  throw new CliError(
    `cannot tell which stack is selected. The engine says:${shownReasons([result.stderr])}\n` +
      "Choose one with --stack, and run this command in the folder of a Pulumi project.",
  );
}

/** How many reasons to print: a platform that is down yields one per object. */
const REASONS = 10;

/** A sentence, followed by the reasons, each on lines of its own; blank ones are left out. */
export function shownReasons(texts: readonly string[]): string {
  const reasons = texts.map((text) => text.trim()).filter((text) => text !== "");
  const left = reasons.length - REASONS;
  const kept = left > 0 ? [...reasons.slice(0, REASONS), `(and ${left} more)`] : reasons;
  return kept.map((reason) => `\n  ${reason.replace(/\n/g, "\n  ")}`).join("");
}
