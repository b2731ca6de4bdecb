import { z } from "zod";
import type { Review } from "../../../cli/review/review";
import { isObject } from "../../../provider/base/json";
import { FRONT, STACK_KEYS, typeInState, type CliStack } from "../../support/cli-stack";
import { cliCommand } from "../../support/cli-command";
import type { Ended } from "../../support/run-process";
import { noPluginAtWork } from "../cut-off";
import { KEYS, type Platform } from "./platform";
import {
  find,
  fresh,
  HOST,
  isKept,
  programText,
  rolloutUrnOf,
  tableOf,
  typeOfHandle,
  urnOf,
  wordsOf,
  type Handle,
  type Program,
} from "./program";
import { reviewed } from "./reviewing";
import { EngineStack } from "./stack";
import { readState, rowOf, rowsOf, unheld, type Seen } from "./state";

/** One command, as it ran. */
export interface Ran extends Kind {
  readonly line: string;
  readonly ended: Ended;
  /** What the review of the same change said before. */
  readonly review?: Review;
  /** What is wrong with what it printed. */
  readonly wrong?: readonly string[];
  /** Commands that it advises, to be run as they are. */
  readonly advises?: readonly string[];
}

/** What a command is, before it ran. */
export interface Kind {
  /** It brings the program to the platform. */
  readonly applies?: true;
  readonly refreshes?: true;
  readonly destroys?: true;
  /** It destroys what the program declares, too. */
  readonly runsProgram?: true;
  /** Undefined: everything. */
  readonly targets?: readonly string[];
  readonly withDependents?: true;
  /** It takes resources out of the state, and nothing else. */
  readonly forgets?: true;
  /** It takes this resource to another stack, and its user takes it out of the program. */
  readonly moves?: Handle;
  /** The URN under which it takes an object into the state. */
  readonly imports?: string;
  /** With a key that sees other objects. */
  readonly foreignKey?: true;
  /** Of another stack: it may fail, and does nothing to ours. */
  readonly isAside?: true;
}

/** What a command works with. */
export interface Bench {
  /** What the stacks of a run are copied from. */
  readonly blank: CliStack;
  readonly stack: EngineStack;
  readonly platform: Platform;
  readonly program: Program;
  readonly seen: Seen;
  /** The key that the stack is configured with. */
  readonly key: { value: string };
  /** Nothing strikes the command: its review can be held against its requests. */
  readonly isCalm: boolean;
  /** Nothing strikes at all. */
  readonly isUnstruck: boolean;
  /** Everything declared is applied, as far as is known. */
  readonly isInSync: boolean;
}
export type Commands<Returned = void> = AsyncGenerator<Ran, Returned, undefined>;
/** Runs a command, or the few that belong together; each is judged by itself. None where the command does not apply. */
type Command = (bench: Bench, handle: Handle, n: number) => Commands;

const up: Kind = { applies: true };
const look: Kind = {};
const down: Kind = { destroys: true };
const refreshing: Kind = { refreshes: true };

/** With the flags that a person need not give. */
function confirmed(args: readonly string[]): string[] {
  const [command = ""] = args;
  if (command === "state") return [...args, "--yes"];
  return ["up", "refresh", "destroy", "import"].includes(command) ? [...args, "--yes", "--skip-preview"] : [...args];
}
/** Runs a command line. @param kind With a line, if the story is to show another one. */
export async function* pulumi({ stack }: Bench, kind: Kind & { line?: string }, ...args: string[]): Commands {
  yield { line: `pulumi ${args.join(" ")}`, ...kind, ended: await stack.run(confirmed(args)) };
}
const plain =
  (kind: Kind, ...args: string[]): Command =>
  (bench) =>
    pulumi(bench, kind, ...args);

/** An `up`; where nothing strikes it, it is reviewed before. */
async function* applied(bench: Bench, kind: Kind, flags: readonly string[] = []): Commands {
  // What a preview does not know.
  const ofBoth = flags.filter((flag) => flag !== "--continue-on-error");
  const review = bench.isCalm ? await reviewed(bench.stack, ofBoth) : undefined;
  for await (const ran of pulumi(bench, { ...up, ...kind }, "up", ...flags))
    yield { ...ran, ...(review && { review }) };
}

