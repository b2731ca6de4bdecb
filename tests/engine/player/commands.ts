import { z } from "zod";
import type { Review } from "../../../cli/review/review";
import { typeInState } from "../../support/cli-stack";
import { cliCommand } from "../../support/cli-command";
import type { Ended } from "../../support/run-process";
import { noPluginAtWork } from "../cut-off";
import { KEYS, keyOf, type Platform } from "./platform";
import { find, isKept, programText, rolloutUrnOf, typeOfHandle, urnOf, type Handle, type Program } from "./program";
import { reviewed } from "./reviewing";
import type { EngineHome, EngineStack } from "./stack";
import { keyOfRow, rowOf, rowsOf, type Seen } from "./state";

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
  readonly home: EngineHome;
  readonly stack: EngineStack;
  readonly platform: Platform;
  readonly program: Program;
  readonly seen: Seen;
  /** The key that the stack is configured with. */
  readonly key: { value: string };
  /** Nothing strikes the command: its review can be held against its requests. */
  readonly isCalm: boolean;
  /** Everything declared is applied, as far as is known. */
  readonly isInSync: boolean;
}
type Commands = AsyncGenerator<Ran, void, undefined>;
type Command = (bench: Bench, handle: Handle, n: number) => Commands;

const YES = ["--yes", "--skip-preview"];
export const up: Kind = { applies: true };
export const look: Kind = {};
export const down: Kind = { destroys: true };
const refreshing: Kind = { refreshes: true };

/** The command line without the flags that every command has. */
const shown = (args: readonly string[]): string =>
  `pulumi ${args.filter((arg) => !/^--(yes|skip-preview|generate-code=false|protect=false)$/.test(arg)).join(" ")}`;

export const plain = (kind: Kind, ...args: string[]): Command =>
  async function* ({ stack }) {
    yield { ...kind, line: shown(args), ended: await stack.run(args) };
  };

/** An `up`; where nothing strikes it, it is reviewed before. */
async function* applied(
  { stack, isCalm }: Bench,
  kind: Kind,
  flags: readonly string[],
  more: readonly string[] = [],
): Commands {
  const review = isCalm ? await reviewed(stack, flags) : undefined;
  const args = ["up", ...flags, ...more, ...YES];
  yield { ...kind, line: shown(args), ended: await stack.run(args), ...(review && { review }) };
}
const applying =
  (kind: Kind, flags: string[] = [], more: string[] = []): Command =>
  (bench) =>
    applied(bench, kind, flags, more);

/** The URN that the resource has in state, or will have. */
function urnToTarget({ program, seen }: Bench, handle: Handle): string | undefined {
  const declared = find(program, handle);
  return rowOf(seen, { handle, type: typeOfHandle(handle) })?.urn ?? (declared && urnOf(declared));
}
/** With the URN of the resource; `inState`: only of one that has a row. */
const aimed = (inState: boolean, command: (urn: string, bench: Bench, handle: Handle) => Commands): Command =>
  async function* (bench, handle) {
    const urn = urnToTarget(bench, handle);
    const hasRow = rowsOf(bench.seen).some((row) => row.urn === urn);
    if (urn !== undefined && (hasRow || !inState)) yield* command(urn, bench, handle);
  };

async function* cutOff(
  { stack, platform }: Bench,
  verb: "up" | "destroy",
  where: { readonly method: string; readonly path: string; readonly phase: "before-route" | "after-commit" },
): Commands {
  const hold = platform.emulator.faults.add({ kind: "hold", ...where });
  const ended = await stack.run([verb, ...YES], { cutAt: hold.reached });
  hold.remove();
  await noPluginAtWork(stack);
  await stack.unlock();
  const line = ended.cut
    ? `pulumi ${verb}, killed at a ${where.method}, ${where.phase}; pulumi cancel`
    : `pulumi ${verb}`;
  yield { line, ...(verb === "up" ? up : down), ended };
}
const killed =
  (verb: "up" | "destroy", method: string, path: string): Command =>
  (bench, _handle, n) =>
    cutOff(bench, verb, { method, path, phase: n % 3 === 0 ? "before-route" : "after-commit" });

/** To the other key of the same tenant; the old one is revoked once `up` has recorded the new one. */
async function* rotated({ stack, platform, key }: Bench): Commands {
  const old = key.value;
  if (old !== KEYS.first) return;
  key.value = KEYS.second;
  stack.connect(platform.url, key.value, platform.settings);
  const ended = await stack.up();
  if (ended.code === 0) platform.revokedKeys.add(old);
  yield { line: "pulumi config set agent-platform:apiKey <new key>; pulumi up", ...up, ended };
  if (ended.code === 0)
    yield { line: "pulumi refresh, the old key revoked", ...refreshing, ended: await stack.refresh() };
}

async function* withOtherKey(bench: Bench): Commands {
  const { stack, platform, key, isInSync } = bench;
  if (!isInSync) return;
  stack.connect(platform.url, KEYS.other, platform.settings);
  yield { line: "pulumi up, with another tenant's key", ...up, foreignKey: true, ended: await stack.up() };
  yield {
    line: "pulumi refresh, with another tenant's key",
    ...refreshing,
    foreignKey: true,
    ended: await stack.refresh(),
  };
  stack.connect(platform.url, key.value, platform.settings);
  yield { line: "pulumi up, with the right key again", ...up, ended: await stack.up() };
}

