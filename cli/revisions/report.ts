import type { JsonObject } from "../../provider/base/json";
import { columns, lineText } from "../base/printable";
import { builtFrom, Revision, type ShownDeployment } from "../base/deployment";

/** A revision of the report. Keys may be added; these stay. */
export type ShownRevision = Revision & {
  /** It is the one that serves. */
  readonly isServing: boolean;
  /** It is the newest one, whatever became of it. */
  readonly isLatest: boolean;
};

/** The output of `pulumi-agent-platform revisions --format json`. Keys may be added; these stay. */
export interface RevisionsReport {
  readonly deployment: { readonly id: string; readonly name: string };
  readonly revisions: readonly ShownRevision[];
  /** The checks of the stack that failed and put an earlier revision back, by their names in the program. */
  readonly rolledBack: readonly { readonly check: string; readonly problem: string }[];
}

/** A revision as the reader gives it, and how it stands in its deployment. */
export function shownRevision(
  found: JsonObject,
  { activeRevisionId, latestRevisionId }: Pick<ShownDeployment, "activeRevisionId" | "latestRevisionId">,
): ShownRevision {
  const revision = Revision.parse(found);
  const { id } = revision;
  return { ...revision, isServing: id === activeRevisionId, isLatest: id === latestRevisionId };
}

/** For a terminal. */
export function tableOf({ deployment, revisions, rolledBack }: RevisionsReport): string {
  const title = `Deployment ${lineText(deployment.name)}  ${lineText(deployment.id)}`;
  if (revisions.length === 0) return `${title}\n\n  no revisions\n`;
  const rows = revisions.map((revision) => [
    revision.id,
    revision.status,
    revision.createdAt ?? "-",
    standingOf(revision),
    builtFrom(revision) ?? "-",
  ]);
  const lines = columns([["REVISION", "STATUS", "CREATED", "", "IMAGE OR COMMIT"], ...rows]);
  const said = rolledBack.map(({ check, problem }) => lineText(`RunCheck ${check}: ${problem}.`));
  const below = said.length === 0 ? [] : ["", ...said];
  return `${[title, "", ...lines.map((line) => `  ${line}`), ...below].join("\n")}\n`;
}

const standingOf = ({ isServing, isLatest }: ShownRevision): string =>
  isServing ? "serves" : isLatest ? "latest" : "";
