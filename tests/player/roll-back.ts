import type { ServerResponse } from "node:http";
import { z } from "zod";
import { messageOf } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { servingRead } from "../support/serving";
import type { Choice } from "./schedule";
import type { Ran as Ended, Stack } from "./stack";
import { toldOf, type Told } from "./suite";
import { PARTS, World, type Event } from "./world";

/** What a check comes to on the second image; it passes on any other. */
const OUTCOMES = ["passes", "fails", "waits for a person", "cannot be asked"] as const;
type Outcome = (typeof OUTCOMES)[number];
/** A run that says that the agent is wrong. One that waits for a person fails its check, but puts nothing back. */
const isFailure = (outcome: Outcome): boolean => outcome === "fails";
/** What somebody else does: a push whose build takes its time, one that serves at once, a redeploy of the first revision that serves at once. */
const OTHERS = ["push", "push serves", "redeploy serves"] as const;
type Other = (typeof OTHERS)[number];
/** The command after the first one. */
const NEXT = [
  ...(["up", "up --refresh", "another image"] as const),
  ...(["another trigger", "another expectation", "a wrong expectation", "up without the check"] as const),
];

interface Story {
  /** Of each check of the program. */
  readonly checks: readonly Outcome[];
  /** What somebody else does, at any moment. */
  readonly other?: Other | undefined;
  /** The run may be killed, at any moment. */
  readonly mayBeKilled: boolean;
  readonly next: (typeof NEXT)[number];
}

/** All stories of up to two revisions, two checks, one act of somebody else, one cut-off and one more command. */
export function storiesOf(program: Program): readonly Told[] {
  const stories: readonly Story[] = [
    ...NEXT.flatMap((next) =>
      OUTCOMES.flatMap((outcome) =>
        [undefined, ...OTHERS].map((other): Story => ({ checks: [outcome], next, other, mayBeKilled: true })),
      ),
    ),
    ...OUTCOMES.map((second): Story => ({ checks: ["fails", second], next: "up", mayBeKilled: false })),
    { checks: ["fails", "fails"], next: "up", mayBeKilled: true },
  ];
  return stories.map((story) => {
    const { checks, other, mayBeKilled, next } = story;
    const parts = [checks.join(" and "), other, mayBeKilled ? "a kill" : undefined, `then ${next}`];
    const name = `going back: ${parts.filter((each) => each !== undefined).join(", ")}`;
    return { name, play: (choose) => play(program, story, choose) };
  });
}

// The program.

interface Declared {
  readonly image: string;
  readonly trigger?: number;
  /** What the checks expect beside an answer. */
  readonly expect?: JsonObject;
  /** The checks leave the program. */
  readonly isUnchecked?: boolean;
}

/** One command, as it ended. */
interface Ran extends Ended {
  /** How many requests went to the platform. */
  readonly requests: number;
  /** Those that change something. */
  readonly writes: readonly string[];
  readonly runs: readonly { readonly check: number; readonly on: string; readonly outcome: Outcome }[];
  /** The revision that serves at its end. */
  readonly serves: { readonly id: string; readonly image: unknown };
}

const imageOf = (version: number | string): string => `registry.example/desk:${version}`;
const Listed = z.object({ resources: z.array(z.object({ id: z.string() })) });

const eventOf = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
/** An event of a proxy, whose data is empty and means nothing. */
const KEPT_ALIVE = "event: keep-alive\ndata:\n\n";
/** How the stream of a run ends. */
const ENDS = {
  passes: eventOf("values", { a: 1 }),
  fails: eventOf("error", { error: "ValueError", message: "broken" }),
  "waits for a person": eventOf("updates", { __interrupt__: [{ value: "Go on?" }] }),
};

/** A program of one deployment with its checks, and its agent: what serves when a request comes, answers it. */
export class Program {
  /** The entries of the platform's log that are of somebody else. */
  private readonly others = new Set<number>();
  /** By check. */
  private outcomes: readonly Outcome[] = [];
  private runs: Ran["runs"][number][] = [];
  private agentUrl = "";
  private readonly stack: Stack;

