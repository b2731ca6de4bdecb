import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { messageOf } from "../../provider/base/errors";
import { NAMESPACE, PLUGIN_SETTING } from "../../provider/base/settings";
import { isAtLeast, packageFile, parseVersion, version } from "../../provider/base/version";
import { printedAs, lines, runPulumi, type Target } from "../base/pulumi";
import { projectFile, type StackConfig } from "../base/stack-config";
import { fix, ok, skip, type Finding } from "./finding";

/** A Pulumi project, as far as its Pulumi.yaml says what it needs. */
interface CheckedProject {
  readonly folder: string;
  readonly runtime: string;
  /** The folder of the native plugin, as `packages` or `plugins` names it. */
  readonly plugin: string | undefined;
}

/** The project of a folder or of one above it; undefined where there is none. */
export function projectAt(folder: string): CheckedProject | undefined {
  const file = projectFile(folder);
  if (file === undefined) return undefined;
  const text = readFileSync(file, "utf8");
  /** What stands below a key, to the next one. */
  const below = (key: string): string =>
    new RegExp(`^${key}:([^\\n]*(?:\\n(?![^\\s#])[^\\n]*)*)`, "m").exec(text)?.[1] ?? "";
  // A word, or the name in a block or in braces, whose keys come in any order.
  const [, runtime = ""] =
    /^[ \t]*["']?([\w-]+)["']?[ \t\r]*(?:#|\n|$)/.exec(below("runtime")) ??
    /[\s{,]name:\s*["']?([\w-]+)/.exec(below("runtime")) ??
    [];
  // In a block or in braces, with or without `source:`.
  const source = `\\s*(?:\\{\\s*)?(?:source:\\s*)?["']?([^\\s"',{}]+)`;
  const [, named] = new RegExp(`(?:^|[{,])[ \\t]*["']?${NAMESPACE}["']?:${source}`, "m").exec(below("packages")) ?? [];
  // The keys of an item come in any order.
  const isOurs = new RegExp(`^[ \\t]*name: ["']?${NAMESPACE}["']?[ \\t\\r]*$`, "m");
  const item = below("plugins")
    .split(/^[ \t]*- /m)
    .find((each) => isOurs.test(each));
  const [, listed] = /^[ \t]*path: ["']?([^\s"']+)/m.exec(item ?? "") ?? [];
  const plugin = named ?? listed;
  const root = dirname(file);
  return { folder: root, runtime, plugin: plugin === undefined ? undefined : resolve(root, plugin) };
}

/** The oldest engine and SDK that this package works with. */
function oldestPulumi(): string {
  const about = z.object({ peerDependencies: z.record(z.string(), z.string()) });
  const { peerDependencies } = about.parse(JSON.parse(readFileSync(packageFile(), "utf8")));
  return parseVersion(peerDependencies["@pulumi/pulumi"] ?? "") ?? "0";
}

/** Whether there is an engine, and a new enough one. */
export async function engineFinding(target: Target): Promise<Finding> {
  try {
    const { stdout, stderr } = await runPulumi(["version"], target);
    const found = parseVersion(stdout);
    if (found === undefined) return fix("engine", `\`pulumi version\` printed no version: ${lines(stderr).join(" ")}`);
    return isAtLeast(found, oldestPulumi())
      ? ok("engine", `pulumi ${found}`)
      : fix("engine", `pulumi ${found} is too old: install ${oldestPulumi()} or newer`);
  } catch (error) {
    return fix("engine", messageOf(error));
  }
}

/** The version of a package that a program in this folder gets. */
function installedIn(folder: string, name: string): string | undefined {
  try {
    const file = createRequire(join(folder, "package.json")).resolve(`${name}/package.json`);
    return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
  } catch {
    return undefined;
  }
}

/** Whether a TypeScript program finds Pulumi's SDK. */
export function sdkOf({ folder, runtime }: CheckedProject): Finding {
  if (runtime === "") return skip("SDK", NO_RUNTIME);
  if (runtime !== "nodejs") return skip("SDK", `runtime ${runtime} needs no Node.js SDK`);
  const found = installedIn(folder, "@pulumi/pulumi");
  if (found === undefined) return fix("SDK", "@pulumi/pulumi is not installed here: `npm install @pulumi/pulumi`");
  return isAtLeast(found, oldestPulumi())
    ? ok("SDK", `@pulumi/pulumi ${found}`)
    : fix("SDK", `@pulumi/pulumi ${found} is too old: \`npm install @pulumi/pulumi\` for ${oldestPulumi()} or newer`);
}

const NO_RUNTIME = "no runtime was found in Pulumi.yaml";
const UNKNOWN = "the stack's configuration, which chooses the plugin, was not read";

/** Whether the engine finds this provider's plugin, of the kind that the stack uses. */
export async function pluginOf(
  { folder, runtime, plugin }: CheckedProject,
  config: StackConfig | undefined,
  target: Target,
): Promise<Finding> {
  if (runtime === "") return skip("plugin", NO_RUNTIME);
  const front = config?.get(`${NAMESPACE}:${PLUGIN_SETTING}`) || "dynamic";
  if (front === "native" || runtime !== "nodejs") return plugin === undefined ? bundle(target) : nativePlugin(plugin);
  if (front !== "dynamic") return fix("plugin", `${NAMESPACE}:${PLUGIN_SETTING} is "${front}": set dynamic or native`);
  const found = installedIn(folder, "pulumi-agent-platform");
  if (found === undefined)
    return fix("plugin", "pulumi-agent-platform is not installed here: `npm install pulumi-agent-platform`");
  const own = `pulumi-agent-platform ${found}`;
  return found === version()
    ? ok("plugin", config === undefined ? `${own} (${UNKNOWN})` : `dynamic resources, ${own}`)
    : fix("plugin", `the project has ${own}, and this command is ${version()}: use the project's`);
}

const Plugins = z.array(z.looseObject({ name: z.string(), kind: z.string(), version: z.string().optional() }));

/** The native plugin where Pulumi.yaml names none: the bundle that `pulumi plugin install` has put among the engine's plugins. */
async function bundle(target: Target): Promise<Finding> {
  const missing = fix(
    "plugin",
    "Pulumi.yaml names no native plugin, and none is installed. Add " +
      "`packages: { agent-platform: ./node_modules/pulumi-agent-platform/plugin }`, or install its bundle with `pulumi plugin install`",
  );
  const plugins = await printedAs(Plugins, ["plugin", "ls"], target).catch(() => []);
  const ours = plugins.filter(({ name, kind }) => name === NAMESPACE && kind === "resource");
  if (ours.length === 0) return missing;
  return ok("plugin", `native, installed: ${ours.map(({ version: installed = "?" }) => installed).join(", ")}`);
}

function nativePlugin(plugin: string): Finding {
  const file = join(plugin, "PulumiPlugin.yaml");
  return existsSync(file)
    ? ok("plugin", `native, ${plugin}`)
    : fix("plugin", `Pulumi.yaml names the native plugin ${plugin}, which does not exist: run \`npm install\` first`);
}
