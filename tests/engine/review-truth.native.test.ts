import fc from "fast-check";
import { z } from "zod";
import { readPreview, runPreview } from "../../cli/review/preview";
import { reviewOf } from "../../cli/review/report";
import type { Review, ReviewedObject } from "../../cli/review/review";
import { startEmulator, type Emulator } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { ManagedType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { programsOf } from "./programs-of-types";
import { record } from "../reliability/record";
import { describeWithEngine } from "../support/with-engine";
import { EngineHome, type EngineStack } from "./random/engine-stack";

jest.setTimeout(14_400_000);

// What a review says is what `up` does: for random changes of random programs, the requests that the emulator gets are those of the review of the
// same change, none missing and none more.

const chaos = process.env["CHAOS_ENGINE"] !== undefined;
const RUNS = Number(process.env["CHAOS_RUNS"] ?? (chaos ? 150 : 4));
const SEED = Number(process.env["CHAOS_SEED"] ?? 7);
const PARALLEL = Number(process.env["CHAOS_PARALLEL"] ?? 2);

/** One resource of a program. */
interface Declared {
  readonly slot: string;
  readonly kind: ManagedType;
  /** In the program; the name on the platform is one of the arguments. */
  readonly name: string;
  readonly args: JsonObject;
  readonly options: string;
  /** An argument that comes from the box, which is not known while that is new. */
  readonly open: string;
}

const SLOTS: readonly (readonly [slot: string, kind: ManagedType])[] = [
  ["desk", "Deployment"],
  ["other", "Deployment"],
  ["github", "OAuthProvider"],
  ["crate", "SandboxTemplate"],
  ["cluster", "Listener"],
];
/** Draws what a program has, with the same seed the same. */
class Author {
  private round = 0;
  constructor(private readonly values: fc.GeneratorValue) {}

  pick<T>(...choices: readonly T[]): T {
    return this.values(() => fc.constantFrom(...choices));
  }

  private args(slot: string, kind: ManagedType): JsonObject {
    const of = this.pick(...programsOf(kind).slice(0, 1));
    const args = this.values(() => of);
    const { naturalKey: key = "name" } = RESOURCES[kind].table;
    // A template can be renamed in place, and a listener replaced for its name.
    return {
      ...args,
      [key]:
        kind === "Deployment" || kind === "OAuthProvider"
          ? slot
          : `${slot}-${JSON.stringify(args[key])}`.replaceAll('"', ""),
    };
  }

  private fresh([slot, kind]: readonly [string, ManagedType]): Declared {
    return { slot, kind, name: slot, args: this.args(slot, kind), options: "", open: this.open(kind) };
  }

  private open(kind: ManagedType): string {
    if (this.pick(true, true, false)) return "";
    if (kind === "Deployment")
      return this.pick(
        "displayName: box.id",
        "environmentVariables: { A: box.id }",
        "extra: { team: box.id }",
        "secrets: { K: box.id }",
      );
    return kind === "OAuthProvider" ? this.pick("name: box.id", "clientSecret: box.id") : "";
  }

  first(): Declared[] {
    return SLOTS.filter(() => this.pick(true, true, false)).map((slot) => this.fresh(slot));
  }

  next(before: readonly Declared[]): Declared[] {
    this.round += 1;
    return SLOTS.flatMap((slot) => {
      const old = before.find((each) => each.slot === slot[0]);
      if (old === undefined) return this.pick(true, false, false) ? [this.fresh(slot)] : [];
      const kept = { ...old, options: "", args: withoutAdopt(old.args) };
      const change = this.pick(
        "same",
        "args",
        "args",
        "args",
        "remove",
        "alias",
        "alias and args",
        "adopt",
        "adopt and args",
      );
      if (change === "remove") return [];
      const renamed = `${old.slot}-${this.round}`;
      const args = change.endsWith("args") ? this.args(...slot) : kept.args;
      const open = change.endsWith("args") ? this.open(old.kind) : old.open;
      if (change.startsWith("alias"))
        return [{ ...kept, name: renamed, args, open, options: `, { aliases: [{ name: "${old.name}" }] }` }];
      if (change.startsWith("adopt")) return [{ ...kept, name: renamed, open, args: { ...args, adopt: true } }];
      return [{ ...kept, args, open }];
    });
  }
}

const withoutAdopt = ({ adopt: _, ...args }: JsonObject): JsonObject => args;

/** The text of a program. The box is another one each time, so that what comes from it is not known before `up`. */
function textOf(program: readonly Declared[], round: number): string {
  const box = `const box = new platform.SandboxTemplate("box-${round}", { image: "box:1", resources: { cpu: "1", memory: "1Gi" } });`;
  const lines = program.map(({ kind, name, args, options, open }) => {
    const given = `Object.assign(${JSON.stringify(args)}, { ${open} })`;
    return `new platform.${kind}("${name}", ${given}${options});`;
  });
  return [box, ...lines].join("\n");
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  Deployment: "/v2/deployments",
  OAuthProvider: "/v2/auth/providers",
  SandboxTemplate: "/v2/sandboxes/templates",
  Listener: "/v2/listeners",
};
const Body = z.record(z.string(), z.unknown()).catch({});

interface Said {
  readonly what: string;
  readonly path: RegExp;
  /** The path is of one object alone. */
  readonly isExact: boolean;
  readonly method: string;
  readonly certain: boolean;
  readonly fields: readonly string[];
  readonly mayHave: readonly string[];
}

/** The requests that a review says. */
const saidBy = ({ objects }: Review): Said[] =>
  objects.flatMap((object) =>
    object.requests.map((request) => ({
      ...request,
      what: `${object.kind} ${object.name}`,
      path: pathOf(object, request.method),
      isExact: idInPath(object, request.method) !== undefined,
    })),
  );

function pathOf(object: ReviewedObject, method: string): RegExp {
  const collection = COLLECTIONS[object.kind] ?? "nothing";
  if (method === "POST") return new RegExp(`^${collection}$`);
  return new RegExp(`^${collection}/${idInPath(object, method) ?? "[^/]+"}$`);
}

/** The id in the path of a request, where the review knows it. A template's path has its name. */
function idInPath({ kind, id, operation }: ReviewedObject, method: string): string | undefined {
  return kind === "SandboxTemplate" || (operation === "replace" && method === "PATCH") ? undefined : id;
}

/** Where the requests of an `up` are not those of the review. @param isWhole The `up` came to its end. */
function lies(emulator: Emulator, review: Review, isWhole: boolean): string[] {
  const left = saidBy(review);
  const found: string[] = [];
  for (const { method, path, requestBody } of emulator.requests) {
    if (method === "GET") continue;
    const body = Object.keys(Body.parse(requestBody));
    const fits = (said: Said): boolean =>
      said.method === method &&
      said.path.test(path.split("?")[0] ?? "") &&
      said.fields.every((name) => body.includes(name)) &&
      body.every((name) => [...said.fields, ...said.mayHave].includes(name) || said.mayHave.includes("*"));
    // What is said of one object alone comes before what may be said of any: each request is said once.
    const [said] = left
      .filter(fits)
      .sort((a, b) => Number(b.isExact) - Number(a.isExact) || Number(b.certain) - Number(a.certain));
    if (said === undefined) found.push(`${method} ${path} of ${body.join(", ")} is sent, and not said`);
    else left.splice(left.indexOf(said), 1);
  }
  const missing = isWhole ? left.filter(({ certain }) => certain) : [];
  return [
    ...found,
    ...missing.map(({ what, method, fields }) => `${what}: ${method} of ${fields.join(", ")} is said, and not sent`),
  ];
}

const counts = { programs: 0, failed: 0, requests: 0, said: 0, uncertain: 0, targeted: 0 };

/** Plays one program: what is there, then a change of it, reviewed and brought up. */
async function play(stack: EngineStack, emulator: Emulator, seed: number): Promise<string[]> {
  const [values] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (values === undefined) throw new Error(`no program of the seed ${seed}`);
  const author = new Author(values);
  let program = author.first();
  stack.write(textOf(program, 0));
  if ((await stack.up()).code !== 0) return [];
  const found: string[] = [];
  for (let round = 1; round <= 2; round++) {
    const after = author.next(program);
    stack.write(textOf(after, round));
    const aimed = author.pick(undefined, undefined, undefined, ...after.map(({ name }) => name));
    const target = aimed === undefined ? [] : ["--target", `**::${aimed}`];
    const { folder, environment, host } = stack;
    const saved = await runPreview("test", { folder, environment }, [...target, await host.client(environment)]);
    const review = reviewOf(readPreview(saved), undefined);
    if (review.result === "failed") host.stop();
    if (review.result === "failed") return found;
    emulator.clearLog();
    const { code, output } = await stack.up(...target);
    const wrong = lies(emulator, review, code === 0);
    const said = saidBy(review);
    counts.programs += 1;
    counts.failed += Number(code !== 0);
    counts.requests += emulator.requests.filter(({ method }) => method !== "GET").length;
    counts.said += said.length;
    counts.uncertain += said.filter(({ certain }) => !certain).length;
    counts.targeted += Number(target.length > 0);
    const story = `${textOf(after, round)}\n${JSON.stringify(review.objects.map(({ kind, name, operation, requests }) => ({ kind, name, operation, requests })))}`;
    if (wrong.length > 0)
      found.push(
        [
          `seed ${seed}, change ${round} ${target.join(" ")}:`,
          ...wrong,
          textOf(program, round - 1),
          story,
          code === 0 ? "" : output,
        ].join("\n"),
      );
    if (code !== 0) return found;
    // What a target left out is not there.
    if (target.length > 0) return found;
    program = after;
  }
  return found;
}

describeWithEngine("reviews on the real engine", () => {
  test(`${RUNS} random programs: what a review says is what up sends`, async () => {
    const home = await EngineHome.make();
    const found: string[] = [];
    const waiting = Array.from({ length: RUNS }, (_, index) => SEED + index);
    const work = async (): Promise<void> => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        const emulator = await startEmulator({ buildSeconds: 0 });
        const stack = home.stack();
        stack.connect(emulator.url, emulator.apiKey);
        try {
          found.push(...(await play(stack, emulator, seed)));
        } finally {
          stack.remove();
          await emulator.close();
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: PARALLEL }, work));
    } finally {
      home.close();
    }
    process.stderr.write(`${JSON.stringify({ ...counts, lies: found.length })}\n`);
    record("reviews", { ...counts, lies: found.length });
    expect(found).toEqual([]);
    expect(counts.programs).toBeGreaterThan(0);
  });
});
