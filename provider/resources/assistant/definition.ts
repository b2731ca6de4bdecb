import { AgentPlatformError } from "../../base/errors";
import { asObject, isObject, type JsonObject } from "../../base/json";
import { uuidOfName } from "../../base/uuid";
import { toInputNames, toWireNames } from "../../lifecycle/fields/rename";
import { agentResource } from "../deployment/agent-resource";
import { assistantTable, type AssistantInputs } from "./fields";

/** Cannot be created twice: its id is derived from its URN and its deployment, so a second POST is a 409. */
export const assistant = agentResource<AssistantInputs>({
  table: assistantTable,
  path: "/assistants",
  body: (inputs, id) => ({ ...toWireNames(assistantTable.fields, inputs), assistant_id: id }),
  ownKey: (seed, { deploymentId }) => uuidOfName(`${seed}\n${deploymentId}`),
  keyIs: "id",

  completed(body, inputs, _changes, live) {
    if (!("context" in body) && !("config" in body)) return body;
    // The server keeps context and config.configurable as one, but an empty one leaves the other, and a PATCH of the config drops what it lacks. So both are
    // sent; what is not declared as it is live.
    const { config = withoutConfigurable(live?.["config"]) } = inputs;
    const { configurable } = asObject(config);
    const context = configurable ?? body["context"] ?? inputs.context ?? asObject(live?.["context"]);
    const isNone = isObject(context) && Object.keys(context).length === 0;
    return {
      ...(config !== undefined ? { config } : isNone && { config: { configurable: {} } }),
      ...(isNone === (configurable !== undefined) && { context }),
      ...body,
    };
  },

  *refuse({ before, after: { config, context }, changes }) {
    const isTaken = changes.some(({ path }) => path[0] === "config") && context === undefined && isObject(config);
    if (isTaken && config["configurable"] === undefined && asObject(before["config"])["configurable"] !== undefined)
      yield {
        path: ["config", "configurable"],
        reason:
          "cannot be taken out, since the server keeps it as the context: give context in its place ({} for none)",
      };
  },

  toInputs(live, declared) {
    const shown = toInputNames(assistantTable.fields, live);
    // If `configurable` is declared, the server shows it as the context as well, so leave the context out.
    if (asObject(declared["config"])["configurable"] !== undefined) return { ...shown, context: undefined };
    const config = withoutConfigurable(shown["config"]);
    return { ...shown, config: config ?? (declared["config"] === undefined ? undefined : {}) };
  },

  /** Somebody has set an older version as the latest. */
  toProblem({ version }, { version: made }) {
    if (typeof version !== "number" || typeof made !== "number" || version >= made) return undefined;
    return `version ${version} was set as the latest, after this stack made version ${made}`;
  },

  refuseLive({ assistant_id: id, graph_id: graph, metadata: marks }) {
    if (asObject(marks)["created_by"] !== "system") return;
    const reason = `${String(id)} is the server's own assistant of graph "${String(graph)}", which is never adopted, changed or deleted`;
    throw new AgentPlatformError(`${reason}: declare one of your own, or name the graph where you need this one`);
  },
});

/** The config without `configurable`, which is the context; undefined if nothing is left. */
function withoutConfigurable(config: unknown): JsonObject | undefined {
  const { configurable: _, ...others } = asObject(config);
  return Object.keys(others).length === 0 ? undefined : others;
}
