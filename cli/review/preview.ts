import { closeSync, existsSync, fchmodSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CliError, temporaryFolder } from "../base/cli-error";
import { type EngineEvents, essentialEvents, eventsIn, parseEvents } from "../base/engine-events";
import { engineFailed, lines as linesOf, reasonsIn, runPulumi, STREAMING, type Target } from "../base/pulumi";
import { stateOf } from "../base/stack-state";
import { messageOf } from "../../provider/base/errors";
import { jsonIn } from "../../provider/base/json";

/** Which resources each property of a resource comes from, and under "" the resource itself: URNs. */
const PropertyDependencies = z.record(z.string(), z.record(z.string(), z.array(z.string())));
export type PropertyDependencies = z.infer<typeof PropertyDependencies>;

/** What a saved preview has on its last line. */
const Remainder = z.object({
  review: z.object({
    version: z.literal(1),
    stack: z.string(),
    dependencies: PropertyDependencies,
    /** For the URN of a resource in state, its `deletedWith`: the engine then sends no delete for it. */
    deletedWith: z.record(z.string(), z.string()).default({}),
    /** What the engine printed besides the events, if it failed. */
    failure: z.array(z.string()),
  }),
});

/** A preview: its events, and what they do not say. */
export interface Preview extends Omit<z.infer<typeof Remainder>["review"], "version"> {
  readonly events: EngineEvents;
}

/**
 * Runs `pulumi preview`, which changes neither the state nor the platform, and returns the engine's events, one a line, and what they leave out. A failed preview
 * is returned as well, if the engine printed anything about it.
 */
export async function runPreview(stack: string, target: Target, more: readonly string[]): Promise<string> {
  const folder = temporaryFolder("agent-platform-review-");
  try {
    // The events do not say what a value depends on; the plan does. Its secrets are encrypted.
    const plan = join(folder, "plan.json");
    const args = ["preview", "--json", `--stack=${stack}`, `--save-plan=${plan}`, ...more];
    const { code, stdout, stderr } = await runPulumi(args, {
      ...target,
      environment: { ...target.environment, ...STREAMING },
    });
    const said = reasonsIn({ stderr });
    if (stdout.trim() === "")
      throw engineFailed(stack, target, "could not be previewed, so there is nothing to review", "preview", said);
    const events = essentialEvents(stdout);
    const remainder: z.infer<typeof Remainder> = {
      review: {
        version: 1,
        stack,
        dependencies: dependenciesIn(plan),
        deletedWith: hasDelete(events) ? await deletedWithIn(stack, target) : {},
        failure: code === 0 ? [] : said,
      },
    };
    return `${[...events, JSON.stringify(remainder)].join("\n")}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hasDelete = (events: readonly string[]): boolean =>
  parseEvents(events.join("\n")).begun.some(({ op }) => op.startsWith("delete"));

/** The events do not say it; the state does. */
async function deletedWithIn(stack: string, target: Target): Promise<Record<string, string>> {
  const { resources } = await stateOf(stack, target);
  return Object.fromEntries(
    resources.flatMap(({ urn, deletedWith }) => (deletedWith === undefined ? [] : [[urn, deletedWith] as const])),
  );
}

const Goal = z.object({
  dependencies: z.array(z.string()).nullish(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
});
const Plan = z.object({ resourcePlans: z.record(z.string(), z.object({ goal: Goal.nullish() })).default({}) });

/** Empty where the engine wrote no plan, as after a failure. */
function dependenciesIn(file: string): PropertyDependencies {
  const plan: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  const plans = Plan.safeParse(plan).data?.resourcePlans ?? {};
  return Object.fromEntries(
    Object.entries(plans).flatMap(([urn, { goal }]) => {
      const all = Object.entries({ "": goal?.dependencies, ...goal?.propertyDependencies });
      const known = all.flatMap(([name, urns]) => (urns?.length ? [[name, urns] as const] : []));
      return known.length > 0 ? [[urn, Object.fromEntries(known)] as const] : [];
    }),
  );
}

/** Reads a saved preview, or the events of any other. */
export function readPreview(text: string): Preview {
  const lines = linesOf(text);
  const last = Remainder.safeParse(jsonIn(lines.at(-1) ?? "")).data?.review;
  // Without streaming, the engine prints a digest.
  const events = eventsIn((last === undefined ? lines : lines.slice(0, -1)).join("\n"));
  const stack = last?.stack ?? events?.begun[0]?.urn.split("::")[0]?.replace(/^urn:pulumi:/, "") ?? "";
  if (!events || (events.begun.length === 0 && events.errors.length === 0 && !last?.failure.length)) {
    throw new CliError(
      "there are no events of a preview: save them with --save, or with " +
        "`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json`",
    );
  }
  const { dependencies = {}, deletedWith = {}, failure = [] } = last ?? {};
  return { stack, events, dependencies, deletedWith, failure };
}

export function loadPreview(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CliError(`--events: ${file} cannot be read: ${messageOf(error)}`);
  }
}

/** Writes a file that the user named by an option. Without a mode, it is as readable as any file of theirs. */
export function writeOutput(option: string, file: string, text: string, mode?: number): void {
  try {
    const opened = openSync(file, "w", mode);
    try {
      // An earlier file of this name keeps its mode.
      if (mode !== undefined && fstatSync(opened).isFile()) fchmodSync(opened, mode);
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new CliError(`${option}: ${file} cannot be written: ${messageOf(error)}`);
  }
}
