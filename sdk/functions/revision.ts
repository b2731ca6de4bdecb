import type * as pulumi from "@pulumi/pulumi";
import type { JsonObject } from "../../provider/reading";
import { checkNames, optionalText, text } from "./arguments";
import { lookUp, lookUpOutput, type FunctionOptions, type Lookup } from "./lookup";

/** Which revision of a deployment. */
export interface GetRevisionArgs {
  /** The deployment's id, a UUID. */
  deploymentId: string;
  /** The revision's id, a UUID. @default the deployment's latest revision */
  revisionId?: string | null;
}

/** {@link GetRevisionArgs}, which may come from resources. */
export interface GetRevisionOutputArgs {
  /** The deployment's id, a UUID. */
  deploymentId: pulumi.Input<string>;
  /** The revision's id, a UUID. @default the deployment's latest revision */
  revisionId?: pulumi.Input<string | null | undefined>;
}

/** A revision of a deployment as it is on the platform. */
export class GetRevisionResult {
  /** The platform's UUID. */
  declare readonly id: string;
  declare readonly deploymentId: string;
  /** "DEPLOYED", "BUILDING", "BUILD_FAILED" ...; "UNKNOWN" if the platform does not say. A replaced revision stays "DEPLOYED". */
  declare readonly status: string;
  /** When the platform created it (ISO 8601). */
  declare readonly createdAt: string | null;

  /** @internal */
  constructor(found: JsonObject) {
    Object.assign(this, found);
  }
}

const LOOKUP: Lookup<GetRevisionOutputArgs, { deploymentId: string; revisionId?: string }, GetRevisionResult> = {
  name: "getRevision",
  check: (args) => {
    checkNames("getRevision", args, ["deploymentId", "revisionId"]);
    return {
      deploymentId: text("getRevision", "deploymentId", args.deploymentId),
      revisionId: optionalText("getRevision", "revisionId", args.revisionId),
    };
  },
  read: async (platform, key) => new GetRevisionResult(await platform.revision(key.deploymentId, key.revisionId)),
};

/**
 * A revision of a deployment, as it is now (docs/platform.md, Endpoints: GET /v2/deployments/{deployment_id}/revisions/{revision_id}).
 * Does not wait. Fails if either does not exist, and before any request if the arguments or the connection are wrong.
 */
export function getRevision(args: GetRevisionArgs, options: FunctionOptions = {}): Promise<GetRevisionResult> {
  return lookUp(LOOKUP, args, options);
}

/** {@link getRevision} for arguments that come from resources: not known at preview if one of them is not. */
export function getRevisionOutput(
  args: GetRevisionOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetRevisionResult> {
  return lookUpOutput(LOOKUP, args, options);
}
