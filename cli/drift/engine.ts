import { CliError } from "../base/cli-error";
import { shownReasons, STREAMING } from "../base/engine";
import { errorsIn, parseEvents, type EngineEvents } from "../base/engine-events";
import { lines, runPulumi, type Target } from "../base/pulumi";

/** Compares a stack with the platform without writing to either. Only a complete comparison is returned. */
export async function compareStack(stack: string, target: Target): Promise<EngineEvents> {
  // With it, the engine says yes beforehand, which it refuses beside --preview-only.
  const environment = { ...target.environment, ...STREAMING, PULUMI_SKIP_CONFIRMATIONS: undefined };
  const args = ["refresh", "--preview-only", "--json", `--stack=${stack}`];
  const result = await runPulumi(args, { ...target, environment });
  if (result.code !== 0) throw failed(stack, [...errorsIn(result.stdout), ...lines(result.stderr)]);
  const events = parseEvents(result.stdout);
  if (!events.complete)
    throw failed(stack, [...events.errors, "the engine stopped before it had compared every resource"]);
  return events;
}

const failed = (stack: string, reasons: readonly string[]): CliError =>
  new CliError(
    `stack "${stack}" could not be compared with the platform, so nothing is known about drift. The engine says:` +
      `${shownReasons(reasons)}\n` +
      "Fix that and run this command again; `pulumi refresh --preview-only` tries the same by hand.",
  );