/** With the URN that the resource has in state, or will have; `inState`: only of one that has a row. */
const aimed = (inState: boolean, command: (urn: string, bench: Bench, handle: Handle) => Commands): Command =>
  async function* (bench, handle) {
    const declared = find(bench.program, handle);
    const urn = rowOf(bench.seen, { handle })?.urn ?? (declared && urnOf(declared));
    const hasRow = rowsOf(bench.seen).some((row) => row.urn === urn);
    if (urn !== undefined && (hasRow || !inState)) yield* command(urn, bench, handle);
  };

const killed = (verb: "up" | "destroy", method: string, path = "**"): Command =>
  async function* ({ stack, platform }, _handle, n) {
    const phase = n % 3 === 0 ? "before-route" : "after-commit";
    const hold = platform.emulator.faults.add({ kind: "hold", method, path, phase });
    const ended = await stack.run(confirmed([verb]), { cutAt: hold.reached });
    hold.remove();
    await noPluginAtWork(stack);
    await stack.unlock();
    const line = `pulumi ${verb}${ended.cut ? `, killed at a ${method}, ${phase}; pulumi cancel` : ""}`;
    yield { line, ...(verb === "up" ? up : down), ended };
  };

/** To the other key of the same tenant; the old one is revoked once `up` has recorded the new one. */
async function* rotated(bench: Bench): Commands {
  const { stack, platform, key, seen } = bench;
  const old = key.value;
  if (old !== KEYS.first) return;
  // Without a deployment, no answer says that the new key opens the workspace of a shared secret: a refresh then fails, as it should.
  if (rowsOf(seen).some(({ urn }) => urn.includes(":WorkspaceSecret::"))) return;
  key.value = KEYS.second;
  stack.connect(platform, key.value);
  const line = "pulumi config set agent-platform:apiKey <new key>; pulumi up";
  for await (const ran of pulumi(bench, { ...up, line }, "up")) {
    if (ran.ended.code === 0) platform.revokedKeys.add(old);
    yield ran;
  }
  if (platform.revokedKeys.has(old))
    yield* pulumi(bench, { ...refreshing, line: "pulumi refresh, the old key revoked" }, "refresh");
}

async function* withOtherKey(bench: Bench, _handle: Handle, n: number): Commands {
  const { stack, platform, key, isInSync } = bench;
  if (!isInSync) return;
  stack.connect(platform, KEYS.other);
  const [foreignKey, how] = [true, "with another tenant's key"] as const;
  yield* pulumi(bench, { ...up, foreignKey, line: `pulumi up, ${how}` }, "up");
  yield* pulumi(bench, { ...refreshing, foreignKey, line: `pulumi refresh, ${how}` }, "refresh");
  if (n % 2 === 1) yield* pulumi(bench, { ...down, foreignKey, line: `pulumi destroy, ${how}` }, "destroy");
  stack.connect(platform, key.value);
  yield* pulumi(bench, { ...up, line: "pulumi up, with the right key again" }, "up");
}

/** Takes an object that no state holds into the state. */
const imported: Command = async function* (bench, handle) {
  const { stack, program, seen } = bench;
  const type = typeOfHandle(handle);
  const { connection, inComponent, pulumiName } = find(program, handle) ?? fresh(handle);
  const object = unheld(seen).find((each) => each.type === type);
  const host = rowOf(seen, { handle: HOST })?.id;
  if (inComponent || rowOf(seen, { handle }) !== undefined) return;
  if (object === undefined || (isKept(type) && host === undefined)) return;
  const provider = `urn:pulumi:test::test::pulumi:providers:agent-platform::${connection}`;
  if (connection !== "stack" && !stack.stateText().includes(`"${provider}"`)) return;
  const through = connection === "stack" ? [] : ["--provider", `${connection}=${provider}`];
  const id = isKept(type) ? `${host ?? ""}/${object.id}` : object.id;
  const args = ["import", typeInState(type), pulumiName, id, ...through];
  const kind = { imports: urnOf({ type, pulumiName }), line: `pulumi ${args.join(" ")}` };
  yield* pulumi(bench, kind, ...args, "--generate-code=false", "--protect=false");
};