  private constructor(readonly world: World) {
    this.stack = world.stack("ours");
  }

  static async start(): Promise<Program> {
    const program = new Program(await World.start());
    for (const each of PARTS) await program.stack.addPart(each, "RunCheck");
    program.agentUrl = await servingRead((response, { url = "", method = "" }) => {
      // Whoever has hung up needs no answer.
      program.answer(url, method, response).catch(() => response.destroy());
    });
    return program;
  }

  /** The first revision serves, and its checks have passed. */
  async begin(checks: readonly Outcome[]): Promise<void> {
    this.world.reset();
    this.outcomes = checks;
    const { isGreen, said } = await this.run({ image: imageOf(1) });
    if (!isGreen) throw new Error(said);
  }

  /** One command. */
  async run(declared: Declared, refresh = false): Promise<Ran> {
    const { stack, world, others } = this;
    world.emulator.clearLog();
    others.clear();
    this.runs = [];
    const ended = await stack.command(async () => {
      if (refresh) for (const model of this.models()) if (model.hasState) await model.refresh();
      await this.up(declared);
    });
    // Those that a killed process sends reach nothing.
    const sent = world.emulator.requests.filter(({ seq, tenant }) => tenant !== null && !others.has(seq));
    const writes = sent.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
    return { ...ended, requests: sent.length, writes, runs: this.runs, serves: this.serves() };
  }

  /** Somebody else, at some moment. */
  act(what: Other): Promise<void> {
    return this.world.byHand(what, "Deployment", async () => {
      const [only] = Listed.parse(await this.ask("GET", "/v2/deployments")).resources;
      const path = `/v2/deployments/${only?.id ?? ""}`;
      if (what === "redeploy serves") {
        const first = Listed.parse(await this.ask("GET", `${path}/revisions?limit=100`)).resources.at(-1);
        await this.ask("POST", `${path}/revisions/${first?.id ?? ""}/redeploy`);
      } else await this.ask("PATCH", path, { source_revision_config: { image_uri: imageOf("pushed") } });
      if (what !== "push") this.world.settle(60_000);
    });
  }

  private models(): EngineModel[] {
    const checks = this.outcomes.map((_, check) => this.stack.model("RunCheck", PARTS[check]));
    return [this.stack.model("Deployment"), this.stack.model("Rollout"), ...checks];
  }

  private async up({ image: imageUri, trigger, expect, isUnchecked }: Declared): Promise<void> {
    const [deployment, rollout, ...checks] = this.models();
    if (deployment === undefined || rollout === undefined) throw new Error("no models");
    const more = trigger === undefined ? {} : { redeployTrigger: trigger };
    const config = { sourceConfig: { resourceSpec: {} }, sourceRevisionConfig: { imageUri }, ...more };
    await deployment.up({ name: "desk", source: "external_docker", ...config });
    const { id: deploymentId, outputs } = deployment.current;
    const { latestRevisionId, secretsRevisionId } = outputs;
    const awaited = { deploymentId, revisionId: latestRevisionId, deploymentName: "desk" };
    await rollout.up({ ...awaited, followsPushes: false });
    const { activeRevisionId: revisionId } = rollout.current.outputs;
    const parts = checks.map((check, index): [string, () => Promise<unknown>] => {
      const url = `${this.agentUrl}/${index}`;
      const run = { url, customUrl: url, assistantId: "agent", attempts: 2, rollBack: true };
      const declared = { ...run, deploymentId, revisionId, secretsRevisionId, ...(expect && { expect }) };
      return [PARTS[index] ?? "", () => (isUnchecked === true ? check.destroy() : check.up(declared))];
    });
    const ended = await this.world.schedule.split("ours", new Map(parts));
    const failures = ended.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : []));
    if (failures.length > 0) throw new Error(failures.join("\n\n"));
  }

  private async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const { world, others } = this;
    const known = world.emulator.requests.length;
    const note = () => world.emulator.requests.slice(known).forEach(({ seq }) => others.add(seq));
    return world.ask(method, path, body).finally(note);
  }

  private serves(): Ran["serves"] {
    const active = this.world.serving();
    return { id: active?.id ?? "", image: active?.source_revision_config["image_uri"] };
  }

  private async answer(url: string, method: string, response: ServerResponse): Promise<void> {
    const { world } = this;
    // A connection that is kept may end just as the next request comes.
    response.setHeader("connection", "close");
    const check = Number(url.split("/")[1]);
    const who = PARTS[check] ?? "";
    const step = { who, name: `${method} ${url} of the agent`, collection: "/v2/deployments", object: "" };
    await world.schedule.reach({ ...step, what: "request", isRead: true });
    const { id, image } = this.serves();
    const outcome = image === imageOf(2) ? (this.outcomes[check] ?? "passes") : "passes";
    if (world.isKilled(who)) response.writeHead(400).end();
    else if (outcome === "cannot be asked") response.writeHead(503).end();
    else if (method === "GET") response.end('{"ok":true}');
    else {
      this.runs.push({ check, on: id, outcome });
      const body = eventOf("metadata", { run_id: "r-1" }) + KEPT_ALIVE + ENDS[outcome];
      response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
    }
  }
}

