import { z } from "zod";
import { asObject } from "../../base/json";
import { toComputedNames, toInputNames } from "../../lifecycle/fields/rename";
import { changedOnly, restResource } from "../../lifecycle/rest/rest-resource";
import { environmentFields, platformAgentTable, type PlatformAgentInputs } from "./fields";

const text = z.string().nullish().catch(undefined);

/** An agent of the platform, whose id its program chooses. All of its endpoints belong to contract `extended`. */
export const platformAgent = restResource<PlatformAgentInputs>({
  table: platformAgentTable,
  path: "/v1/agents",
  items: "items",
  answer: {
    agent_uuid: text,
    name: z.string().optional().catch(undefined),
    agent_type: z.string().optional().catch(undefined),
    source_type: z.string().optional().catch(undefined),
    owner_id: text,
    environments: z.array(z.looseObject({})).optional().catch(undefined),
    created_at: text,
  },

  isSameObject: ({ agent_uuid: uuid }, { outputs }) => typeof uuid === "string" && uuid === outputs["agentUuid"],
  refuse: ({ before: { sourceType = "EXTERNAL" }, changes }) =>
    sourceType !== "EXTERNAL" && changes.some(({ path }) => path[0] === "sourceType")
      ? [{ path: ["sourceType"], reason: 'can change only from "EXTERNAL"; keep it, or declare another agentId' }]
      : [],
  // Without a name of its own, an agent is called by its id.
  patch: (inputs, changes, before) =>
    changedOnly(platformAgentTable, { ...inputs, name: inputs.name ?? inputs.agentId }, changes, before),
  toComputed: (live) => ({
    ...toComputedNames(platformAgentTable.fields, live),
    environments: (Array.isArray(live["environments"]) ? live["environments"] : []).map((each) =>
      toInputNames(environmentFields, asObject(each)),
    ),
  }),
});