/** The row moves to another stack of the project, and its declaration with it. */
async function* moved(urn: string, bench: Bench, handle: Handle): Commands {
  const { stack, program, seen } = bench;
  const declared = find(program, handle);
  const isUsed = program.some(
    ({ use, deletedWith, type }) => use?.from === handle || deletedWith === handle || (handle === HOST && isKept(type)),
  );
  const row = rowsOf(seen).find((each) => each.urn === urn);
  if (isUsed || row === undefined || row.pendingReplacement || isKept(typeOfHandle(handle))) return;
  if (declared?.check !== undefined || declared?.inComponent) return;
  await stack.run(["stack", "init", "other", "--no-select", ...STACK_KEYS]);
  yield* pulumi(bench, { forgets: true, moves: handle }, "state", "move", "--source", "test", "--dest", "other", urn);
}

async function* renamedStack({ stack, isInSync }: Bench): Commands {
  await stack.succeed("stack", "rename", "renamed");
  const ended = await stack.run(["preview", "--stack", "renamed", ...(isInSync ? ["--expect-no-changes"] : [])]);
  await stack.succeed("stack", "rename", "test");
  const wrong = isInSync && ended.code !== 0 ? [`a renamed stack shows changes: ${ended.output}`] : [];
  yield { isAside: true, line: "pulumi stack rename renamed; pulumi preview; pulumi stack rename test", ended, wrong };
}

/** The same declaration, in a stack of the same name in another backend. */
async function* otherBackend({ blank, platform, program, key }: Bench, handle: Handle): Commands {
  const declared = find(program, handle);
  if (declared === undefined || isKept(declared.type) || declared.type === "SandboxSnapshot") return;
  const alone = {
    use: undefined,
    adopt: false,
    imports: undefined,
    connection: "stack",
    deletedWith: undefined,
  } as const;
  const other = EngineStack.like(blank);
  try {
    other.connect(platform, key.value);
    other.write(programText([{ ...declared, ...alone }]));
    yield { isAside: true, line: "pulumi up, in another backend", ended: await other.up() };
    yield { isAside: true, line: "pulumi destroy, in another backend", ended: await other.destroy() };
  } finally {
    other.remove();
  }
}

