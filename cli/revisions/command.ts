import { InvalidArgumentError, type Command } from "commander";
import { z } from "zod";
import { openPlatform } from "../../provider/functions/reading";
import { jsonText } from "../base/printable";
import { CONNECTION_HELP, connectionsOf, declareConnection } from "../base/connection";
import { declareDeployment, deploymentGiven, findDeployment } from "../base/deployment";
import { declareFormat, FORMATS } from "../base/format";
import { wholeNumber } from "../base/option-values";
import { shownRevision, tableOf, type RevisionsReport, type ShownRevision } from "./report";

const options = z.looseObject({
  status: z.array(z.string()).default([]),
  limit: z.number(),
  format: z.enum(FORMATS),
});

const USUAL_LIMIT = 20;

/** Declares the options of `pulumi-agent-platform revisions` and what it does. */
export function defineRevisionsCommand(command: Command): void {
  declareDeployment(command)
    .option("--status <status>", "only revisions with this status; separate several with commas", statuses)
    .option("--limit <number>", "show at most this many", wholeNumber, USUAL_LIMIT);
  declareFormat(command, "format of the list");
  declareConnection(command)
    .addHelpText(
      "after",
      "\nPrints the revisions of a deployment in the platform's order, with the image or commit that each one runs." +
        "\nIt reads the platform and changes nothing. Needs contract extended." +
        CONNECTION_HELP +
        "\n\n--format json: { deployment: { id, name }, revisions: [{ id, status, createdAt, imageUri, repoCommitSha," +
        "\n  isServing, isLatest }], rolledBack: [{ check, problem }] }; null if the platform does not say." +
        "\n  rolledBack: the checks of the stack that failed, and put an earlier revision back.",
    )
    .action(async () => run(deploymentGiven(command), options.parse(command.opts())));
}

async function run(named: string | undefined, given: z.infer<typeof options>): Promise<void> {
  const connections = await connectionsOf(given, process.env);
  const { platform, deployment } = await findDeployment(connections, named, openPlatform);
  const revisions: ShownRevision[] = [];
  for await (const found of platform.revisions(deployment.id, given.status)) {
    revisions.push(shownRevision(found, deployment));
    if (revisions.length === given.limit) break;
  }
  const { id, name } = deployment;
  const rolledBack = connections.rolledBack
    .filter(({ deploymentId }) => deploymentId === id)
    .map(({ check, problem }) => ({ check, problem }));
  const report: RevisionsReport = { deployment: { id, name }, revisions, rolledBack };
  process.stdout.write(given.format === "json" ? jsonText(report) : tableOf(report));
}

function statuses(text: string, earlier: readonly string[] = []): readonly string[] {
  const given = text.split(",").map((status) => status.trim());
  if (given.includes("")) throw new InvalidArgumentError("A status is a word such as DEPLOYED.");
  return [...earlier, ...given];
}
