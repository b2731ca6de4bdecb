import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { configKey, messageOf, resolveConnection, type SettingSource, version } from "../../provider/tools";
import { declareFormat, FORMATS } from "../base/format";
import { notEmpty } from "../base/option-values";
import { jsonText } from "../base/printable";
import type { Target } from "../base/pulumi";
import { stateOf } from "../base/stack-state";
import { styleFor } from "../base/style";
import { nameText } from "../base/value-text";
import { connectionsIn, type StateConnections } from "./connections";
import { fix, ok, skip, findingsTable, type Finding } from "./finding";
import { platformFindings } from "./platform";
import { configOf, engineFinding, pluginOf, projectAt, sdkOf, type CheckedProject, type StackConfig } from "./project";

const options = z.object({ stack: z.string().optional(), cwd: z.string(), format: z.enum(FORMATS) });

/** Declares the options of `pulumi-agent-platform doctor` and what it does. */
export function defineDoctorCommand(command: Command): void {
  command
    .option("--stack <name>", "the stack to check (default: the selected one)", notEmpty("the name of a stack"))
    .option("--cwd <folder>", "the folder of the Pulumi project", ".");
  declareFormat(command, "format of the findings")
    .addHelpText(
      "after",
      "\nEach line is ok, or says what to fix. The command sends a few read requests and changes nothing." +
        "\nIt checks the connection in the stack's configuration, completed by the environment, and that of each `Platform` in" +
        "\nthe stack's state; outside of a project, the one in the environment. A `Platform` is in the state from its first `up` on," +
        "\nand with its new settings from the next one on." +
        "\n\n--format json: { findings: [{ state: ok | fix | skip, what, text }] }" +
        "\n\nExit codes: 0 everything is ok, 1 there is something to fix.",
    )
    .action(async () => run(options.parse(command.opts())));
}

async function run({ stack, cwd, format }: z.infer<typeof options>): Promise<void> {
  const target = { folder: resolve(cwd), environment: process.env };
  const findings = [
    ok("package", `pulumi-agent-platform ${version()}, Node.js ${process.versions.node}`),
    ...(await findingsOf(stack, target)),
  ];
  const text = (): string => findingsTable(findings, styleFor(process.stdout.isTTY, process.env));
  process.stdout.write(format === "json" ? jsonText({ findings }) : text());
  if (findings.some(({ state }) => state === "fix")) process.exitCode = 1;
}

async function findingsOf(stack: string | undefined, target: Target): Promise<Finding[]> {
  const engine = await engineFinding(target);
  const project = projectAt(target.folder);
  if (project === undefined) {
    const none = skip("project", `no Pulumi.yaml in ${target.folder} or above it, so only the environment is checked`);
    return [engine, none, ...(await connectionFindings(new Map(), target))];
  }
  const config = engine.state === "fix" ? undefined : await configOf(stack, target);
  const known = config instanceof Map ? config : new Map<string, string>();
  const unread = config === undefined || config instanceof Map ? [] : [config];
  return [
    engine,
    ...(await inProject(project, known, target)),
    ...unread,
    ...(config instanceof Map ? await allConnections(stack, config, target) : await connectionFindings(known, target)),
  ];
}

/** Of the stack's configuration, and of each Platform in the state. */
async function allConnections(stack: string | undefined, config: StackConfig, target: Target): Promise<Finding[]> {
  const state = await connectionsOf(stack, target);
  if (!("platforms" in state)) return [state, ...(await connectionFindings(config, target))];
  const { platforms, usesStack } = state;
  const findings = await Promise.all(
    platforms.map(({ name, settings }) => findingsAt((setting) => settings.get(setting), target, name)),
  );
  return [...(await connectionFindings(config, target, usesStack || platforms.length === 0)), ...findings.flat()];
}

async function connectionsOf(stack: string | undefined, target: Target): Promise<StateConnections | Finding> {
  try {
    return connectionsIn(await stateOf(stack, target, "--show-secrets"));
  } catch (error) {
    return fix("state", `The state of stack ${stack ?? "selected"} cannot be read: ${messageOf(error)}`);
  }
}

const inProject = async (project: CheckedProject, config: StackConfig, target: Target): Promise<Finding[]> => [
  sdkOf(project),
  await pluginOf(project, config, target),
];

/** @param isNeeded Whether something may use the connection: if not, there need not be one. */
async function connectionFindings(config: StackConfig, target: Target, isNeeded = true): Promise<Finding[]> {
  const configured: SettingSource = (setting) => config.get(configKey(setting));
  if (isNeeded || "connection" in resolveConnection(configured, target.environment))
    return findingsAt(configured, target);
  return [skip("connection", "the stack's configuration names none, and its objects use none: they use a Platform")];
}

/** @param platform The name of the Platform whose connection it is. */
async function findingsAt(configured: SettingSource, { environment }: Target, platform?: string): Promise<Finding[]> {
  const resolved = resolveConnection(configured, environment);
  const findings =
    "connection" in resolved
      ? await platformFindings(resolved.connection, platform)
      : resolved.problems.map(({ reason }) => fix("connection", reason));
  return platform === undefined
    ? findings
    : findings.map((each) => ({ ...each, what: `${each.what} of ${nameText(platform)}` }));
}
