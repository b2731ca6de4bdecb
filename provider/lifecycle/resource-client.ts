import { resolveConnection, type Connection, type Contract, type Resolved } from "../base/connection";
import { AgentPlatformError, isUnclear } from "../base/errors";
import { type JsonObject, textIn } from "../base/json";
import { type SettingProblem, toSet } from "../base/settings";
import { isUuid } from "../base/uuid";
import { createSend } from "../http/client";
import type { Send } from "../http/request";
import { isRead } from "../http/retry";
import type { Call, Context, State } from "./observe/context";
import { KEY_MARK, keyMarkOf, ORIGIN, originOf } from "./identity/origin";
import { markOf, type Held } from "./identity/ownership";
import type { Declared } from "./observe/declarations";
import { isFilledIn, type Table } from "./fields/table";
import { nameOf } from "./naming";
import { offers } from "./observe/observable";
import type { Session } from "./session";
import { type Workspace, Workspaces } from "./observe/workspace";

/** Asks the platform which workspace the connection opens. */
export type AskWorkspace = (context: Context) => Promise<Workspace>;

/** The longest time that a request of a preview may take. */
const BRIEF_MS = 10_000;

/** A type of resource, connected to a platform: where its objects are, which endpoints the contract has, and the context for its verbs. */
export class ResourceClient {
  private resolved: Resolved;
  private kept: Context | undefined;
  private brief: Context | undefined;

  constructor(
    private readonly table: Table,
    private readonly session: Session,
    private readonly askWorkspace: AskWorkspace,
  ) {
    this.resolved = resolveConnection(() => undefined, session.environment);
  }

  /** Connects to this platform from now on. Nothing of the previous connection is kept. */
  connect(resolved: Resolved): void {
    this.resolved = resolved;
    this.kept = undefined;
    this.brief = undefined;
  }

  get problems(): readonly SettingProblem[] {
    return "problems" in this.resolved ? this.resolved.problems : [];
  }

  /** Undefined where the configuration has problems, or is not known yet. */
  get known(): Connection | undefined {
    return "connection" in this.resolved ? this.resolved.connection : undefined;
  }

  /** Throws AgentPlatformError with everything that is wrong with the configuration. */
  get connection(): Connection {
    if (this.known !== undefined) return this.known;
    throw new AgentPlatformError(this.problems.map(({ reason }) => reason).join("\n"));
  }

  get contract(): Contract {
    return this.known?.contract ?? "extended";
  }

  get baseUrl(): string {
    const { baseUrl, sandboxBaseUrl } = this.connection;
    return this.table.api === "sandbox" ? sandboxBaseUrl : baseUrl;
  }

  /** What this process knows of the program's objects on this platform. */
  get program(): Declared {
    const { declarations } = this.session;
    return { of: (kind, key) => declarations.of(this.declaration(kind, key)) };
  }

  /** What the program declares of an object. @param key Its name, or its id. */
  noteDeclared(key: string, inputs: JsonObject): void {
    if (this.known) this.session.declarations.note(this.declaration(this.table.kind, key), inputs);
  }

  /** The same for an object whose name the platform has given, under that name. */
  noteFilledIn(outputs: JsonObject, inputs: JsonObject): void {
    const { naturalKey = "", fields } = this.table;
    const name = outputs[naturalKey];
    if (isFilledIn(fields[naturalKey], inputs) && typeof name === "string") this.noteDeclared(name, inputs);
  }

  /** An object of any API of this platform, for what the program declares of it. */
  private declaration(kind: string, key: string): string {
    return `${kind} ${this.known?.baseUrl ?? "somewhere"} ${this.known?.tenantId ?? ""} ${key}`;
  }

  get origin(): string {
    return originOf(this.baseUrl, this.connection.tenantId);
  }

  get keyMark(): string | undefined {
    return keyMarkOf(this.origin, this.connection.apiKey);
  }

  /** Whether the key is the one that the object was last seen with; undefined unless both are known. */
  isSameKey(outputs: JsonObject): boolean | undefined {
    const now = this.keyMark;
    const seenWith = outputs[KEY_MARK];
    return seenWith === undefined || now === undefined ? undefined : seenWith === now;
  }

  offers(verb: "list" | "create" | "read" | "delete"): boolean {
    return offers(this.table, this.connection.contract, verb);
  }

  /** The context of a verb. The first verb creates it; it is kept, with its open connections, until the next connect. */
  context(call: Call = {}): Context {
    this.kept ??= this.makeContext();
    return { ...this.kept, call };
  }

