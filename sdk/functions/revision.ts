import type * as pulumi from "@pulumi/pulumi";
import { atMost, checkNames, optionalText, optionalTexts, requiredText } from "../../provider/functions/arguments";
import { first, type Revision } from "../../provider/functions/values";
import { listItems, listOutput } from "./list";
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
export type GetRevisionResult = Revision;

const LOOKUP: ReadingFunction<GetRevisionOutputArgs, Promise<GetRevisionResult>> = {
  name: "getRevision",
  checked: (args) => {
    checkNames("getRevision", args, ["deploymentId", "revisionId"]);
    const deploymentId = requiredText("getRevision", "deploymentId", args.deploymentId);
    const revisionId = optionalText("getRevision", "revisionId", args.revisionId);
    return (platform) => platform.revision(deploymentId, revisionId);
  },
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

const LIST: ReadingFunction<ListRevisionsOutputArgs, AsyncGenerator<GetRevisionResult, void, undefined>> = {
  name: "listRevisions",
  checked: (args) => {
    checkNames("listRevisions", args, ["deploymentId", "status", "maximum"]);
    const deploymentId = requiredText("listRevisions", "deploymentId", args.deploymentId);
    const statuses = optionalTexts("listRevisions", "status", args.status);
    const maximum = atMost("listRevisions", "maximum", args.maximum);
    return (platform) => first(maximum, platform.revisions(deploymentId, statuses));
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
