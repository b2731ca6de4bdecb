import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { messageOf } from "../../provider/base/errors";
import { lines, type Target } from "../base/pulumi";
import { ok, skip, type Finding } from "./finding";
import type { CheckedProject } from "./project";

const START = "pulumi-agent-platform/start";

const Milliseconds = z.number().optional();
/** What a start is made of, each part in milliseconds. */
const Parts = z.object({
  node: z.number(),
  sdk: z.number(),
  typescript: Milliseconds,
  typecheck: Milliseconds,
  own: z.number(),
});

/** Measures what happens before the first line of a Node.js program. @param engineMs The duration of the engine's smallest command. */
export async function startOf(project: CheckedProject, engineMs: number, target: Target): Promise<Finding[]> {
  if (project.runtime !== "nodejs") return [];
  try {
    const { node, sdk, typescript, typecheck, own } = await measure(project, target);
    const found: readonly (readonly [what: string, ms: number | undefined])[] = [
      ["engine", engineMs],
      ["Node.js", node],
      ["Pulumi's SDK", sdk],
      ["TypeScript", typescript],
      ["this package", own],
      ["type check", typecheck],
    ];
    const named = found.flatMap(([what, ms]) => (ms === undefined ? [] : [`${what} ${inSeconds(ms)}`]));
    const total = found.reduce((sum, [, ms = 0]) => sum + ms, 0);
    const advice =
      typecheck === undefined
        ? ""
        : "; the type check, after each change of the program and in CI, is what " +
          `\`nodeargs: --require=${START}\` in Pulumi.yaml leaves to \`npm run typecheck\``;
    return [ok("start", `about ${inSeconds(total)} to the program's first line: ${named.join(", ")}${advice}`)];
  } catch (error) {
    return [skip("start", `not measured: ${lines(messageOf(error)).at(-1) ?? ""}`)];
  }
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 100 ? 2 : 1)} s`;

async function measure({ folder, option }: CheckedProject, { environment }: Target): Promise<z.infer<typeof Parts>> {
  // Only this one, because other nodeargs could run the project's code.
  const hasStart = (option("nodeargs") ?? "").split(" ").includes(`--require=${START}`);
  const before = hasStart ? ["--require", require.resolve(START)] : [];
  const tsconfig = join(folder, option("tsconfig") ?? "tsconfig.json");
  const given = option("typescript") === "false" ? [] : [join(folder, mainOf(folder)), tsconfig];
  const words = [...before, join(__dirname, "start-parts.js"), ...given];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, env: environment });
  return Parts.parse(JSON.parse(stdout));
}

/** The program's first file. */
function mainOf(folder: string): string {
  const about = z.object({ main: z.string().default("index.ts") });
  return about.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).main;
}