  /**
   * As {@link context}, for a create or an update: the requests before and after its change decide whether an object is lost or created twice, so each is
   * retried for a whole `requestBudget` while the platform is in trouble. Polls are not, because they are sent again anyway.
   * @param onUnclear Called when it is not clear what a change that was sent has done, whatever comes after it.
   */
  changingContext(call?: Call, onUnclear = (): void => undefined): Context {
    const context = this.context(call);
    const patient =
      (send: Send): Send =>
      (request, answer, until) =>
        send({ ...request, effort: request.effort ?? "patient" }, answer, until).catch((error: unknown) => {
          if (!isRead(request) && (request.isDivisible === true || isUnclear(error))) onUnclear();
          throw error;
        });
    return {
      ...context,
      send: patient(context.send),
      sendToSandboxes: patient(context.sendToSandboxes),
      sendTo: (url, apiKey) => patient(context.sendTo(url, apiKey)),
    };
  }

  /** As {@link context}, for questions that are not worth a wait: each request is sent once, and takes a few seconds at most. */
  briefContext(): Context {
    const { clock } = this.session;
    return (this.brief ??= this.makeContext(
      (send) => (request, answer) => send({ ...request, effort: "once" }, answer, clock.now() + BRIEF_MS),
    ));
  }

  /** Refuses a state that was written for another address or tenant: here every object in it would look deleted (docs/internals/design.md, Origin). */
  checkOrigin(state: State): void {
    const made = state.outputs[ORIGIN];
    if (typeof made !== "string" || this.known === undefined) return;
    const { tenantId, allowOriginChange } = this.known;
    if (made === this.origin || allowOriginChange) return;
    const tenant = tenantId === undefined ? "no tenantId" : `tenantId ${tenantId}`;
    throw new AgentPlatformError(
      `${nameOf(this.table, state)} was created at another address or tenant (origin ${made}) than the connection uses now ` +
        `(${this.baseUrl}, ${tenant}: origin ${this.origin}). Set the connection back to it; or, if the platform itself moved, ` +
        `${toSet("allowOriginChange", "true")}, and run \`pulumi refresh --run-program\`, then \`pulumi up\``,
    );
  }

  /**
   * The object that a resource holds. A UUID identifies the object at every address and for every tenant.
   * @param isAsked No row has it yet: one in state may know it by its name alone.
   */
  held({ id, outputs }: State, isAsked = false): Held {
    const { kind, incarnation, scope } = this.table;
    const within = scope === undefined ? "" : ` ${JSON.stringify(outputs[scope])}`;
    const ids = [id, incarnation === undefined ? undefined : outputs[incarnation]];
    const unique = ids.flatMap((each) => (typeof each === "string" && isUuid(each) ? [each] : []));
    const names = unique.map((uuid) => `${kind}${within} ${uuid}`);
    return {
      // A UUID identifies it; another workspace may have an object with the same name.
      names: unique.includes(id) || (names.length > 0 && !isAsked) ? names : [...this.namesHere(id, outputs), ...names],
      mark: markOf(incarnation, outputs),
    };
  }

  /** Any other id counts twice, with the tenant and with the key: another resource may hold the same object without naming the tenant. */
  private namesHere(id: string, outputs: JsonObject): readonly string[] {
    const { kind } = this.table;
    const { apiKey, tenantId = textIn(outputs, "tenantId") } = this.known ?? {};
    const byTenant = `${kind} ${this.known ? originOf(this.baseUrl, tenantId) : "somewhere"} ${id}`;
    if (apiKey === undefined) return [byTenant];
    const anyTenant = originOf(this.baseUrl, undefined);
    return [byTenant, `${kind} ${anyTenant} key ${keyMarkOf(anyTenant, apiKey)} ${id}`];
  }

  /** @param way How each of its requests is sent. */
  private makeContext(way = (send: Send): Send => send): Context {
    const { connection, session } = this;
    const sendAt = (url: string, as = connection): Send => way(createSend(as, url, session));
    const toControlPlane = sendAt(connection.baseUrl);
    const workspaces = new Workspaces(() => this.askWorkspace({ ...context, send: toControlPlane }));
    const others = new Map<string, Send>();
    const sendTo: Context["sendTo"] = (url, apiKey) => {
      const key = JSON.stringify([url, apiKey]);
      const only = { bearerToken: undefined, tenantId: undefined, organizationId: undefined };
      const known = others.get(key) ?? sendAt(url, { ...connection, ...only, apiKey });
      others.set(key, known);
      return known;
    };
    const context: Context = {
      ...session,
      connection,
      send: sendAt(this.baseUrl),
      sendToSandboxes: sendAt(connection.sandboxBaseUrl),
      sendTo,
      workspaces,
      program: this.program,
      isFirstTo: (act) => session.ownership.isFirstTo(`${this.origin} ${act}`),
      call: {},
    };
    return context;
  }
}
