import { asObject, isObject, sameJson } from "../../base/json";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import { anyText, count, json, record, text } from "../../lifecycle/fields/types";
import {
  adoptById,
  agentFields,
  anyObject,
  BY_REPLACING,
  metadata,
  metadataProblems,
} from "../deployment/agent-fields";
import { pulumiName } from "../rows";

/** docs/internals/platform.md, Assistants of an agent. */
export const assistantTable = table(
  {
    kind: "Assistant",
    naturalKey: "name",
    scope: "deploymentId",
    one: "assistant",
    extendedArgs: "DeclaredAssistantArgs",
    summary:
      "An assistant on a deployment's agent: a graph with a context and settings of its own. Each change makes a version. A new revision of the deployment keeps it, and a replaced deployment loses it.",
    description: "Arguments of an {@link Assistant} (docs/internals/platform.md, Assistants of an agent).",
    goesWith: "its versions and its crons",
    *rules({ config, context, metadata: given }) {
      if (context !== undefined && asObject(config)["configurable"] !== undefined) {
        const reason = "cannot be given with context, which is the same: give context alone";
        yield { path: ["config", "configurable"], reason };
      }
      if (isObject(config) && Object.keys(config).length === 0)
        yield { path: ["config"], reason: "must have a setting: an empty one changes nothing. Leave it out" };
      yield* metadataProblems(given);
      if (asObject(given)["created_by"] === "system") {
        const reason = 'must not be "system", which marks the server\'s own assistants';
        yield { path: ["metadata", "created_by"], reason };
      }
    },
  },
  {
    graphId: { type: text(255), description: "The graph that it runs, as langgraph.json names it.", required: true },
    name: { ...pulumiName("Its name, which several assistants may have."), type: text(255) },
    description: { type: anyText(4096), description: "What it is for.", default: "" },
    context: anyObject(
      "What the graph gets as its context. Not for secrets: everyone who may ask the agent can read it.",
    ),
    config: {
      type: record(json()),
      description: "How the graph runs: `recursion_limit`, `tags`, or `configurable` instead of `context`.",
      equal: sameJson,
      onRemove: {
        refuse: `cannot be taken out, since the server keeps it: set what you want instead, or ${BY_REPLACING}`,
      },
    },
    metadata,
    adopt: adoptById,
    ...agentFields,
    version: { type: count(1), description: "The version that answers now.", computed: true },
  },
);

export type AssistantInputs = InputsOf<typeof assistantTable.fields>;