// What is played: a first command, around which things happen, a second one, and a last one that has to go well.

async function play(program: Program, story: Story, choose: Parameters<Told["play"]>[0]): ReturnType<Told["play"]> {
  const { world } = program;
  const { checks, other, mayBeKilled, next } = story;
  await program.begin(checks);
  let first: Ran | undefined;
  const isWhole = await world.play(
    {
      ours: async () => void (first = await program.run({ image: imageOf(2) })),
      ...(other !== undefined && { somebody: () => program.act(other) }),
    },
    (possible) => choose(different(world, possible)),
    mayBeKilled ? ["kill"] : [],
  );
  if (!isWhole || first === undefined) return "given up";
  const said = toldOf(world.events, new Map([["ours", first]]));
  const isKilled = world.events.some(({ way }) => way === "kill");

  world.settle();
  const image = next === "another image" ? imageOf(3) : imageOf(2);
  const declared = {
    image,
    isUnchecked: next === "up without the check",
    ...(next === "another trigger" && { trigger: 2 }),
    ...(next.endsWith("expectation") && {
      expect: { values: [{ mode: "values", path: "a", equals: next === "a wrong expectation" ? 2 : 1 }] },
    }),
  };
  const second = await program.run(declared, next === "up --refresh");
  world.settle();
  const last = await program.run({ image: imageOf(4) }, true);
  const isGood = last.isGreen && last.serves.image === imageOf(4);
  const promises: readonly Expected[] = [
    ...ofEach("first", first),
    ...ofFirst(story, first, other === undefined && !isKilled),
    ...ofEach("second", second, next === "a wrong expectation"),
    ...ofSecond(story, first, second, image, isKilled),
    [isGood, `a good image at the end: ${last.said} ${shown(last)}`],
  ];
  return { problems: promises.flatMap(([holds, what]) => (holds ? [] : [what])), said };
}

/** How often one waits while nobody else changes anything: a build is over by then, and more would only repeat it. */
const WAITS = 2;

/**
 * Without what is the same as something else. A kill ends the whole program, whichever check it hits; and since states are written in steps of their own, it
 * makes no difference how much was read since something changed. Who waits for another goes on waiting only where that one cannot go on.
 */
function different({ events }: World, possible: readonly Choice[]): readonly Choice[] {
  const isChange = ({ step }: Event): boolean => step.what === "tick" || !step.isRead;
  const last = events.at(-1)?.step;
  const [kill] = possible
    .filter(({ way }) => way === "kill")
    .sort((one, other) => one.step.who.localeCompare(other.step.who));
  return possible.filter((each) => {
    const { step, way } = each;
    if (way === "kill") return each === kill && (last?.what !== "request" || !last.isRead);
    if (step.what !== "tick" || possible.every((other) => other.step.who === step.who)) return true;
    const latest = events.filter(isChange).slice(-WAITS);
    return latest.some((event) => event.step.what !== "tick" || event.step.who !== step.who);
  });
}

