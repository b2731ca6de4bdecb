import { CliError } from "../base/cli-error";
import { shownReasons, STREAMING } from "../base/engine";
import { nameInUrn } from "../../provider/base/engine-format";
import { objectPlaceOf, resourceTypeOf } from "../../provider/resources/resource-types";
import { errorsIn, kindOf, parseEvents, type EngineEvents } from "../base/engine-events";
import { lines, runPulumi, type Target } from "../base/pulumi";
import { stateOf } from "../base/stack-state";

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
  const goes = events.outcomes.some(({ type }) => isOnAgent(type)) ? await deletedWithAnother(stack, target) : [];
  return { ...events, warnings: [...events.warnings, ...goes] };
}

/** What agents keep, and the state has deleted with something else, as version 0.2.0 wrote it: then it stays where that stays. */
async function deletedWithAnother(stack: string, target: Target): Promise<string[]> {
  const { resources } = await stateOf(stack, target);
  const such = resources.filter(({ type, deletedWith }) => isOnAgent(type) && deletedWith !== undefined);
  if (such.length === 0) return [];
  const titles = such.map(({ urn }) => `${kindOf(urn)} ${nameInUrn(urn)}`).sort();
  return [
    `${titles.join(", ")}: no delete is sent for what the state has deleted with its deployment or assistant (deletedWith, as version 0.2.0 wrote it). ` +
      "Run `pulumi up` once with the program as it is, which takes that out",
  ];
}

function isOnAgent(type: string): boolean {
  const kind = resourceTypeOf(type);
  return kind !== undefined && objectPlaceOf(kind) === "agent";
}

const failed = (stack: string, reasons: readonly string[]): CliError =>
  new CliError(
    `stack "${stack}" could not be compared with the platform, so nothing is known about drift. The engine says:` +
      `${shownReasons(reasons)}\n` +
      "Fix that and run this command again; `pulumi refresh --preview-only` tries the same by hand.",
  );
