import { z } from "zod";
import { noPluginAtWork, noPluginLeft } from "../cut-off";
import { importOne } from "./imports";
import { slotInState, type Observation } from "./observation";
import { KEYS } from "./platform";
import { down, look, shown, up, type Bench, type Kind, type Ran } from "./ran";
import { urnOf, type Declared, type Slot, type World } from "./world";

export const COMMANDS = [
  "up",
  "up --refresh",
  "up --target",
  "up --target --target-dependents",
  "up --target-replace",
  "preview, then up",
  "preview",
  "refresh",
  "destroy --target --target-dependents",
  "destroy --refresh",
  "destroy --run-program",
  "state delete",
  "up, cut off while a revision builds",
  "destroy, cut off while a deployment goes",
  "rotate the key, then up",
  "up and refresh with another tenant's key",
  "import",
] as const;
/** The second `up` of the end: it has to find nothing to do. */
const AGAIN = "up once more, with a preview, without changes";
export type CommandName = (typeof COMMANDS)[number] | typeof AGAIN;

export interface Command {
  readonly name: CommandName;
  readonly slot: Slot;
}

/** Runs a command, or the few that belong together; each is judged by itself. None where the command does not apply. */
export async function* run(command: Command, bench: Bench): AsyncGenerator<Ran, void, undefined> {
  switch (command.name) {
    case "preview, then up":
      return yield* previewThenUp(bench);
    case "up, cut off while a revision builds":
      return yield* cutOff(bench, "up", { method: "GET", path: "/v2/deployments/*/revisions/*" });
    case "destroy, cut off while a deployment goes":
      return yield* cutOff(bench, "destroy", { method: "DELETE", path: "/v2/deployments/*" });
    case "rotate the key, then up":
      return yield* rotate(bench);
    case "up and refresh with another tenant's key":
      return yield* withOtherKey(bench);
    default: {
      const one = plainCommand(command, bench);
      if (one === undefined) return;
      const [kind, ...args] = one;
      yield { ...kind, line: shown(args), ended: await bench.stack.run(args) };
    }
  }
}

function plainCommand({ name, slot }: Command, { world, now }: Bench): [Kind, ...string[]] | undefined {
  const program = ["--yes", "--skip-preview"];
  switch (name) {
    case "up":
      return [up, "up", ...program];
    case AGAIN:
      return [up, "up", "--yes", "--diff", "--expect-no-changes"];
    case "up --refresh":
      return [{ ...up, refreshes: true }, "up", "--refresh", ...program];
    case "preview":
      return [look, "preview"];
    case "refresh":
      return [{ ...look, refreshes: true }, "refresh", "--yes", "--skip-preview"];
    case "destroy --refresh":
      return [{ ...down, refreshes: true }, "destroy", "--refresh", "--yes", "--skip-preview"];
    case "destroy --run-program":
      return [{ ...down, runsProgram: true }, "destroy", "--run-program", ...program];
    case "import":
      return importOne(slot, world, now);
    default: {
      const target = urnToTarget(slot, world, now);
      const inState = slotInState(now, slot) !== undefined;
      return target === undefined ? undefined : targeted(name, target, inState, program);
    }
  }
}

function targeted(
  name: CommandName,
  target: string,
  inState: boolean,
  program: readonly string[],
): [Kind, ...string[]] | undefined {
  const targets = [target];
  switch (name) {
    case "up --target":
      return [{ ...up, targets }, "up", "--target", target, ...program];
    case "up --target --target-dependents":
      return [{ ...up, targets, withDependents: true }, "up", "--target", target, "--target-dependents", ...program];
    default:
      if (!inState) return undefined;
  }
  if (name === "up --target-replace") return [{ ...up, targets }, "up", "--target-replace", target, ...program];
  if (name === "state delete") {
    return [{ ...look, forgets: true }, "state", "delete", target, "--target-dependents", "--yes"];
  }
  const kind = { ...down, targets, withDependents: true };
  return [kind, "destroy", "--target", target, "--target-dependents", "--yes", "--skip-preview"];
}

/** The URN that the slot has in state, or will have. */
function urnToTarget(slot: Slot, world: World, now: Observation): string | undefined {
  const declared: Declared | undefined = world.find((other) => other.slot === slot);
  return slotInState(now, slot)?.urn ?? (declared && urnOf(declared));
}

const Plan = z.object({ steps: z.array(z.object({ op: z.string(), urn: z.string() })).default([]) });

async function* previewThenUp({ stack }: Bench): AsyncGenerator<Ran, void, undefined> {
  const preview = await stack.preview("--json");
  yield { line: "pulumi preview --json", ...look, ended: preview };
  if (preview.code !== 0) return;
  const steps = Plan.parse(JSON.parse(preview.stdout)).steps;
  const announced = new Map<string, string>();
  // The preview lists every part of a replacement.
  for (const { urn, op } of steps) announced.set(urn, `${announced.get(urn) ?? ""} ${op}`.trim());
  yield { line: "pulumi up", ...up, announced, ended: await stack.up() };
}

async function* cutOff(
  { stack, platform, world }: Bench,
  verb: "up" | "destroy",
  where: { readonly method: string; readonly path: string },
): AsyncGenerator<Ran, void, undefined> {
  const hold = platform.emulator.faults.add({ kind: "hold", phase: "after-commit", ...where });
  const args = verb === "up" ? ["up"] : ["destroy"];
  const ended = await stack.run([...args, "--yes", "--skip-preview"], { cutAt: hold.reached });
  hold.remove();
  const providers = stack.resources().filter(({ type }) => type.startsWith("pulumi:providers:"));
  const hasOne = providers.length === 1 && world.every(({ connection }) => connection === "stack");
  await (hasOne ? noPluginLeft(stack) : noPluginAtWork(stack));
  await stack.unlock();
  const line = ended.cut ? `pulumi ${verb}, killed while the platform works; pulumi cancel` : `pulumi ${verb}`;
  yield { line, ...(verb === "up" ? up : down), ended };
}

/** To the other key of the same tenant; the old one is revoked once `up` has recorded the new one. */
async function* rotate({ stack, platform, key }: Bench): AsyncGenerator<Ran, void, undefined> {
  const old = key.value;
  if (old !== KEYS.first) return;
  key.value = KEYS.second;
  stack.connect(platform.url, key.value);
  const ran = { line: "pulumi config set agent-platform:apiKey <new key>; pulumi up", ...up, ended: await stack.up() };
  if (ran.ended.code === 0) platform.revokedKeys.add(old);
  yield ran;
  if (ran.ended.code === 0) {
    yield {
      line: "pulumi refresh, the old key revoked",
      ...look,
      refreshes: true,
      ended: await stack.refresh(),
    };
  }
}

async function* withOtherKey({ stack, platform, key }: Bench): AsyncGenerator<Ran, void, undefined> {
  stack.connect(platform.url, KEYS.other);
  yield { line: "pulumi up, with another tenant's key", ...up, foreignKey: true, ended: await stack.up() };
  yield {
    line: "pulumi refresh, with another tenant's key",
    ...look,
    refreshes: true,
    foreignKey: true,
    ended: await stack.refresh(),
  };
  stack.connect(platform.url, key.value);
  yield { line: "pulumi up, with the right key again", ...up, ended: await stack.up() };
}