// What is judged.

type Expected = readonly [holds: boolean, what: string];

const redeploys = ({ writes }: Ran): number => writes.filter((write) => write.endsWith("/redeploy")).length;
const hasFailed = ({ runs }: Ran): boolean => runs.some(({ outcome }) => isFailure(outcome));
const shown = ({ serves, runs }: Ran): string => JSON.stringify({ serves, runs });

/** The wished revision serves, and each check has passed on it: in one of these commands. */
const isServed = (
  { serves, runs }: Ran,
  image: string,
  checks: readonly Outcome[],
  before: Ran["runs"] = [],
): boolean =>
  serves.image === image &&
  checks.every((_, check) =>
    [...before, ...runs].some((run) => run.check === check && run.on === serves.id && run.outcome === "passes"),
  );

const ofEach = (which: string, ran: Ran, isWrong = false): readonly Expected[] => [
  [redeploys(ran) <= 1, `the ${which} command redeployed twice`],
  [isWrong || hasFailed(ran) || redeploys(ran) === 0, `the ${which} command went back without a run that failed`],
];

function ofFirst({ checks }: Story, first: Ran, isAlone: boolean): readonly Expected[] {
  const { isGreen, said } = first;
  const [failed, wentBack] = [hasFailed(first), redeploys(first) === 1];
  const isRight = isGreen === checks.every((each) => each === "passes");
  return [
    [!isGreen || isServed(first, imageOf(2), checks), `the first command is falsely green: ${shown(first)}`],
    [!isGreen || !failed, "the first command is green although a check failed"],
    [!failed || !isAlone || wentBack, "the first command did not go back"],
    [!failed || !isAlone || first.serves.image === imageOf(1), `the first command leaves ${shown(first)}`],
    [!wentBack || !isAlone || !said.includes(" stays. "), `what the first command says did not happen: ${said}`],
    [checks.some(isFailure) || !isAlone || isRight, `the first command: ${said}`],
  ];
}

function ofSecond(
  { checks, other, next }: Story,
  first: Ran,
  second: Ran,
  image: string,
  isKilled: boolean,
): readonly Expected[] {
  const { isGreen, writes, runs, said } = second;
  const wentBack = redeploys(first) === 1;
  const isSame = next === "up" && wentBack && !writes.some((write) => write.startsWith("PATCH"));
  const after = "after it went back, an unchanged program";
  // What passed before says nothing of another expectation.
  const before = next.endsWith("expectation") ? [] : first.runs;
  const isWrong = next === "a wrong expectation";
  const isGood =
    next === "another image" || (!isWrong && other === undefined && checks.every((each) => each === "passes"));
  // What somebody else did after the last look of a green command is drift, which only a refresh can see.
  const isUnchecked = next === "up without the check";
  const isUnseen = other !== undefined && ((first.isGreen && second.requests === 0) || isUnchecked);
  // The row of a check that was killed between its redeploy and its state knows nothing of it.
  const isUnknown = isKilled && isUnchecked && wentBack;
  const isTrue = isUnseen || isUnknown || isServed(second, image, isUnchecked ? [] : checks, before);
  return [
    [!isSame || !isGreen, `${after} is green`],
    [!isSame || writes.length === 0, `${after} sends ${writes.join(", ")}`],
    [!isSame || runs.length === 0 || other !== undefined, `${after} runs the check`],
    [!isGood || isGreen, `an image that is good: ${said}`],
    [!isGreen || isTrue, `the second command is falsely green: ${shown(second)}`],
    [!isWrong || !isGreen, "a wrong expectation is green"],
    [!isWrong || !first.isGreen || redeploys(second) === 0, "a revision that passed is put away for another check"],
  ];
}
