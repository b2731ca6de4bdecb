import { nameInUrn } from "../base/engine-format";
import { AgentPlatformError } from "../base/errors";
import { hasUnknown, UNKNOWN, type JsonObject } from "../base/json";
import { toSet } from "../base/settings";
import type { ResourceDefinition } from "./definition";
import { deprecatedIn } from "./fields/deprecated";
import { hiddenFields, withOthers } from "./fields/comparison";
import { IGNORED } from "./observe/declarations";
import { changesBetween, replaces, type Change } from "./fields/diff";
import { noteSecretFields, showPath, showProblem, valueAt, withoutProviderOnly, type Problem } from "./fields/fields";
import { problemsOfInputs } from "./fields/schema";
import { secretChanges, secretData, secretLines } from "./fields/secret-names";
import { wireName } from "./fields/rename";
import { isFilledIn, isWriteOnly, outputRows } from "./fields/table";
import { ADOPTION_MARK } from "./identity/ownership";
import { describe, nameOf, naturalNameIn, tracedVerb } from "./naming";
import type { Found, State } from "./observe/context";
import { offers, shownOf } from "./observe/observable";
import { unreadIn } from "./observe/shortest-declaration";
import { previewOnline } from "./online-preview";
import { expectedRefusals, keepsNaturalKey, refusals, unclearable } from "./refusals";
import type { ResourceClient } from "./resource-client";
import type { Session } from "./session";
import { declaredIn, DOUBTED, NOT_READY, pickInputs, PROBLEM, urnIn } from "./state";

/** Checks and compares declarations, before anything is sent. */
export class Checker<Inputs, Live> {
  private readonly warnedOf = new Set<string>();
  private readonly checked = new Set<string>();

  constructor(
    private readonly definition: ResourceDefinition<Inputs, Live>,
    private readonly session: Session,
    private readonly client: ResourceClient,
  ) {}

  /**
   * The problems of the configuration and of the arguments. Sends no request. Shows the names of changed secrets on the row of the stack, resources that
   * change alike once.
   * @param olds The inputs in state; empty for a new resource. @param urn The URN, if the arguments do not contain it.
   */
  check(olds: JsonObject, inputs: JsonObject, urn?: string) {
    const { table } = this.definition;
    const before = pickInputs(table, olds);
    this.tellSecrets(before, inputs, urn);
    for (const each of [before, inputs]) this.remember(each);
    for (const each of deprecatedIn(table.fields, inputs)) this.warnOnce(inputs, each);
    const refused = refusals(this.definition, this.client.known, before, inputs, this.client.program);
    const expected = this.expectedRefusals(before, inputs);
    const unread = this.unreadByImport(before, inputs, urn);
    const wrong = problemsOfInputs(table, inputs).filter(({ path }) => !unread.includes(String(path[0])));
    return { configuration: this.client.problems, problems: [...wrong, ...expected, ...refused] };
  }

  /** Sends no request. Values of the inputs may be unknown. @param ignored The paths of `ignoreChanges`, if the protocol passes them and the URN. */
  diff(state: State, news: JsonObject, ignored?: readonly string[], urn = "") {
    const { outputs } = state;
    const { table } = this.definition;
    const before = declaredIn(table, state);
    for (const each of [outputs, before, news]) noteSecretFields(table.fieldRules, each);
    this.client.checkOrigin(state);
    this.client.noteDeclared(state.id, { ...outputs, ...news, [IGNORED]: ignored && [...ignored] });
    for (const each of [before, news]) this.client.noteFilledIn(outputs, each);
    // Only a read writes `problem`; no program declares it, so its absence from the new inputs is not a change.
    const { [PROBLEM]: _, ...inputs } = news;
    // A refresh without an answer leaves the doubt: only an update looks.
    const doubt = outputs[DOUBTED] === undefined ? {} : { [DOUBTED]: true };
    const changes = changesOf(this.definition, { ...before, ...doubt }, inputs, outputs);
    const replacing = changes.filter((change) => replaces(change, this.client.contract));
    this.refuseUnknown(state, before, replacing);
    // A refresh runs no check first, and an import has already warned (unreadByImport).
    const mayLack =
      !this.checked.has(urn) || this.session.ownership.imported.has(urn) || ignored?.includes("*") !== false;
    const lacking = mayLack ? [] : unreadIn(table, before, inputs).filter((name) => !ignored.includes(name));
    const wrong = problemsOfInputs(table, inputs).filter(({ path }) => lacking.includes(String(path[0])));
    const refused = [...wrong, ...(replacing.length > 0 ? [] : unclearable(table, changes, true))];
    if (refused.length > 0) throw new AgentPlatformError(refused.map(showProblem).join("\n"));
    this.recordDiff(state, replacing.length > 0, !hasUnknown(inputs));
    // A new object would need the name of the old one. Not only for `replacing`: with the option replaceOnChanges, the engine also replaces objects that
    // could be updated. If the contract has no delete, the old object has to stay in state.
    const isDeletable = offers(table, this.client.contract, "delete");
    const deleteBeforeReplace = changes.length > 0 && isDeletable && keepsNaturalKey(table, before, inputs);
    return { changes, replacing, deleteBeforeReplace };
  }

