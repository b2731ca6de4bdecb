import type { ResourceType } from "../../../provider/resources/resource-types";
import { messageOf } from "../../../provider/base/errors";
import { isObject, UNKNOWN, type JsonObject } from "../../../provider/base/json";
import type { EngineModel } from "../../support/engine-model";
import { SUBJECTS, holds, type Stored, type Subject } from "../subjects";
import { Actor } from "./actor";
import type { Ground } from "./ground";
import type { Edit, Program, Step } from "./steps";
import { OURS, THEIRS } from "./worlds";

const PAUSE_MS = 30_000;
const BYSTANDERS = [900, 901, 902];

/** Plays a program in its world. Throws on a broken promise. */
export async function play(ground: Ground, { steps }: Program): Promise<void> {
  ground.reset();
  const run = new Run(ground);
  await run.begin();
  for (const step of steps) await run.step(step);
  await run.settle();
  await run.end();
}

class Run {
  private readonly actors: readonly Actor[];
  /** Every edit takes a number of its own. */
  private next = 1000;
  private others = "";

  constructor(private readonly ground: Ground) {
    const [template, provider, deployment] = SUBJECTS;
    if (!template || !provider || !deployment) throw new Error("a subject is missing");
    const first = new Actor(ground, template, 0);
    const dependent = new Actor(ground, template, 50);
    const agent = new Actor(ground, deployment, 0);
    first.model.dependents = [
      { model: dependent.model, unknown: (inputs) => ({ ...inputs, image: UNKNOWN }) },
      {
        model: agent.model,
        unknown: (inputs) => ({ ...inputs, environmentVariables: withUnknown(inputs["environmentVariables"]) }),
      },
    ];
    this.actors = [first, dependent, new Actor(ground, provider, 0), agent];
  }

  /** Objects of others in both workspaces, in theirs some of our names; then all of ours. */
  async begin(): Promise<void> {
    for (const { subject } of this.actors.slice(1)) {
      for (const name of BYSTANDERS) await this.ground.make(subject, { name, fixed: 1, values: {} });
    }
    await this.makeTheirs();
    this.others = this.showOthers();
    for (const actor of this.actors) actor.declare(actor.latest);
    await this.command("the first up", async () => {
      for (const actor of this.actors) await actor.up();
    });
    this.pause();
  }

