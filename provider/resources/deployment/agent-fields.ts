import { headerProblem } from "../../base/address";
import { UUID } from "../../base/uuid";
import { asObject, ownValue, sameJson } from "../../base/json";
import type { Problem } from "../../lifecycle/fields/fields";
import type { Field } from "../../lifecycle/fields/table";
import {
  checkedText,
  fits,
  json,
  nullable,
  progressUrn,
  record,
  referenceTo,
  server,
  text,
} from "../../lifecycle/fields/types";
import { address } from "../rows";

/** How to replace an object of an agent if an update cannot make the change. `replacementTrigger` does not help: check refuses the change first. */
export const BY_REPLACING =
  "replace it by `pulumi up --target-replace` with its URN, which in YAML and Python needs the option `deleteBeforeReplace: true`. A `replacementTrigger` is refused like this";

/** With `--continue-on-error`, the SDK leaves out what a resource that failed would have given. */
export const NO_ADDRESS = "is required (a string); if it comes from a Rollout that failed, mend that first";

/** The rows of every object of an agent: its deployment, and how to reach the agent. None of them is sent. */
export const agentFields = {
  deploymentId: {
    type: referenceTo("Deployment"),
    description: "The deployment whose agent has it: new revisions keep it, a replacement loses it.",
    required: true,
    classDefault: "that of `deployment`",
    replaceOn: "always",
    wire: false,
  },
  url: {
    // Accepts null, because a deployment may have no address yet: agent.ts then names it in the error.
    type: nullable(server({ ifAbsent: NO_ADDRESS })),
    description: "The agent's address.",
    required: true,
    classDefault: "the deployment's",
    wire: false,
  },
  customUrl: {
    type: address.type,
    description:
      "The agent's address, written out and no output: the connection's key may go there (docs/run-checks.md).",
    classDefault: "a plain `url`, else the deployment's `sourceConfig.customUrl`",
    wire: false,
    notReturned: "always",
  },
  apiKey: {
    type: checkedText({ most: 4096 }, headerProblem),
    description: "Sent to the agent as x-api-key, wherever `url` is.",
    defaultText: "the connection's, for an address that is vouched for",
    secret: true,
    wire: false,
    notReturned: "always",
  },
  __progressUrn: progressUrn,
  createdAt: { type: text(), description: "When the agent created it (ISO 8601).", computed: true, isStable: true },
} as const satisfies Readonly<Record<string, Field>>;

/** The metadata key that identifies our object if the server chooses the id. */
export const MARK = "pulumi-agent-platform";

/** The row of `adopt` for an object that only its id identifies. */
export const adoptById = {
  type: text(36, fits(UUID, "must be the id of an existing one, a UUID")),
  providerOnly: true,
  description: "The id of an existing one to take over, and make as declared (docs/adopting.md).",
} as const satisfies Field;

/** The row of the metadata, which the server merges: other keys stay, and no key can be removed. */
export const metadata = {
  type: record(json()),
  description:
    "Marks of your own. Keys that others have set stay as they are. You can change a key, but not remove it.",
} as const satisfies Field;

/** The row of an object of any JSON, which is empty if it is not declared. */
export const anyObject = (description: string) =>
  ({ type: record(json()), description, default: {}, equal: sameJson }) as const satisfies Field;

/** The keys that a server silently removes from any metadata. */
const RESERVED = ["thread_id", "assistant_id", "run_id", "cron_id"];

/** The problems of metadata, for the rules of a table. @param own Keys that the type needs itself, and why. */
export const metadataProblems = (given: unknown, own: Readonly<Record<string, string>> = {}): Problem[] =>
  Object.entries(asObject(given)).flatMap(([key, value]) => {
    const path = ["metadata", key];
    const reason = RESERVED.includes(key) ? "is a key that the server takes out: use another one" : ownValue(own, key);
    if (reason !== undefined) return [{ path, reason }];
    // A server writes another character in its place.
    const hasNul = JSON.stringify([key, value]).includes("\\u0000");
    return hasNul ? [{ path, reason: "must not contain NUL characters" }] : [];
  });