/** Takes an object that no state holds into the state; that of its name before any other. */
const imported: Command = async function* ({ stack, program, seen }, handle) {
  const type = typeOfHandle(handle);
  const declared = find(program, handle);
  if (declared?.inComponent === true || rowOf(seen, { handle, type }) !== undefined) return;
  const held = rowsOf(seen).map(keyOfRow);
  const free = seen.objects.filter((each) => each.type === type && !each.isBeingDeleted && !held.includes(keyOf(each)));
  const connection = declared?.connection ?? "stack";
  const provider = `urn:pulumi:test::test::pulumi:providers:agent-platform::${connection}`;
  const through = connection === "stack" ? [] : ["--provider", `${connection}=${provider}`];
  const [object] = free;
  const host = rowOf(seen, { handle: "Deployment1", type: "Deployment" })?.id;
  if (object === undefined || (isKept(type) && host === undefined)) return;
  if (connection !== "stack" && !stack.stateText().includes(`"${provider}"`)) return;
  const id = isKept(type) ? `${host ?? ""}/${object.id}` : object.id;
  const pulumiName = declared?.pulumiName ?? handle.toLowerCase();
  const args = [
    "import",
    typeInState(type),
    pulumiName,
    id,
    ...through,
    ...YES,
    "--generate-code=false",
    "--protect=false",
  ];
  yield { imports: urnOf({ type, pulumiName, inComponent: false }), line: shown(args), ended: await stack.run(args) };
};

/** The row moves to another stack of the project, and its declaration with it. */
async function* moved(urn: string, { stack, program, seen }: Bench, handle: Handle): Commands {
  const isUsed = program.some(
    ({ use, deletedWith, type }) =>
      use?.from === handle || deletedWith === handle || (handle === "Deployment1" && isKept(type)),
  );
  const row = rowsOf(seen).find((each) => each.urn === urn);
  if (isUsed || row === undefined || row.pendingReplacement || isKept(typeOfHandle(handle))) return;
  if (find(program, handle)?.check !== undefined || find(program, handle)?.inComponent) return;
  await stack.run(["stack", "init", "other", "--no-select"]);
  const args = ["state", "move", "--source", "test", "--dest", "other", urn, "--yes"];
  yield { forgets: true, moves: handle, line: shown(args), ended: await stack.run(args) };
}

async function* renamedStack({ stack, isInSync }: Bench): Commands {
  await stack.succeed("stack", "rename", "renamed");
  const ended = await stack.run(["preview", "--stack", "renamed", ...(isInSync ? ["--expect-no-changes"] : [])]);
  await stack.succeed("stack", "rename", "test");
  yield { ...look, isAside: true, line: "pulumi stack rename renamed; pulumi preview; pulumi stack rename test", ended,
    ...(isInSync && ended.code !== 0 && { wrong: [`a renamed stack shows changes: ${ended.output}`] }) }; // prettier-ignore
}

/** The same declaration, in a stack of the same name in another backend. */
async function* otherBackend({ home, platform, program, key }: Bench, handle: Handle): Commands {
  const declared = find(program, handle);
  if (declared === undefined || isKept(declared.type) || declared.type === "SandboxSnapshot") return;
  const other = home.stack();
  try {
    other.connect(platform.url, key.value, platform.settings);
    other.write(
      programText([
        { ...declared, use: undefined, adopt: false, imports: undefined, connection: "stack", deletedWith: undefined },
      ]),
    );
    yield { isAside: true, line: "pulumi up, in another backend", ended: await other.up() };
    yield { isAside: true, line: "pulumi destroy, in another backend", ended: await other.destroy() };
  } finally {
    other.remove();
  }
}

