import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import type { Story } from "./stories";

/** A fault put into the code: this text of a file becomes that. */
interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where it can show: the explorer does not know which schedule. */
  readonly stories: (story: Story) => boolean;
}

const MUTANTS: readonly Mutant[] = [
  {
    what: "an object is deleted without a look at which one has its name",
    file: "provider/lifecycle/rest/by-id.ts",
    from: "if (await this.isTaken(send, state)) {",
    to: "if (state.id === '') {",
    stories: ({ type }) => type === "OAuthProvider",
  },
  {
    what: "a creation whose answer was lost is not looked for",
    file: "provider/lifecycle/create.ts",
    from: "const there = await this.lookAfter(key, unclear ?? error, unclear === undefined ? [0] : PAUSES_MS);",
    to: "const there = undefined;",
    stories: ({ type }) => type === "SandboxTemplate",
  },
  {
    what: "somebody's revision is taken for the declared one",
    file: "provider/resources/rollout/definition.ts",
    from: "await refuseAnothers(context, inputs, serving, what, awaited);",
    to: "",
    stories: ({ type, other }) => type === "Deployment" && other === "pushes",
  },
  {
    what: "the answer of a change is not compared with what was to be changed",
    file: "provider/lifecycle/rest/by-name.ts",
    from: 'if (areTwo(from.live["id"], now["id"])) throw changedAnother(what);',
    to: "",
    stories: ({ type }) => type === "SandboxTemplate",
  },
  {
    what: "a late list is believed, after the name in it was denied",
    file: "provider/lifecycle/rest/by-name.ts",
    from: " && !isLate(first)) return",
    to: ") return",
    stories: ({ type, faults }) => type === "SandboxTemplate" && faults.includes("lost answer"),
  },
  {
    what: "any cron is taken for the one that an earlier attempt has made",
    file: "provider/resources/deployment/agent-resource.ts",
    from: "search(send, { metadata: { [MARK]: key } }), (each) => markIn(each) === key)",
    to: "search(send), () => true)",
    stories: ({ type, act }) => type === "Cron" && act === "create",
  },
  ...(["SandboxSnapshot", "Cron"] as const).map((kind) => ({
    // A cron is made with the last request of its creation: the kill comes before the state is written.
    what: `a ${kind} that an attempt which was killed has made is made again`,
    file: "provider/lifecycle/create.ts",
    from: "return !isOthers && this.creation.own?.canTakeOver?.(object.live) !== false;",
    to: "return false;",
    stories: ({ type, act, other }: Story) => type === kind && act === "create" && other === undefined,
  })),
];

const ROOT = join(__dirname, "..", "..");

/** The module as it would be with the fault. */
function mutated({ file, from, to }: Mutant): unknown {
  const path = join(ROOT, file);
  const parts = readFileSync(path, "utf8").split(from);
  if (parts.length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
  const { outputText } = transpileModule(parts.join(to), { compilerOptions });
  const made: { exports: unknown } = { exports: {} };
  const load = (name: string): unknown => jest.requireActual(name.startsWith(".") ? join(dirname(path), name) : name);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  Reflect.apply(new Function("require", "module", "exports", outputText), undefined, [load, made, made.exports]);
  return made.exports;
}

/** The name of the first of these stories that breaks, with the module as it is after the fault. */
async function firstBroken(mutant: Mutant, isOfThese: (story: Story) => boolean): Promise<string | undefined> {
  jest.resetModules();
  const module = mutated(mutant);
  jest.doMock(join(ROOT, mutant.file), () => module);
  const { World } = await import("./world");
  const { allStories } = await import("./stories");
  const { playing } = await import("./judge");
  const { explore } = await import("./explore");
  const { MOST } = await import("./suite");
  const world = await World.start();
  try {
    for (const story of allStories().filter(isOfThese))
      if ((await explore(playing(world, story), MOST)).failure !== undefined) return story.name;
    return undefined;
  } finally {
    await world.close();
    jest.dontMock(join(ROOT, mutant.file));
  }
}

test.each(MUTANTS.map((mutant) => [mutant.what, mutant] as const))("found: %s", async (_what, mutant) => {
  const found = await firstBroken(mutant, mutant.stories);
  expect(found).toBeDefined();
  // The same story holds without the fault, in a module that is loaded in the same way.
  expect(await firstBroken({ ...mutant, to: mutant.from }, ({ name }) => name === found)).toBeUndefined();
});
