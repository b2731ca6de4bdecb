import type { Command } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { byVariable } from "../base/connection";
import { withHelp, declareFormat, declareProject, FORMATS } from "../base/options";
import { jsonText, nameText } from "../base/printable";
import { refuseInterrupted, type Target, whereAsked } from "../base/pulumi";
import { configOf, type StackConfig, stackText } from "../base/stack-config";
import { connectionsIn, type StackConnection } from "../base/stack-connections";
import { stateOf } from "../base/stack-state";
import { styleFor } from "../base/style";
import { type Finding, findingsTable, fix, ok, skip } from "./finding";
import { ENVIRONMENT, inPlatform, inStack, platformFindings } from "./platform";
import { engineFinding, pluginOf, projectAt, sdkOf } from "./project";
import { resolveConnection } from "../../provider/base/connection";
import { messageOf } from "../../provider/base/errors";
import { SETTINGS } from "../../provider/base/settings";
import { version } from "../../provider/base/version";

const options = z.object({ stack: z.string().optional(), cwd: z.string(), format: z.enum(FORMATS) });

/** Declares the options of `pulumi-agent-platform doctor` and what it does. */
export function defineCommand(command: Command): void {
  declareFormat(declareProject(command), "format of the findings");
  withHelp(
    command,
    "\nExample: pulumi-agent-platform doctor --stack prod" +
      "\n\nEach line is ok, or says what to fix. The command sends a few reads, runs nothing of the project and changes nothing. " +
      "It checks the connection in the stack's configuration, completed by the environment, that of each `Platform` in the " +
      "state, and whether the state has another key than is configured now; outside of a project, the environment's." +
      "\n\n--format json: { findings: [{ state: ok | fix | skip, what, text }] }" +
      "\n\nExit codes: 0 everything is ok, 1 there is something to fix.",
  ).action(async () => run(options.parse(command.opts())));
}

async function run({ stack, cwd, format }: z.infer<typeof options>): Promise<void> {
  const target = { folder: resolve(cwd), environment: process.env };
  const findings = [
    ok("package", `pulumi-agent-platform ${version()}, Node.js ${process.versions.node}`),
    ...(await findingsOf(stack, target)),
  ];
  refuseInterrupted();
  const style = styleFor(process.stdout.isTTY, process.env);
  process.stdout.write(format === "json" ? jsonText({ findings }) : findingsTable(findings, style));
  if (findings.some(({ state }) => state === "fix")) process.exitCode = 1;
}

async function findingsOf(stack: string | undefined, target: Target): Promise<Finding[]> {
  const engine = await engineFinding(target);
  const project = projectAt(target.folder);
  if (project === undefined) {
    const none = skip("project", `no Pulumi.yaml in ${target.folder} or above it, so only the environment is checked`);
    return [engine, none, ...(await environmentFindings(target))];
  }
  const failures: Finding[] = [];
  const config = engine.state === "fix" ? undefined : await configOf(stack, target).catch(noting(failures, "stack"));
  return [
    engine,
    sdkOf(project),
    await pluginOf(project, config, target),
    ...failures,
    ...(config === undefined ? await instead(target) : await allConnections(stack, config, target)),
  ];
}

/** Makes a finding of the reason why something cannot be read. */
const noting =
  (failures: Finding[], what: string, before = "") =>
  (error: unknown): undefined =>
    void failures.push(fix(what, before + messageOf(error)));

/** The connections of the stack's configuration, and of each Platform in the state. */
async function allConnections(stack: string | undefined, config: StackConfig, target: Target): Promise<Finding[]> {
  const failures: Finding[] = [];
  const failed = noting(failures, "state", `The state of ${stackText(stack)} cannot be read: `);
  const state = await stateOf(stack, target, "--show-secrets").catch(failed);
  // What is to be set is set in this stack, whichever is selected.
  const where = whereAsked(target, stack);
  const connections = connectionsIn(state ?? { resources: [], begun: [] }, config, target.environment, where);
  const found = await Promise.all(
    connections.map(async (each) => [
      ...(await findingsAt(each, where)),
      ...(await keyInState(each, config, target, where)),
    ]),
  );
  const isWithoutOwn = connections.every(({ platform }) => platform !== undefined);
  return [...failures, ...(isWithoutOwn ? [skip("connection", UNUSED)] : []), ...found.flat()];
}

/** What to know of the key in the state, if it is not the one that is configured now. */
async function keyInState(
  { source, platform, recorded }: StackConnection,
  config: StackConfig,
  { environment }: Target,
  where: string,
): Promise<Finding[]> {
  const key = recorded?.get("apiKey") ?? recorded?.get("bearerToken");
  if (recorded === undefined || key === undefined) return [];
  if (platform !== undefined) {
    const isConfigured = [...config.values(), ...Object.values(environment)].includes(key);
    const text =
      "it is nowhere in the stack's configuration or the environment: if the key has been changed there, run " +
      `\`pulumi up${where}\`, which takes the new one. Until then, refresh, drift and destroy use the one in the state`;
    return isConfigured ? [] : [skip(`key in the state of ${nameText(platform)}`, text)];
  }
  const now = resolveConnection(...source);
  if ("connection" in now && [now.connection.apiKey, now.connection.bearerToken].includes(key)) return [];
  const found = await findingsAt({ platform, source: [(setting) => recorded.get(setting), environment] }, where);
  const isAccepted = found.some(({ what, state }) => what === "key" && state === "ok");
  const text =
    `${isAccepted ? "The platform still accepts it, but it" : "It"} is not the key that is configured now: refresh, drift ` +
    `and destroy use it until \`pulumi up${where}\` takes the new one`;
  return [fix("key in the state", text)];
}

const UNUSED = "the stack's configuration names none, and its objects use none: they use a Platform";

const environmentFindings = ({ environment }: Target): Promise<Finding[]> =>
  findingsAt({ platform: undefined, source: [() => undefined, environment, byVariable] });

/** Where the stack's configuration cannot be read: it may have what the environment lacks. */
async function instead(target: Target): Promise<Finding[]> {
  const found = await environmentFindings(target);
  const isIncomplete = found.some(({ what, state }) => what === "connection" && state === "fix");
  return isIncomplete ? [skip("connection", "not asked: the stack's configuration was not read")] : found;
}

/** @param where The end of a command of the engine: which stack is meant. */
async function findingsAt(
  { source, platform }: Pick<StackConnection, "source" | "platform">,
  where = "",
): Promise<Finding[]> {
  const resolved = resolveConnection(...source);
  const isConfigured = SETTINGS.some((setting) => source[0](setting) !== undefined);
  const at = platform !== undefined ? inPlatform(platform, where) : isConfigured ? inStack(where) : ENVIRONMENT;
  const findings =
    "connection" in resolved
      ? await platformFindings(resolved.connection, at)
      : resolved.problems.map(({ reason }) => fix("connection", reason));
  return platform === undefined
    ? findings
    : findings.map((each) => ({ ...each, what: `${each.what} of ${nameText(platform)}` }));
}