  private async makeTheirs(): Promise<void> {
    const { url } = this.ground.emulator;
    const headers = { "X-Api-Key": THEIRS.apiKey, "Content-Type": "application/json" };
    const body = { name: "t-0", image: "theirs:1", resources: { cpu: "1", memory: "1Gi" } };
    await fetch(`${url}/v2/sandboxes/templates`, { method: "POST", headers, body: JSON.stringify(body) });
    const agent = {
      name: "agent",
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "theirs:1" },
      secrets: [],
    };
    await fetch(`${url}/v2/deployments`, { method: "POST", headers, body: JSON.stringify(agent) });
  }

  private showOthers(): string {
    const ofOthers = (subject: Subject) =>
      subject
        .objects(this.ground.emulator)
        .filter(
          ({ tenantId, name }) =>
            tenantId !== OURS.tenantId ||
            BYSTANDERS.some((n) => name === subject.nameOf({ name: n, fixed: 1, values: {} })),
        );
    return JSON.stringify(SUBJECTS.map(ofOthers));
  }

  async step(step: Step): Promise<void> {
    for (const edit of step.edits) this.edit(edit);
    if (step.stranger !== undefined) await this.stranger(step.stranger.slot, step.stranger.what);
    const isTellable =
      step.weather?.fault.kind !== this.ground.world.without || this.ground.world.without === undefined;
    this.ground.weather = isTellable ? step.weather : undefined;
    await this.run(step.command);
    this.ground.weather = undefined;
    this.ground.outcome = "DEPLOYED";
    this.pause();
  }

  private edit({ slot, what, pick, outcome, superseded }: Edit): void {
    const actor = this.actors[slot];
    if (actor === undefined) return;
    const n = this.next++;
    const { declared, subject } = actor;
    actor.onUpdated = () => Promise.resolve();
    if (declared === undefined) actor.declare(actor.latest);
    else if (what === "remove") actor.declare(undefined);
    else if (what === "replace") actor.declare({ ...declared, fixed: n });
    else if (what === "rename" || subject.fields.length === 0) actor.declare({ ...declared, name: n });
    else {
      const field = subject.fields[pick % subject.fields.length] ?? "";
      actor.declare({ ...declared, values: { ...declared.values, [field]: n } });
    }
    if (subject.kind !== "Deployment" || actor.declared === undefined) return;
    this.ground.outcome = outcome;
    if (superseded) actor.onUpdated = () => this.revise(actor);
  }

  /** Makes one more revision of the present configuration by hand. */
  private async revise(actor: Actor): Promise<void> {
    actor.onUpdated = () => Promise.resolve();
    const object = actor.objectOf(actor.model.state);
    if (object === undefined) return;
    const body = { source_revision_config: { image_uri: object.state["image"] } };
    const { outcome } = this.ground;
    this.ground.outcome = "DEPLOYED";
    await this.ground.platform.ask("PATCH", `/v2/deployments/${object.id}`, body);
    this.ground.outcome = outcome;
  }

  private async stranger(slot: number, what: NonNullable<Step["stranger"]>["what"]): Promise<void> {
    const actor = this.actors[slot];
    const object = actor?.objectOf(actor.model.state);
    if (actor === undefined || object === undefined) return;
    const { emulator, showsProviders } = this.ground;
    // A change that is not visible cannot be mended.
    if (actor.subject.kind === "OAuthProvider" && !showsProviders) return;
    if (what === "gets its id") {
      actor.giveId();
      return;
    }
    if (what === "is revised") {
      if (actor.subject.kind !== "Deployment") return;
      await this.revise(actor);
    } else if (what === "drifts") actor.subject.drift(emulator, object.id, this.next++);
    else {
      actor.subject.vanish(emulator, object.id);
      // A deployment that is made anew by hand is another one: only its name is the same.
      if (what === "is remade" && actor.subject.kind !== "Deployment") {
        await this.ground.make(actor.subject, actor.made ?? actor.latest);
        // Theirs, until a refresh finds it under its new id.
        const remade = actor.objects().find(({ name }) => name === object.name);
        if (remade !== undefined) actor.left.set(remade.id, JSON.stringify(remade.state));
      }
    }
    actor.needsRefresh = true;
    this.pause();
  }

  private async run(command: Step["command"]): Promise<void> {
    const all = async (act: (actor: Actor) => Promise<unknown>) => {
      // A failure does not stop the others; its author has followed the advice of the error.
      for (const actor of this.actors) await act(actor).catch(() => undefined);
    };
    const up = () => all((actor) => actor.up());
    const refresh = () => all((actor) => actor.refresh());
    switch (command) {
      case "up":
        return this.command(command, up);
      case "refresh":
        return this.command(command, refresh);
      case "refresh, then up":
        await this.command("refresh", refresh);
        return this.command("up", up);
      case "up --refresh":
        return this.command(command, refresh, up);
      case "refresh with another key":
        return this.withTheirs("refresh");
      case "destroy with another key":
        return this.withTheirs("destroy");
      case "destroy --refresh":
        return this.command(command, refresh, () => all((actor) => actor.destroy()));
      case "destroy --target --target-dependents": {
        const [target, , , agent] = this.actors;
        if (agent?.rollout) agent.rollout.state = undefined;
        return this.command(command, async () => {
          await target?.model.destroyTargeted().catch(() => undefined);
        });
      }
    }
  }

  /** A command. After each of its parts: no object that is still there has left the state, unless a warning names it. */
  private async command(name: string, ...parts: readonly (() => Promise<void>)[]): Promise<void> {
    const warned: string[] = [];
    const from = this.ground.platform.warnings.length;
    await this.ground.command(async () => {
      for (const part of parts) {
        const before = this.actors.map((actor) => actor.objectOf(actor.model.state));
        try {
          await part();
        } finally {
          warned.push(...this.ground.platform.warnings.slice(from));
          this.actors.forEach((actor, index) => this.checkKept(name, actor, before[index], warned));
        }
      }
    });
    this.checkBreaches(name);
  }

  private checkKept(command: string, actor: Actor, before: Stored | undefined, warnings: readonly string[]): void {
    const object = actor.objects().find(({ id }) => id === before?.id);
    if (object === undefined) return;
    // Its own row, whether state has the name or the id.
    if (actor.objectOf(actor.model.state)?.id === object.id) return;
    const { weather, isWhole } = this.ground;
    const isWarned = warnings.some((each) => each.includes(object.name) || each.includes(object.id));
    // What somebody has made anew under its name is theirs.
    const isTheirs =
      actor.needsRefresh && actor.left.has(object.id) && warnings.some((each) => each.includes("recreated"));
    actor.left.set(object.id, JSON.stringify(object.state));
    if (!isWarned) actor.breach(`lost: ${object.name} is there, and "${command}" took it out of state without a word`);
    else if (isWhole && weather?.hidesEndpoints !== true && !isTheirs)
      actor.breach(`left behind by "${command}": ${warnings.at(-1) ?? ""}`);
  }

  private async withTheirs(command: "refresh" | "destroy"): Promise<void> {
    await this.ground.command(async () => {
      for (const actor of this.actors) {
        await this.tryTheirs(actor, actor.subject.kind, actor.model.state, command);
        // A rollout has nothing on the platform: it is deleted without a request.
        if (command === "refresh") await this.tryTheirs(actor, "Rollout", actor.rollout?.state, command);
      }
    });
    this.checkBreaches(`${command} with another key`);
  }

  /** On a copy of the state: it stays as it is, since the key was a mistake. */
  private async tryTheirs(
    actor: Actor,
    kind: ResourceType,
    state: EngineModel["state"],
    command: "refresh" | "destroy",
  ) {
    const object = actor.objectOf(actor.model.state);
    if (state === undefined || object === undefined) return;
    const theirs = this.ground.resource(kind, THEIRS.apiKey);
    theirs.state = structuredClone(state);
    const { warnings } = this.ground.platform;
    const from = warnings.length;
    const claimed = await (command === "refresh" ? theirs.refresh() : theirs.destroy()).then(
      () => !theirs.hasState,
      () => false,
    );
    // On a platform that cannot delete, it stays with any key, and a warning says so.
    const { isWhole, weather } = this.ground;
    const isLeft =
      (!isWhole || weather?.hidesEndpoints === true) && warnings.slice(from).some((each) => each.includes(object.name));
    if (this.showOthers() !== this.others) {
      this.ground.breaches.push(`${kind}: ${command} with another key changed an object of theirs`);
    }
    if (claimed && !isLeft) this.ground.breaches.push(`${kind}: ${command} with another key takes it for gone`);
  }

  private pause(): void {
    this.ground.platform.clock.advance(PAUSE_MS);
  }

  private checkBreaches(command: string): void {
    const [breach] = this.ground.breaches;
    if (breach !== undefined) throw new Error(`world "${this.ground.world.name}", ${command}: ${breach}`);
  }

  /** Without faults, and with a revision that can be built: everything is put right. */
  async settle(): Promise<void> {
    this.pause();
    for (const actor of this.actors) {
      actor.onUpdated = () => Promise.resolve();
      this.declareImage(actor);
    }
    await this.command("the last refresh", async () => {
      for (const actor of this.actors) await actor.refresh();
    });
    for (const actor of this.actors) await this.settleOne(actor);
    this.checkBreaches("the last up");
  }

  /** A new one, which can be built. */
  private declareImage(actor: Actor): void {
    const { declared, subject } = actor;
    if (declared !== undefined && subject.kind === "Deployment")
      actor.declare({ ...declared, values: { ...declared.values, image: this.next++ } });
  }

  private async settleOne(actor: Actor): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.command("the last up", () => actor.up());
        return;
      } catch (error) {
        this.checkBreaches("the last up");
        if (attempt > 4)
          throw new Error(
            `${actor.name} in world "${this.ground.world.name}" cannot be brought right: ${messageOf(error)}`,
            { cause: error },
          );
        const { declared } = actor;
        if (actor.needsOtherName && declared !== undefined) actor.declare({ ...declared, name: this.next++ });
        actor.needsOtherName = false;
        // The program may have gone back to one that is stuck.
        this.declareImage(actor);
        this.pause();
      }
    }
  }

  async end(): Promise<void> {
    const { ground } = this;
    this.pause();
    for (const actor of this.actors) this.checkDeclared(actor);
    await this.command("the refresh at the end", async () => {
      for (const actor of this.actors) {
        if (await actor.refresh())
          throw new Error(`${actor.name} in world "${ground.world.name}": a refresh after up shows drift`);
      }
    });
    const from = ground.emulator.requests.length;
    await this.command("an up after up", async () => {
      for (const actor of this.actors) await actor.up();
    });
    if (ground.emulator.requests.length > from)
      throw new Error(`world "${ground.world.name}": an up after up sent requests`);
    for (const actor of [...this.actors].reverse()) actor.declare(undefined);
    await this.command("destroy", async () => {
      for (const actor of this.actors) await actor.destroy();
    });
    this.pause();
    for (const actor of this.actors) this.checkDeclared(actor);
    if (this.showOthers() !== this.others) throw new Error("an object of another user was touched");
  }

  /** Exactly the declared objects, and those that were named when they were left. */
  private checkDeclared(actor: Actor): void {
    const { declared, subject, model, ground } = actor;
    const where = `world "${ground.world.name}"`;
    const isOther = (name: string) =>
      [...BYSTANDERS, ...this.declaredElsewhere(actor)].some(
        (n) => name === subject.nameOf({ name: n, fixed: 1, values: {} }),
      );
    const ours = actor.objects().filter(({ id, name }) => !isOther(name) && !this.isLeft(id));
    if (ours.length !== (declared === undefined ? 0 : 1)) {
      throw new Error(
        `${where}, ${subject.kind}: ${declared === undefined ? "nothing" : actor.name} is declared, there is: ${ours.map(({ name }) => name).join(", ")}`,
      );
    }
    const [object] = ours;
    if (object === undefined || declared === undefined) return;
    if (actor.objectOf(model.state)?.id !== object.id || !holds(subject, object, declared)) {
      throw new Error(
        `${where}: ${actor.name} is ${JSON.stringify(object)}, declared: ${JSON.stringify(subject.wanted(declared))}`,
      );
    }
  }

  /** Objects that were left, and not adopted since. */
  private isLeft(id: string): boolean {
    const isHeld = this.actors.some((actor) => actor.objectOf(actor.model.state)?.id === id);
    return !isHeld && this.actors.some(({ left }) => left.has(id));
  }

  /** The two templates are of one kind. */
  private declaredElsewhere(actor: Actor): number[] {
    const same = this.actors.filter((each) => each !== actor && each.subject === actor.subject);
    return same.flatMap(({ declared }) => (declared === undefined ? [] : [declared.name]));
  }
}

function withUnknown(variables: JsonObject[string]): JsonObject {
  return { ...(isObject(variables) ? variables : {}), LEVEL: UNKNOWN };
}
