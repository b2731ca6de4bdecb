import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { resolveConnection } from "../../provider/base/connection";
import { configKey } from "../../provider/base/settings";
import { version } from "../../provider/base/version";
import { notEmpty } from "../base/option-values";
import type { Target } from "../base/pulumi";
import { styleFor } from "../base/style";
import { fix, ok, skip, tableOf, type Finding } from "./finding";
import { platformFindings } from "./platform";
import { configOf, engineOf, pluginOf, projectAt, sdkOf, type Project, type StackConfig } from "./project";

const options = z.object({ stack: z.string().optional(), cwd: z.string() });

/** Declares the options of `agent-platform doctor` and what it does. */
export function defineDoctorCommand(command: Command): void {
  command
    .option("--stack <name>", "the stack to check (default: the selected one)", notEmpty("the name of a stack"))
    .option("--cwd <folder>", "the folder of the Pulumi project", ".")
    .addHelpText(
      "after",
      "\nEach line is ok, or says what to fix. The command sends a few read requests and changes nothing." +
        "\nIt uses the connection in the stack's configuration, completed by the environment; outside of a project, the one in" +
        "\nthe environment. It does not see the connection of a `Platform` in the program." +
        "\n\nExit codes: 0 everything is ok, 1 there is something to fix.",
    )
    .action(async () => run(options.parse(command.opts())));
}

async function run({ stack, cwd }: z.infer<typeof options>): Promise<void> {
  const target = { folder: resolve(cwd), environment: process.env };
  const findings = [
    ok("package", `pulumi-agent-platform ${version()}, Node.js ${process.versions.node}`),
    ...(await findingsOf(stack, target)),
  ];
  process.stdout.write(tableOf(findings, styleFor(process.stdout.isTTY, process.env)));
  if (findings.some(({ state }) => state === "fix")) process.exitCode = 1;
}

async function findingsOf(stack: string | undefined, target: Target): Promise<Finding[]> {
  const engine = await engineOf(target);
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
    ...(await connectionFindings(known, target)),
  ];
}

const inProject = async (project: Project, config: StackConfig, target: Target): Promise<Finding[]> => [
  sdkOf(project),
  await pluginOf(project, config, target),
];

async function connectionFindings(config: StackConfig, { environment }: Target): Promise<Finding[]> {
  const resolved = resolveConnection((setting) => config.get(configKey(setting)), environment);
  if ("problems" in resolved) return resolved.problems.map(({ reason }) => fix("connection", reason));
  return platformFindings(resolved.connection);
}