const commandsIn = (text: string): string[] => [...text.matchAll(/`(pulumi [^`]+)`/g)].map(([, line = ""]) => line);

const Drift = z.object({ drifted: z.array(z.object({ next: z.string() })), unread: z.array(z.unknown()) });
async function* drift({ stack }: Bench): Commands {
  const ended = await cliCommand(stack, "drift", "--format", "json");
  const report = ended.code === 1 ? undefined : Drift.parse(JSON.parse(ended.stdout));
  yield {
    line: "pulumi-agent-platform drift",
    ended,
    advises: (report?.drifted ?? []).flatMap(({ next }) => commandsIn(next)).slice(0, 2),
  };
}

const Inventory = z.object({
  orphans: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() })).nullable(),
});
/** Names what no stack holds, and nothing else. */
async function* inventory({ stack, platform, seen }: Bench): Commands {
  const ended = await cliCommand(stack, "inventory", "--format", "json");
  const named = ended.code === 1 ? null : Inventory.parse(JSON.parse(ended.stdout)).orphans;
  const held = rowsOf(seen).map(keyOfRow);
  const free = platform
    .objects()
    .filter((each) => !isKept(each.type) && !held.includes(keyOf(each)) && !each.isBeingDeleted);
  const [said, are] = [
    (named ?? []).map(({ kind, name }) => `${kind} ${name}`),
    free.map(({ type, name }) => `${type} ${name}`),
  ];
  const wrong =
    named === null || platform.quirks.includes("offers what is documented")
      ? []
      : are
          .filter((each) => !said.includes(each))
          .map((each) => `${each} is in no stack, and inventory does not name it`);
  yield { line: "pulumi-agent-platform inventory", ended, wrong };
}
const tool = (...args: string[]): Command =>
  async function* ({ stack }) {
    yield { isAside: true, line: `pulumi-agent-platform ${args.join(" ")}`, ended: await cliCommand(stack, ...args) };
  };

async function* planned({ stack, program }: Bench): Commands {
  // The plugin draws a key for each provider that is not in state yet: another one at `up`, which the plan then refuses.
  const providers = program.map(({ connection, release }) =>
    connection !== "stack" ? `::${connection}"` : release > 0 ? `::default_0_1_${release}"` : "::default",
  );
  if (providers.length === 0 || !providers.every((urn) => stack.stateText().includes(urn))) return;
  const preview = await stack.run(["preview", "--save-plan", "plan.json"]);
  yield { ...look, line: "pulumi preview --save-plan plan.json", ended: preview };
  const args = ["up", "--plan", "plan.json", ...YES];
  if (preview.code === 0) yield { ...up, line: shown(args), ended: await stack.run(args) };
}
async function* previewedOnline({ stack, platform, key }: Bench): Commands {
  stack.connect(platform.url, key.value, { ...platform.settings, preview: "online" });
  yield { ...look, line: "pulumi preview, with agent-platform:preview online", ended: await stack.preview() };
  stack.connect(platform.url, key.value, platform.settings);
}

const COMMAND_ROWS = {
  up: applying(up),
  "up --refresh": applying({ ...up, refreshes: true }, ["--refresh"]),
  "up --continue-on-error": applying(up, [], ["--continue-on-error"]),
  "up --target": aimed(false, (urn, bench) => applied(bench, { ...up, targets: [urn] }, ["--target", urn])),
  "up --target --target-dependents": aimed(false, (urn, bench) =>
    applied(bench, { ...up, targets: [urn], withDependents: true }, ["--target", urn, "--target-dependents"]),
  ),
  "up --target-replace": aimed(true, (urn, bench) =>
    applied(bench, { ...up, targets: [urn] }, ["--target-replace", urn]),
  ),
  "up --exclude": aimed(false, (urn, bench) => {
    const targets = bench.program.flatMap((each) => [urnOf(each), rolloutUrnOf(each)]).filter((each) => each !== urn);
    return applied(bench, { ...up, targets }, ["--exclude", urn, "--exclude-dependents"]);
  }),
  "up --plan": planned,
  preview: plain(look, "preview"),
  "preview: online": previewedOnline,
  refresh: plain(refreshing, "refresh", ...YES),
  destroy: plain(down, "destroy", ...YES),
  "destroy --refresh": plain({ ...down, refreshes: true }, "destroy", "--refresh", ...YES),
  "destroy --run-program": plain({ ...down, runsProgram: true }, "destroy", "--run-program", ...YES),
  "destroy --target": aimed(true, (urn, bench, handle) =>
    plain({ ...down, targets: [urn] }, "destroy", "--target", urn, ...YES)(bench, handle, 0),
  ),
  "destroy --target --target-dependents": aimed(true, (urn, bench, handle) =>
    plain(
      { ...down, targets: [urn], withDependents: true },
      "destroy",
      "--target",
      urn,
      "--target-dependents",
      ...YES,
    )(bench, handle, 0),
  ),
  "state delete": aimed(true, (urn, bench, handle) =>
    plain({ forgets: true }, "state", "delete", urn, "--target-dependents", "--force", "--yes")(bench, handle, 0),
  ),
  "state move": aimed(true, moved),
  "stack rename": renamedStack,
  "up, in another backend": otherBackend,
  import: imported,
  "up, killed at a POST": killed("up", "POST", "**"),
  "up, killed at a PATCH": killed("up", "PATCH", "**"),
  "up, killed at a DELETE": killed("up", "DELETE", "**"),
  "up, killed while a revision builds": killed("up", "GET", "/v2/deployments/*/revisions/*"),
  "destroy, killed at a DELETE": killed("destroy", "DELETE", "**"),
  "rotate the key, then up": rotated,
  "up and refresh with another tenant's key": withOtherKey,
  drift,
  inventory,
  doctor: tool("doctor"),
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMAND_ROWS;
const isCommand = (word: string): word is CommandName => word in COMMAND_ROWS;
const commandOf = (name: CommandName): Command => COMMAND_ROWS[name];
export const COMMANDS: readonly CommandName[] = Object.keys(COMMAND_ROWS).filter(isCommand);
/** Runs a command, or the few that belong together; each is judged by itself. None where the command does not apply. */
export function run(name: CommandName, bench: Bench, handle: Handle, n: number): Commands {
  return commandOf(name)(bench, handle, n);
}
