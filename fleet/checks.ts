import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CliError } from "../cli/base/cli-error";
import { lines, shownReasons } from "../cli/base/pulumi";
import { shortText } from "../cli/base/printable";
import { inParallel } from "../cli/base/stacks";
import { leniently } from "../provider/base/errors";
import { safeText } from "../provider/base/masker";
import { someOf } from "../provider/base/plain-text";
import { projectIn, type FleetStack } from "./plan";
import { environmentOfPrograms } from "./process";

/** Refuses stacks whose secrets need a passphrase that this process does not have. */
export function checkPassphrases(stacks: readonly FleetStack[], root: string): void {
  const { PULUMI_CONFIG_PASSPHRASE: phrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = process.env;
  if (phrase !== undefined || file !== undefined) return;
  const closed = stacks.filter(({ folder, id }) => {
    const path = join(root, folder, `Pulumi.${basename(id)}.yaml`);
    return existsSync(path) && /^encryptionsalt:/m.test(readFileSync(path, "utf8"));
  });
  if (closed.length > 0)
    throw new CliError(
      `the passphrase is missing of ${someOf(closed.map(({ id }) => id))}: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE`,
    );
}

/** Refuses programs that do not compile, each project once: TypeScript by the project's own compiler, if it has one, and Python by its own. */
export async function checkPrograms(stacks: readonly FleetStack[], root: string, most: number): Promise<void> {
  const folders = [...new Set(stacks.map(({ folder }) => folder))];
  const problems = await inParallel(folders, most, (folder) => problemOf(join(root, folder), root));
  const wrong = folders.flatMap((folder, at) => (problems[at] === undefined ? [] : `${folder}: ${problems[at]}`));
  if (wrong.length > 0) throw new CliError(`a program does not compile${shownReasons(wrong)}`);
}

async function problemOf(folder: string, root: string): Promise<string | undefined> {
  const { main, runtime } = projectIn(folder, root);
  const { name, options: { typescript = true, virtualenv = ".venv" } = {} } = runtime;
  if (name === "python") {
    const own = join(folder, virtualenv, "bin", "python");
    const entry = statSync(join(folder, main)).isDirectory() ? join(main, "__main__.py") : main;
    return (await saidBy(existsSync(own) ? own : "python3", ["-c", COMPILE, entry], folder)).at(-1);
  }
  const isChecked = typescript && process.env["PULUMI_NODEJS_TRANSPILE_ONLY"] !== "true";
  if (name !== "nodejs" || !isChecked || !existsSync(join(folder, "tsconfig.json"))) return undefined;
  const tsc = leniently(() => require.resolve("typescript/bin/tsc", { paths: [folder] }));
  const said = tsc === undefined ? [] : await saidBy(process.execPath, [tsc, "--noEmit", "--pretty", "false"], folder);
  return said.find((line) => /(^|\s)error TS\d+: /.test(line));
}

/** What `py_compile` does, without a file in the project. */
const COMPILE = `import sys
try: compile(open(sys.argv[1], "rb").read(), sys.argv[1], "exec")
except SyntaxError as e: sys.exit(f"{sys.argv[1]}:{e.lineno}: {e.msg}")`;

/** What a compiler says; nothing if it is content, or is not here. */
const saidBy = (command: string, args: readonly string[], cwd: string): Promise<string[]> =>
  new Promise((resolve) => {
    const options = { cwd, env: environmentOfPrograms(), maxBuffer: 64 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const isOurs = error !== null && error.code !== "ENOENT";
      resolve(isOurs ? lines(safeText(stdout + stderr)).map((line) => shortText(line, 300)) : []);
    });
  });