  /**
   * The problems that `up` would meet, as far as the platform shows them; changes nothing. Asks only if `preview` is "online", only for a resource that is
   * new or changes, and only until this process writes something. @param olds As for {@link check}.
   */
  async previewOnline(olds: JsonObject, inputs: JsonObject): Promise<readonly string[]> {
    const { definition, client, session } = this;
    if (client.known?.preview !== "online" || !session.previewSession.mayAsk) return [];
    const before = pickInputs(definition.table, olds);
    const isSame = Object.keys(before).length > 0 && changesOf(definition, before, inputs, {}).length === 0;
    if (isSame) return [];
    // Of a replacement, the engine checks and previews the second half as a new object, while the old one still has the name.
    const isBeingReplaced = ({ id, live }: Found<Live>): boolean =>
      session.ownership.isBeingReplaced(client.held({ id, outputs: shownOf(definition, live).outputs }, true));
    const question = { definition, before, inputs, isBeingReplaced };
    return tracedVerb(
      session.tracer,
      { table: definition.table, verb: "check", props: inputs },
      (problems) => (problems.length === 0 ? "done" : "refused"),
      () => previewOnline(question, client.briefContext(), session.previewSession),
    );
  }

  /**
   * The first declaration of a field that no answer shows, of an object that this stack found there: a replacement would delete what may have that very value.
   */
  private refuseUnknown(state: State, before: JsonObject, replacing: readonly Change[]): void {
    const { table } = this.definition;
    if (state.outputs[ADOPTION_MARK] === undefined) return;
    const isUnknown = ({ path }: Change): boolean =>
      wireName(String(path[0]), table.fields[String(path[0])]) !== undefined &&
      path
        .map((_step, at) => path.slice(0, at + 1))
        .some(
          (above) =>
            table.fieldRules[above.join(".")]?.notReturned === "always" && valueAt(before, above) === undefined,
        );
    const names = replacing.filter(isUnknown).map(({ path }) => showPath(path));
    if (names.length === 0) return;
    throw new AgentPlatformError(
      `${names.join(", ")}: the platform never returns it and no update can change it, so nobody knows whether ${nameOf(table, state)}, ` +
        "which was adopted or imported, has this value. Leave it out to keep the object as it is; to make the object anew, delete it with " +
        "`pulumi destroy --target`, and run `pulumi up`",
    );
  }

  private recordDiff(state: State, isReplaced: boolean, isKnown: boolean): void {
    const { ownership, log } = this.session;
    const held = this.client.held(state);
    if (isReplaced) {
      ownership.recordReplacement(held);
      return;
    }
    const what = nameOf(this.definition.table, state);
    if (!ownership.recordDiff(held, isKnown, what)) return;
    log.warn(
      `${what} belongs to two resources of this stack. Keep one of them: \`pulumi state delete\` removes the other one from the state, and deletes nothing on the platform`,
    );
  }

