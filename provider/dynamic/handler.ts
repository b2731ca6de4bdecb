import { resolveConnection } from "../base/connection";
import { recording } from "../base/errors";
import { type JsonObject, sameJson } from "../base/json";
import { marshal } from "../base/engine-format";
import { safeText } from "../base/masker";
import { configKey } from "../base/settings";
import { migrateState, withoutHidden } from "../lifecycle/state";
import type { Resource } from "../lifecycle/defined";
import type { Session } from "../lifecycle/session";
import { showProblem } from "../lifecycle/fields/fields";
import { givenOf } from "../lifecycle/fields/table";
import { withEngineText } from "../engine/log";
import type { Handler } from "./protocol";

export type { Handler } from "./protocol";

/** A resource in the form that the plugin for dynamic resources expects. Only the protocol is here; every rule is in provider/lifecycle. */
export function createHandler(resource: Resource, { environment }: Pick<Session, "environment">): Handler {
  const { fields } = resource.table;
  const secrets = Object.entries(fields).flatMap(([name, { secret }]) => (secret ? [name] : []));
  return {
    // The plugin shares the handler before this has returned: nothing may be awaited before everything is assigned
    // (docs/internals/engine.md, trap 1).
    configure({ config }) {
      resource.connect(resolveConnection((setting) => config.get(configKey(setting)), environment));
      return Promise.resolve();
    },

    check: (olds, news) =>
      withEngineText(async () => {
        const [before, inputs] = [ownOf(olds), givenOf(fields, ownOf(news))];
        const { configuration, problems } = resource.checks.check(before, inputs);
        const wrong = [...configuration.map(({ reason }) => reason), ...problems.map(showProblem)];
        // The protocol does not say whether this is a preview, and a preview calls nothing else (docs/review.md).
        const reasons = wrong.length > 0 ? wrong : await resource.checks.previewOnline(before, inputs);
        // The engine prints the value of a property that is named here, secret or not (docs/internals/engine.md, trap 15).
        return {
          // A transformation of the program may have replaced what the class has encrypted: state would hold it as plain text.
          inputs: marshal(inputs, secrets),
          failures: reasons.map((reason) => ({ property: "", reason: safeText(reason) })),
        };
      }),

    diff: (id, olds, news) =>
      withEngineText(() => {
        const { changes, replacing, deleteBeforeReplace } = resource.checks.diff(stateOf(id, olds), ownOf(news));
        // A stack that comes back from the native plugin needs the code in its outputs (docs/internals/engine.md, trap 2): an update that sends nothing.
        const lacksCode = PROVIDER in news && !(PROVIDER in olds);
        return {
          changes: changes.length > 0 || lacksCode,
          replaces: [...new Set(replacing.map(({ path }) => String(path[0])))],
          deleteBeforeReplace,
        };
      }),

    async create(inputs) {
      const { id, outputs } = await withCode(inputs, () => resource.verbs.create(ownOf(inputs)));
      return { id, outs: outputs };
    },

    read: (id, props) =>
      withEngineText(async () => {
        const read = await resource.verbs.read(stateOf(id, props));
        // An empty id means that the object is gone.
        if (read === undefined) return { id: "", props: {} };
        // Without inputs the engine keeps its own, including provider-only arguments, which are not in the outputs.
        return { id: read.id, props: read.outputs, ...(read.inputs === undefined ? {} : { inputs: read.inputs }) };
      }),

    async update(id, olds, news) {
      // What an update of unknown end leaves has values from before as well, and nothing says here which of them were secret.
      const old = Object.keys(withoutHidden(olds)).filter((name) => !sameJson(olds[name], news[name]));
      return { outs: await withCode(news, () => resource.verbs.update(stateOf(id, olds), ownOf(news)), old) };
    },

    delete: (id, props) => withEngineText(() => resource.verbs.delete(stateOf(id, props))),
  };
}

/** The property in which the SDK's dynamic resources carry their code. */
const PROVIDER = "__provider";

/** Adds the code to the properties that the engine records of an unfinished object. @param secrets The names of its secret properties. */
const withCode = <T>(
  { [PROVIDER]: code }: JsonObject,
  act: () => Promise<T>,
  secrets: readonly string[] = [],
): Promise<T> =>
  recording(withEngineText(act), ({ properties }) => marshal({ ...properties, [PROVIDER]: code }, secrets));

const stateOf = (id: string, props: JsonObject) => ({ id, outputs: ownOf(props) });

/** Without the code, and under the names of this version, whichever wrote them. */
const ownOf = ({ [PROVIDER]: _, ...props }: JsonObject): JsonObject => migrateState(props);
