import type * as pulumi from "@pulumi/pulumi";
import type { JsonObject } from "../../provider/base/json";
import { atMost, checkNames, optionalText, optionalTexts, requiredText } from "../../provider/functions/arguments";
import { listItems, listOutput, type ListFunction } from "./list";
import { invoke, invokeOutput, type ReadingFunction } from "./invoke";
import type { FunctionOptions, OutputArgs } from "./options";

/** Which revision of a deployment. */
export interface GetRevisionArgs {
  /** The deployment's id, a UUID. */
  deploymentId: string;
  /** The revision's id, a UUID. @default the deployment's latest revision */
  revisionId?: string | null;
}

/** {@link GetRevisionArgs}, which may come from resources. */
export type GetRevisionOutputArgs = OutputArgs<GetRevisionArgs>;

/** A revision of a deployment as it is on the platform. */
export class GetRevisionResult {
  /** The platform's UUID. */
  declare readonly id: string;
  declare readonly deploymentId: string;
  /** "DEPLOYED", "BUILDING", "BUILD_FAILED" ...; "UNKNOWN" if the platform does not say. A replaced revision stays "DEPLOYED". */
  declare readonly status: string;
  /** When the platform created it (ISO 8601). */
  declare readonly createdAt: string | null;
  /** The image that it runs, the built one where the platform builds; null if the platform does not say. */
  declare readonly imageUri: string | null;
  /** The commit that it was built from; null if it was not built from a repository. */
  declare readonly repoCommitSha: string | null;

  /** @internal */
  constructor(found: JsonObject) {
    Object.assign(this, found);
  }
}

const LOOKUP: ReadingFunction<GetRevisionOutputArgs, { deploymentId: string; revisionId?: string }, GetRevisionResult> =
  {
    name: "getRevision",
    check: (args) => {
      checkNames("getRevision", args, ["deploymentId", "revisionId"]);
      return {
        deploymentId: requiredText("getRevision", "deploymentId", args.deploymentId),
        revisionId: optionalText("getRevision", "revisionId", args.revisionId),
      };
    },
    read: async (platform, key) => new GetRevisionResult(await platform.revision(key.deploymentId, key.revisionId)),
  };

/**
 * A revision of a deployment, as it is now (docs/internals/platform.md, Endpoints: GET /v2/deployments/{deployment_id}/revisions/{revision_id}).
 * Does not wait. Fails if either does not exist, and before any request if the arguments or the connection are wrong.
 */
export function getRevision(args: GetRevisionArgs, options: FunctionOptions = {}): Promise<GetRevisionResult> {
  return invoke(LOOKUP, args, options);
}

/** {@link getRevision} for arguments that come from resources: not known at preview if one of them is not. */
export function getRevisionOutput(
  args: GetRevisionOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetRevisionResult> {
  return invokeOutput(LOOKUP, args, options);
}

/** Which revisions of a deployment. */
export interface ListRevisionsArgs {
  /** The deployment's id, a UUID. */
  deploymentId: string;
  /** Those with this status, or one of these, such as "DEPLOYED". @default all */
  status?: string | string[];
  /** How many at most, a whole number above 0. @default all of the deployment */
  maximum?: number;
}

/** {@link ListRevisionsArgs}, which may come from resources. */
export type ListRevisionsOutputArgs = OutputArgs<ListRevisionsArgs>;

interface ListKey {
  readonly deploymentId: string;
  readonly statuses: readonly string[] | undefined;
  readonly maximum: number;
}

const LIST: ListFunction<ListRevisionsOutputArgs, ListKey, GetRevisionResult> = {
  name: "listRevisions",
  check: (args) => {
    checkNames("listRevisions", args, ["deploymentId", "status", "maximum"]);
    return {
      deploymentId: requiredText("listRevisions", "deploymentId", args.deploymentId),
      statuses: optionalTexts("listRevisions", "status", args.status),
      maximum: atMost("listRevisions", "maximum", args.maximum),
    };
  },
  async *items(platform, { deploymentId, statuses }) {
    for await (const found of platform.revisions(deploymentId, statuses)) yield new GetRevisionResult(found);
  },
};

/**
 * The revisions of a deployment, in the platform's order, for `for await`: a page of 100 is requested when it is needed, and not after
 * `maximum` (docs/internals/platform.md, Lists). Needs contract "extended". Throws at once if the arguments are wrong.
 */
export function listRevisions(
  args: ListRevisionsArgs,
  options: FunctionOptions = {},
): AsyncGenerator<GetRevisionResult, void, undefined> {
  return listItems(LIST, args, options);
}

/** {@link listRevisions} as one array: not known at preview if an argument is not. */
export function listRevisionsOutput(
  args: ListRevisionsOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetRevisionResult[]> {
  return listOutput(LIST, args, options);
}