  /**
   * The outputs that an object will have once it is created with, or updated to, these inputs, as far as they are known. Values of the inputs may be
   * unknown. @param before The outputs in state; empty for a new object.
   */
  outputsAfter(inputs: JsonObject, before: JsonObject): JsonObject {
    const { stableOutputs, table } = this.definition;
    const kept = stableOutputs?.(inputs, this.client.program, before) ?? [];
    const computed = outputRows(table.fields).filter(
      ([, row]) => row.computed || (!isWriteOnly(row) && isFilledIn(row, inputs)),
    );
    const known = computed.map(([name, { isStable }]) => {
      const value = isStable === true || kept.includes(name) ? before[name] : undefined;
      return [name, value ?? UNKNOWN] as const;
    });
    return { ...Object.fromEntries(known), ...withoutProviderOnly(table.fieldRules, inputs) };
  }

  private tellSecrets(before: JsonObject, inputs: JsonObject, given: string | undefined): void {
    // If the program has just removed the last secret, only the inputs in state contain the URN.
    const urn = given ?? urnIn({ ...before, ...inputs });
    const object = urn ?? describe(this.definition.table, inputs);
    // The engine checks a replacement a second time, with no inputs in state.
    if (this.checked.has(object)) return;
    this.checked.add(object);
    const changes = secretChanges(this.definition.table.fieldRules, before, inputs);
    if (changes.length === 0) return;
    if (urn !== undefined) this.session.log.debug(secretData(changes), urn);
    if (Object.keys(before).length === 0) return;
    // Thirty resources that change alike are one line: their rows say `[diff: ~secrets]`.
    const name = urn === undefined ? object : nameInUrn(urn);
    for (const line of secretLines(changes)) this.session.log.alike(line, name);
  }

  /** What an import could not read and the program lacks: the engine would call that a bug of the provider. Later, a diff knows whether it is ignored. */
  private unreadByImport(before: JsonObject, inputs: JsonObject, urn = ""): readonly string[] {
    const unread = unreadIn(this.definition.table, before, inputs);
    if (unread.length > 0 && this.session.ownership.imported.has(urn))
      this.warnOnce(
        inputs,
        `imported without its ${unread.join(" and ")}, which the platform never shows. Add what is missing to the program: the next \`pulumi up\` sends it`,
      );
    return unread;
  }

  /** What the platform is expected to refuse: problems; under `checks: platform` warnings, once each. */
  private expectedRefusals(before: JsonObject, inputs: JsonObject): readonly Problem[] {
    const expected = expectedRefusals(this.definition, before, inputs);
    if (this.client.known?.checks !== "platform") {
      const remedy = `(to leave this to the platform, ${toSet("checks", '"platform"')})`;
      // Only the last problem gets the remedy.
      return expected.map(({ path, reason }, index) => ({
        path,
        reason: index === expected.length - 1 ? `${reason} ${remedy}` : reason,
      }));
    }
    for (const problem of expected)
      this.warnOnce(inputs, `${showProblem(problem)}. It is sent as declared: the platform decides.`);
    return [];
  }

  private warnOnce(inputs: JsonObject, text: string): void {
    const warning = `${describe(this.definition.table, inputs)}: ${text}`;
    if (!this.warnedOf.has(warning)) this.session.log.warn(warning);
    this.warnedOf.add(warning);
  }

  private remember(inputs: JsonObject): void {
    noteSecretFields(this.definition.table.fieldRules, inputs);
    const name = naturalNameIn(this.definition.table, inputs);
    if (name !== undefined) this.client.noteDeclared(name, inputs);
  }
}

/**
 * The fields in which two declarations differ, except those that `suppressDiff` rules out. If a read found a problem, the fields that no answer shows are
 * included, so that they are sent again.
 */
export function changesOf(
  { table: { fieldRules }, suppressDiff }: Pick<ResourceDefinition<never, never>, "table" | "suppressDiff">,
  before: JsonObject,
  after: JsonObject,
  outputs: JsonObject,
): Change[] {
  const changes = changesBetween(fieldRules, before, after).filter(
    (change) => suppressDiff?.(change, outputs, after) !== true,
  );
  if (before[PROBLEM] === undefined || after[PROBLEM] !== undefined) return changes;
  // An object that is still being built has no problem yet: it is not replaced, and nothing is sent again.
  if (before[PROBLEM] === NOT_READY)
    return changes.map((change) => (change.path[0] === PROBLEM ? { ...change, rule: {} } : change));
  return withOthers(changes, hiddenFields(fieldRules, after, {}));
}