const commandsIn = (text: string): string[] => [...text.matchAll(/`(pulumi [^`]+)`/g)].map(([, line = ""]) => line);

const Drift = z.object({ drifted: z.array(z.object({ next: z.string() })), unread: z.array(z.unknown()) });
async function* drift(bench: Bench): Commands {
  const ended = (yield* driftOfStates(bench)) ?? (await cliCommand(bench.stack, "drift", "--format", "json"));
  const drifted = ended.code === 1 ? [] : Drift.parse(JSON.parse(ended.stdout)).drifted;
  const advises = drifted.flatMap(({ next }) => commandsIn(next)).slice(0, 2);
  yield { line: "pulumi-agent-platform drift", ended, advises };
}

const Found = z.looseObject({
  drifted: z.array(z.looseObject({ urn: z.string(), fields: z.array(z.looseObject({ path: z.string() })) })),
  clean: z.number(),
  outcome: z.string().optional(),
  encrypted: z.array(z.object({ urn: z.string(), fields: z.array(z.string()) })).default([]),
});
type Found = z.infer<typeof Found>;
const Stacks = z.object({ stacks: z.array(z.looseObject({ outcome: z.string(), engine: z.string().optional() })) });

/** Without the fields that only one of them can see. */
function seenByBoth({ outcome: _, encrypted: __, ...found }: Found, { encrypted }: Found): object {
  const isHidden = (urn: string, path: string): boolean =>
    encrypted.some((each) => each.urn === urn && each.fields.some((field) => path.split(/[.[]/)[0] === field));
  const drifted = found.drifted.flatMap(({ urn, next: _next, ...object }) => {
    const fields = object.fields.filter(({ path }) => !isHidden(urn, path));
    return fields.length === 0 && object.fields.length > 0 ? [] : [{ urn, ...object, fields }];
  });
  return { ...found, drifted, clean: found.clean + found.drifted.length - drifted.length };
}

/** What the provider's own read finds in the states is what the engine's refresh finds. Returns how that ended, if it was asked. */
export async function* driftOfStates({ stack, key, isUnstruck }: Bench): Commands<Ended | undefined> {
  const environment = { ...stack.environment, AGENT_PLATFORM_API_KEY: key.value };
  const ask = () => cliCommand({ folder: stack.folder, environment }, "drift", "--stacks", "test", "--format", "json");
  const ended = await ask();
  const rowIn = ({ stdout }: Ended) =>
    isUnstruck && stdout !== "" ? Stacks.parse(JSON.parse(stdout)).stacks[0] : undefined;
  const row = rowIn(ended);
  const asked = "pulumi-agent-platform drift --stacks test";
  const line = row?.engine === undefined ? asked : `${asked} (by an engine, because ${row.engine})`;
  if (row === undefined || row.engine !== undefined) {
    yield { line, ended };
    return undefined;
  }
  const engine = await cliCommand(stack, "drift", "--format", "json");
  if (row.outcome === "failed" || engine.stdout === "") {
    const isBoth = row.outcome === "failed" && engine.stdout === "";
    yield { line, ended, wrong: isBoth ? [] : [`${ended.output}\nand the engine: ${engine.output}`] };
    return engine;
  }
  const its = Found.parse(JSON.parse(engine.stdout));
  const differs = (found: Found): string[] => {
    const [mine, theirs] = [found, its].map((each) => JSON.stringify(seenByBoth(each, found)));
    return mine === theirs ? [] : [`${mine}\nand the engine: ${theirs}`];
  };
  const wrong = differs(Found.parse(row));
  // A build that ended between the two looks is no difference: a third look shows it, too.
  const later = wrong.length === 0 ? undefined : rowIn(await ask());
  yield { line, ended, wrong: later === undefined ? wrong : differs(Found.parse(later)) };
  return engine;
}

const Inventory = z.object({ orphans: z.array(z.object({ kind: z.string(), name: z.string() })).nullable() });
/** Names what no stack holds. */
async function* inventory({ stack, platform, seen }: Bench): Commands {
  const ended = await cliCommand(stack, "inventory", "--format", "json");
  const named = ended.code === 1 ? null : Inventory.parse(JSON.parse(ended.stdout)).orphans;
  const isWhole = named !== null && !platform.quirks.includes("offers what is documented");
  const unnamed = unheld(seen).filter(
    ({ type, name }) => !isKept(type) && !named?.some((each) => each.kind === type && each.name === name),
  );
  const wrong = unnamed.map(({ type, name }) => `${type} ${name} is in no stack, and inventory does not name it`);
  yield { line: "pulumi-agent-platform inventory", ended, wrong: isWhole ? wrong : [] };
}
async function* doctor({ stack }: Bench): Commands {
  yield { isAside: true, line: "pulumi-agent-platform doctor", ended: await cliCommand(stack, "doctor") };
}

async function* planned(bench: Bench): Commands {
  // The plugin draws a key for each provider that has none in state yet: another one at `up`, which the plan then refuses.
  const rows = readState(bench.stack).checkpoint.latest.resources.filter(({ type }) =>
    type.startsWith("pulumi:providers:"),
  );
  const kept = rows.flatMap(({ urn, inputs }) =>
    FRONT === "dynamic" || (isObject(inputs) && "stackKey" in inputs) ? `${urn}"` : [],
  );
  const providers = bench.program.map(({ connection, release }) =>
    connection !== "stack" ? `::${connection}"` : release > 0 ? `::default_0_1_${release}"` : "::default",
  );
  if (providers.length === 0 || !providers.every((name) => kept.some((urn) => urn.includes(name)))) return;
  for await (const ran of pulumi(bench, look, "preview", "--save-plan", "plan.json")) {
    yield ran;
    if (ran.ended.code === 0) yield* pulumi(bench, up, "up", "--plan", "plan.json");
  }
}
async function* previewedOnline(bench: Bench): Commands {
  const { stack, platform, key } = bench;
  stack.connect(platform, key.value, { preview: "online" });
  yield* pulumi(bench, { ...look, line: "pulumi preview, with agent-platform:preview online" }, "preview", "--diff");
  stack.connect(platform, key.value);
}

