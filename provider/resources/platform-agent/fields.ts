import { UNKNOWN } from "../../base/json";
import { sameId } from "../../base/uuid";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import {
  adoptField,
  choice,
  extra,
  fits,
  flag,
  list,
  nullable,
  object,
  progressUrn,
  text,
} from "../../lifecycle/fields/types";
import { createdAt, outputs, pulumiName } from "../rows";

/** The id of an agent, wherever one is named (docs/internals/platform.md, Agents). */
export const agentId = text(
  63,
  fits(
    /^[a-z]([a-z0-9-]*[a-z0-9])?$/,
    "must be of a-z, 0-9 and hyphens, begin with a letter, and end with a letter or digit",
  ),
);

const environmentFields = {
  id: { type: text(), description: "The platform's id of the environment.", required: true },
  environment: { type: text(), description: '"LOCAL", "DEVELOPMENT", "STAGING" or "PRODUCTION".', required: true },
  tracingProjectId: {
    type: text(),
    description: "The id of its tracing project.",
    required: true,
    wire: "tracer_session_id",
  },
  tracingProjectName: {
    type: text(),
    description: "The name of its tracing project.",
    required: true,
    wire: "tracer_session_name",
  },
} as const;

/** docs/internals/platform.md, Agents: what a request carries, and what is fixed at creation. */
export const platformAgentTable = table(
  {
    kind: "PlatformAgent",
    api: "sandbox",
    naturalKey: "agentId",
    undocumented: ["list", "create", "read", "update", "delete"],
    incarnation: "agentUuid",
    one: "agent",
    summary:
      "An agent as the platform lists it, with its environments and their tracing projects. It runs nothing: deployments run it, one in each environment. " +
      '(`Agent` is another thing: one resource for a deployment and what belongs to it.) Needs contract "extended".',
    *rules({ productionOnly, sourceType }) {
      if (productionOnly === true && sourceType !== "FLEET" && sourceType !== UNKNOWN)
        yield { path: ["productionOnly"], reason: 'is possible with sourceType "FLEET" alone; leave it out' };
    },
    description: "Arguments of a {@link PlatformAgent} (docs/internals/platform.md, Agents).",
    reading: {
      id: "The same as `agentId`.",
      idIsKey: true,
      key: "The id that you gave it; not the platform's UUID.",
      place: "docs/internals/platform.md, Agents",
      page: 100,
      cursor: true,
    },
  },
  {
    agentId: {
      ...pulumiName(
        "1 to 63 of a-z, 0-9 and hyphens; begins with a letter, ends with a letter or digit. Unique in the workspace.",
      ),
      type: agentId,
      replaceOn: "always",
      wire: "id",
    },
    name: { type: text(255), description: "A name for people to read.", defaultText: "the `agentId`" },
    agentType: {
      type: choice("CUSTOM", "CODING"),
      description: "What it is.",
      defaultText: '"CUSTOM"',
      onRemove: "unmanage",
    },
    sourceType: {
      type: choice("LSD", "MDA", "EXTERNAL", "FLEET"),
      description: 'Where it runs. It can change only from "EXTERNAL".',
      defaultText: '"EXTERNAL"',
      onRemove: "unmanage",
    },
    ownerId: {
      type: nullable(text(255)),
      description: "The user who owns it; null for nobody (not in YAML).",
      defaultText: "whose key creates it",
      afterCreate: true,
      equal: sameId,
      onRemove: "unmanage",
    },
    productionOnly: {
      type: flag(),
      description: 'Whether it has only the environment "PRODUCTION". For sourceType "FLEET" alone.',
      replaceOn: "always",
      notReturned: "always",
      default: false,
    },
    extra,
    adopt: adoptField("agentId"),
    __progressUrn: progressUrn,
    ...outputs({
      agentUuid: {
        type: nullable(text()),
        description: "The platform's own id, which no other agent gets later.",
        isStable: true,
      },
      environments: {
        type: list(object(environmentFields)),
        description: "Its environments, as far as the key may read them.",
        isStable: true,
        default: [],
      },
      createdAt,
    }),
  },
);

export type PlatformAgentInputs = InputsOf<typeof platformAgentTable.fields>;
