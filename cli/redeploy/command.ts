import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import type { Clock } from "../../provider/base/clock";
import { durationMs, instantOf } from "../../provider/base/time";
import type { PlatformReader } from "../../provider/functions/reading";
import { openOperator } from "../../provider/operating";
import { CliError, wrongUsage } from "../base/cli-error";
import { CONNECTION_HELP, connectionsOf, declareConnection } from "../base/connection";
import { declareDeployment, deploymentGiven, findDeployment, Revision } from "../base/deployment";
import { notEmpty } from "../base/option-values";
import { saysYes } from "../base/yes-or-no";
import { ADVICE, afterwards, askedForText, deployed, environmentText, waitProgressOn } from "./said";
import type { StateObject } from "../base/stack-objects";

const options = z.looseObject({
  revision: z.string(),
  yes: z.boolean().default(false),
  wait: z.boolean(),
  timeout: z.string().optional(),
});

/** What the command uses of the machine. */
interface Machine {
  /** Of the wait. */
  readonly clock?: Clock;
  readonly ask?: typeof saysYes;
}

/** Declares the options of `pulumi-agent-platform redeploy` and what it does. */
export function defineRedeployCommand(command: Command, machine: Machine = {}): void {
  declareDeployment(command)
    .requiredOption(
      "--revision <id>",
      "the revision to bring back, as `pulumi-agent-platform revisions` shows it",
      notEmpty("an id"),
    )
    .option("-y, --yes", "do not ask whether the environment may come back too")
    .option("--no-wait", "do not wait until it is DEPLOYED")
    .option("--timeout <duration>", "how long to wait, like 45m (default: 30m)", duration);
  declareConnection(command)
    .addHelpText(
      "after",
      "\nMakes a new revision with the configuration of an earlier one, and waits until it is DEPLOYED. Each run makes one." +
        "\nThe environment of the earlier one comes back too, with its secrets: the command names the variables and asks." +
        "\nWithout a terminal it needs --yes." +
        "\nYour program does not know about it: to go back for good, change the program. Needs contract extended." +
        CONNECTION_HELP +
        "\n\nExit codes: 0 it is DEPLOYED (with --no-wait: requested), 1 it failed, the time ran out, or you said no.",
    )
    .action(async () => run(deploymentGiven(command), options.parse(command.opts()), machine));
}

async function run(
  named: string | undefined,
  { revision, yes, wait, timeout, ...given }: z.infer<typeof options>,
  { clock, ask = saysYes }: Machine,
): Promise<void> {
  const progress = waitProgressOn(process.stderr);
  const connections = await connectionsOf(given, process.env);
  const {
    platform: operator,
    deployment,
    state,
  } = await findDeployment(connections, named, (source) => openOperator(source, { log: progress.log, clock }));
  // Read first, so that a mistyped id is told apart from a platform without this endpoint.
  const earlier = Revision.parse(await operator.revision(deployment.id, revision));
  const variables = await operator.variables(deployment.id);
  if (variables.length > 0) {
    const haveChanged = await haveSecretsChanged(operator, deployment.id, earlier, state);
    process.stderr.write(environmentText(variables, haveChanged));
    if (!yes) await agreed(ask);
  }
  const made = await operator.redeploy(deployment, revision);
  process.stdout.write(askedForText(deployment, earlier, made.id));
  if (wait) {
    const serving = await operator.rolledOut(deployment, made, { timeout, advice: ADVICE }).finally(progress.end);
    process.stdout.write(deployed(deployment, serving));
  }
  process.stdout.write(afterwards(deployment, wait));
}

/** Throws CliError unless the person at the terminal agrees. */
async function agreed(ask: typeof saysYes): Promise<void> {
  const answer = await ask("Redeploy?");
  if (answer === undefined) {
    throw wrongUsage("--yes: there is no terminal to ask on: add --yes if the environment may come back too");
  }
  if (!answer) throw new CliError("nothing was redeployed: the answer was no");
}

/** Checked before anything is sent. */
function duration(text: string): string {
  if (durationMs(text) === undefined)
    throw new InvalidArgumentError("It must be a duration such as 90s, 45m or 1h30m.");
  return text;
}

/**
 * Whether the program has surely changed the deployment's secrets after this revision was made. Otherwise it is not known: others can change
 * them too, and the platform says nothing of them.
 */
export async function haveSecretsChanged(
  platform: Pick<PlatformReader, "revision">,
  deploymentId: string,
  since: Revision,
  state: StateObject | undefined,
): Promise<boolean> {
  const id = state?.outputs["secretsRevisionId"];
  if (typeof id !== "string" || id === "") return false;
  const changed = await platform.revision(deploymentId, id).then(
    (revision) => Revision.parse(revision),
    // It is gone, or the state does not name it yet.
    () => undefined,
  );
  const [then, later] = [since, changed].map((revision) => instantOf(revision?.createdAt));
  return then !== undefined && later !== undefined && later > then;
}