async function* destroyedByProgram(bench: Bench): Commands {
  const declared = new Set(bench.program.map(urnOf));
  // The engine would delete the provider of what it keeps, and no command could read the state (docs/internals/engine.md, trap 62).
  if (bench.stack.resources().some(({ protect, urn }) => protect && !declared.has(urn))) return;
  yield* pulumi(bench, { ...down, runsProgram: true }, "destroy", "--run-program");
}

const [DEPENDENTS, withDependents] = ["--target-dependents", true] as const;
export const COMMAND_ROWS = tableOf<Command>()({
  up: (bench) => applied(bench, {}),
  "up --refresh": (bench) => applied(bench, refreshing, ["--refresh"]),
  "up --continue-on-error": (bench) => applied(bench, {}, ["--continue-on-error"]),
  "up --target": aimed(false, (urn, bench) => applied(bench, { targets: [urn] }, ["--target", urn])),
  "up --target --target-dependents": aimed(false, (urn, bench) =>
    applied(bench, { targets: [urn], withDependents }, ["--target", urn, DEPENDENTS]),
  ),
  "up --target-replace": aimed(true, (urn, bench) => applied(bench, { targets: [urn] }, ["--target-replace", urn])),
  "up --exclude": aimed(false, (urn, bench) => {
    const targets = bench.program.flatMap((each) => [urnOf(each), rolloutUrnOf(each)]).filter((each) => each !== urn);
    return applied(bench, { targets }, ["--exclude", urn, "--exclude-dependents"]);
  }),
  "up --plan": planned,
  preview: plain(look, "preview"),
  "preview: online": previewedOnline,
  refresh: plain(refreshing, "refresh"),
  destroy: plain(down, "destroy"),
  "destroy --refresh": plain({ ...down, refreshes: true }, "destroy", "--refresh"),
  "destroy --run-program": destroyedByProgram,
  "destroy --target": aimed(true, (urn, bench) =>
    pulumi(bench, { ...down, targets: [urn] }, "destroy", "--target", urn),
  ),
  "destroy --target --target-dependents": aimed(true, (urn, bench) =>
    pulumi(bench, { ...down, targets: [urn], withDependents }, "destroy", "--target", urn, DEPENDENTS),
  ),
  "state delete": aimed(true, (urn, bench) =>
    pulumi(bench, { forgets: true }, "state", "delete", urn, DEPENDENTS, "--force"),
  ),
  "state move": aimed(true, moved),
  "stack rename": renamedStack,
  "up, in another backend": otherBackend,
  import: imported,
  "up, killed at a POST": killed("up", "POST"),
  "up, killed at a PATCH": killed("up", "PATCH"),
  "up, killed at a DELETE": killed("up", "DELETE"),
  "up, killed while a revision builds": killed("up", "GET", "/v2/deployments/*/revisions/*"),
  "destroy, killed at a DELETE": killed("destroy", "DELETE"),
  "rotate the key, then up": rotated,
  "up and refresh with another tenant's key": withOtherKey,
  drift,
  inventory,
  doctor,
});

export type CommandName = keyof typeof COMMAND_ROWS;
export const COMMANDS = wordsOf(COMMAND_ROWS);
