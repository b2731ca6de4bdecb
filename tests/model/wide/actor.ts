import { sandboxTemplates } from "../../../emulator";
import { messageOf } from "../../../provider/base/errors";
import { CheckFailed, type EngineModel } from "../../support/engine-model";
import { holds, type Declared, type Stored, type Subject } from "../subjects";
import type { Ground } from "./ground";
import { OURS } from "./worlds";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One declared resource, with the Rollout that its class makes where it is a deployment, and its author. */
export class Actor {
  declared: Declared | undefined;
  /** The values of the latest successful command: where an edit is refused, the author goes back to them. */
  made: Declared | undefined;
  latest: Declared;
  /** Only a refresh can show a change by hand. */
  needsRefresh = false;
  /** Unmanaged objects that a warning has named, with the state of each at that time. */
  readonly left = new Map<string, string>();
  /** Called between the update of a deployment and the wait for it. */
  onUpdated: () => Promise<void> = () => Promise.resolve();
  private adopts: true | string | undefined;
  readonly model: EngineModel;
  readonly rollout: EngineModel | undefined;

  constructor(
    readonly ground: Ground,
    readonly subject: Subject,
    first: number,
  ) {
    this.latest = { name: first, fixed: first, values: {} };
    this.model = ground.resource(subject.kind);
    this.rollout = subject.kind === "Deployment" ? ground.resource("Rollout") : undefined;
  }

  get name(): string {
    return this.subject.nameOf(this.latest);
  }

  /** Those of our workspace. */
  objects(): Stored[] {
    return this.subject.objects(this.ground.emulator).filter(({ tenantId }) => tenantId === OURS.tenantId);
  }

  /** The object of a state. For an old row the id is a name that it once had. */
  objectOf(state: EngineModel["state"]): Stored | undefined {
    if (state === undefined) return undefined;
    const all = this.objects();
    const byId = all.find(({ id }) => id === state.id);
    if (byId !== undefined || this.subject.kind !== "SandboxTemplate" || UUID.test(state.id)) return byId;
    return all.find(({ name }) => name === state.outputs["name"]) ?? all.find(({ name }) => name === state.id);
  }

  declare(declared: Declared | undefined): void {
    if (this.adopts !== undefined && declared?.name !== this.declared?.name) {
      // What the error has named stays.
      const named = this.objects().find(({ name }) => name === this.name);
      if (named !== undefined) this.left.set(named.id, JSON.stringify(named.state));
      this.adopts = undefined;
    }
    this.declared = declared;
    if (declared !== undefined) this.latest = declared;
  }

  async up(): Promise<void> {
    const { declared, model } = this;
    if (declared === undefined) return this.destroy();
    try {
      const adopt = this.adopts === undefined ? {} : { adopt: this.adopts };
      await model.up({ ...this.subject.program(declared), ...adopt });
      this.adopts = undefined;
      this.made = declared;
    } catch (error) {
      if (this.rollout && model.state === undefined) this.rollout.state = undefined;
      this.takeAdvice(error);
      throw error;
    }
    this.checkHolds(declared);
    await this.onUpdated();
    await this.rollOut(declared);
  }

  private async rollOut(declared: Declared): Promise<void> {
    const { id, outputs } = this.model.current;
    if (this.rollout === undefined) return;
    const operation = await this.rollout.up({
      deploymentId: id,
      revisionId: outputs["latestRevisionId"],
      deploymentName: this.subject.nameOf(declared),
      followsPushes: false,
      rolloutTimeout: "3m",
    });
    this.checkServes(id, declared, operation !== "same");
  }

  async destroy(): Promise<void> {
    await this.rollout?.destroy();
    await this.model.destroy();
  }

  /** True where it shows drift. */
  async refresh(): Promise<boolean> {
    if (this.model.state === undefined) return false;
    const { model, rollout } = this;
    const drift = await model.refresh();
    if (rollout && !model.hasState) rollout.state = undefined;
    const rolled = rollout?.state !== undefined && (await rollout.refresh());
    // In bad weather it need not have seen the truth.
    if (this.ground.weather === undefined) this.needsRefresh = false;
    return drift || rolled;
  }

  /** Acts as an author who reads the error. */
  private takeAdvice(error: unknown): void {
    const advice = messageOf(error);
    if (error instanceof CheckFailed || advice.includes('contract to "documented"')) {
      // Drift that no change in place can mend: the program goes back to the earlier values.
      if (this.declared === this.made) this.needsOtherName = true;
      this.declare(this.made);
      return;
    }
    if (advice.includes("cannot look it up")) this.adopts = undefined;
    const inTheWay = this.model.state === undefined && this.objects().find(({ name }) => name === this.name);
    if (!inTheWay) return;
    if (!advice.includes("adopt")) {
      // Named before, or by a warning.
      const isWarned = this.ground.platform.warnings.some((warning) => warning.includes(this.name));
      if (this.adopts !== undefined || this.left.has(inTheWay.id) || isWarned) return;
      this.breach(`${this.name} is there, but the error does not mention it: ${advice}`);
    } else if (advice.includes("cannot look it up")) {
      this.subject.vanish(this.ground.emulator, inTheWay.id);
    } else if (advice.includes("cannot be adopted")) {
      this.adopts = undefined;
      this.needsOtherName = true;
      this.left.set(inTheWay.id, JSON.stringify(inTheWay.state));
    } else {
      this.adopts = advice.includes('adopt: "') ? inTheWay.id : true;
    }
  }

  /** The name belongs to something that cannot be taken over. */
  needsOtherName = false;

  private checkHolds(declared: Declared): void {
    if (this.needsRefresh) return;
    const object = this.objectOf(this.model.current);
    if (object === undefined) this.breach(`lost: ${this.name} is not there after a successful up`);
    else if (!holds(this.subject, object, declared)) {
      this.breach(
        `lost update: ${JSON.stringify(object.state)}, declared ${JSON.stringify(this.subject.wanted(declared))}`,
      );
    }
  }

  /** Green means that the declared revision serves. */
  private checkServes(id: string, declared: Declared, waited: boolean): void {
    if (this.needsRefresh || this.objectOf(this.model.state) === undefined) return;
    const all = this.ground.revisionsOf(id);
    const serving = this.ground.servingOf(id);
    const ours = all.filter((each) => this.ground.made.has(each.id)).at(-1);
    const isOlder = serving === undefined || (ours !== undefined && all.indexOf(serving) < all.indexOf(ours));
    if (isOlder) this.breach(`falsely green: up succeeded, and the declared revision of ${this.name} does not serve`);
    else {
      const image = serving.source_revision_config["image_uri"];
      if (image !== this.subject.wanted(declared)["image"]) this.breach(`falsely green: ${String(image)} serves`);
      const known = this.rollout?.state?.outputs["activeRevisionId"];
      if (waited && known !== serving.id)
        this.breach("a rollout succeeded, and its activeRevisionId is not the revision that serves");
    }
  }

  breach(what: string): void {
    this.ground.breaches.push(`${this.subject.kind}: ${what}`);
  }

  /** The platform gives an old row the id that it has in its database. */
  giveId(): void {
    const all = this.ground.emulator.outOfBand(sandboxTemplates);
    for (const { id, is_old_row: isOld } of all.list()) if (isOld) all.change(id, { is_old_row: false });
  }
}
