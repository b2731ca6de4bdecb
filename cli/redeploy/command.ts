import { InvalidArgumentError, type Command } from "commander";
import { z } from "zod";
import { type Clock, durationMs, openOperator } from "../../provider/tools";
import { CONNECTION_HELP, connectionsOf, declareConnection } from "../base/connection";
import { declareDeployment, deploymentGiven, findDeployment } from "../base/deployment";
import { notEmpty } from "../base/option-values";
import { Revision } from "../base/revision";
import { waitProgressOn } from "./progress";
import { ADVICE, afterwards, askedForText, deployed } from "./said";

const options = z.looseObject({
  revision: z.string(),
  wait: z.boolean(),
  timeout: z.string().optional(),
});

/** Declares the options of `pulumi-agent-platform redeploy` and what it does. @param clock Of the wait; the machine's by default. */
export function defineRedeployCommand(command: Command, clock?: Clock): void {
  declareDeployment(command)
    .requiredOption(
      "--revision <id>",
      "the revision to bring back, as `pulumi-agent-platform revisions` shows it",
      notEmpty("an id"),
    )
    .option("--no-wait", "do not wait until it is DEPLOYED")
    .option("--timeout <duration>", "how long to wait, like 45m (default: 30m)", duration);
  declareConnection(command)
    .addHelpText(
      "after",
      "\nMakes a new revision with the configuration of an earlier one, and waits until it is DEPLOYED. Each run makes one." +
        "\nYour program does not know about it: to go back for good, change the program. Needs contract extended." +
        CONNECTION_HELP +
        "\n\nExit codes: 0 it is DEPLOYED (with --no-wait: requested), 1 it failed, or the time ran out.",
    )
    .action(async () => run(deploymentGiven(command), options.parse(command.opts()), clock));
}

async function run(
  named: string | undefined,
  { revision, wait, timeout, ...given }: z.infer<typeof options>,
  clock: Clock | undefined,
): Promise<void> {
  const progress = waitProgressOn(process.stderr);
  const connections = await connectionsOf(given, process.env);
  const { platform: operator, deployment } = await findDeployment(connections, named, (source) =>
    openOperator(source, { log: progress.log, clock }),
  );
  // Read first, so that a mistyped id is told apart from a platform without this endpoint.
  const earlier = Revision.parse(await operator.revision(deployment.id, revision));
  const made = await operator.redeploy(deployment, revision);
  process.stdout.write(askedForText(deployment, earlier, made.id));
  if (wait) {
    const serving = await operator.rolledOut(deployment, made, { timeout, advice: ADVICE }).finally(progress.end);
    process.stdout.write(deployed(deployment, serving));
  }
  process.stdout.write(afterwards(deployment, wait));
}

/** Checked before anything is sent. */
function duration(text: string): string {
  if (durationMs(text) === undefined)
    throw new InvalidArgumentError("It must be a duration such as 90s, 45m or 1h30m.");
  return text;
}
