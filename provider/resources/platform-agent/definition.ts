import { UNKNOWN } from "../../base/json";
import { PROBLEM } from "../../lifecycle/state";
import { areTwo } from "../../lifecycle/rest/collection";
import { changedOnly, restResource } from "../../lifecycle/rest/rest-resource";
import { platformAgentTable, type PlatformAgentInputs } from "./fields";

const MADE_ANEW = "was deleted and made anew outside of this stack; its productionOnly may not be as declared";
/** What to do about the productionOnly of an agent that was made anew. */
export const DELETE_OR_ADOPT =
  "delete the agent on the platform, run `pulumi refresh`, and then `pulumi up`; to keep it, take its row out of the state (`pulumi state delete`) and declare " +
  "it with `adopt: true`";
const UNKNOWN_MODE = `nobody knows it of an agent that was made anew outside of this stack, and no update changes it: ${DELETE_OR_ADOPT}`;

/** An agent of the platform, whose id its program chooses. All of its endpoints belong to contract `extended`. */
export const platformAgent = restResource<PlatformAgentInputs>({
  table: platformAgentTable,
  path: "/v1/agents",
  items: "items",

  isSameObject: ({ agent_uuid: uuid }, { outputs }) => typeof uuid === "string" && uuid === outputs["agentUuid"],
  // No answer shows productionOnly, so only the state knows it, and not of an agent that somebody has made anew.
  toProblem({ agent_uuid: uuid }, { agentUuid: known, productionOnly, [PROBLEM]: before }) {
    if (typeof before === "string") return before;
    return areTwo(uuid, known) && productionOnly === true ? MADE_ANEW : undefined;
  },
  *refuse({ before: { sourceType = "EXTERNAL", [PROBLEM]: problem, ...before }, after, changes }) {
    // What is not known yet may be what it is.
    const isChanged = changes.some(({ path }) => path[0] === "sourceType") && after["sourceType"] !== UNKNOWN;
    if (problem !== undefined && [before, after].some(({ productionOnly }) => productionOnly === true))
      yield { path: ["productionOnly"], reason: UNKNOWN_MODE };
    else if (sourceType !== "EXTERNAL" && isChanged)
      yield { path: ["sourceType"], reason: 'can change only from "EXTERNAL"; keep it, or declare another agentId' };
  },
  filledIn: ({ inputs: { name, agentId } }) => (name === agentId ? [["name"]] : []),
  // Without a name of its own, an agent is called by its id.
  patch: (inputs, changes, before) =>
    changedOnly(platformAgentTable, { ...inputs, name: inputs.name ?? inputs.agentId }, changes, before),
});
