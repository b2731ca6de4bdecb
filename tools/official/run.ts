import { cpSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureEngine } from "../engine";
import { reasonOf } from "../engine/command";
import { run, type ChildOptions, type Finished } from "../try/child";
import type { Workplace } from "../engine/ways";
import { clientEnvironment, NEWEST, plainEnvironment, testEnvironment } from "./environment";
import { startPlatforms, type Platforms } from "./platforms";
import type { Python } from "./python";

/** The agents that are servers of their own. Those of one folder would share a database. */
const OWN_AGENTS = ["own-agent", "kept-agent", "rolled-agent"];

/** What to run, and how. */
export interface OfficialRun extends Omit<Workplace, "env"> {
  /** The compiled cli/main.js, which serves the emulators. */
  readonly cli: string;
  readonly python: Python;
  readonly output: ChildOptions["output"];
  /** More arguments of pytest, such as `-k templates`. @default none */
  readonly args?: readonly string[];
}

/** Runs tests/official against emulators of its own, with pytest. Rejects where the clients cannot be installed or an emulator cannot start. */
export async function runOfficialClients(wanted: OfficialRun): Promise<Finished> {
  const { checkout, cli, python, log, output, args = [] } = wanted;
  const place: Workplace = { checkout, env: plainEnvironment(process.env), log };
  const folder = await clientEnvironment(place, python);
  const room = join(checkout, ".state", "official", `run-${process.pid}`);
  const folders = Object.fromEntries(OWN_AGENTS.map((name) => [name, join(room, name)]));
  let platforms: Platforms | undefined;
  try {
    for (const own of Object.values(folders)) {
      cpSync(join(checkout, "tests", "official", "own_agent"), own, { recursive: true });
    }
    const tested = testEnvironment(place.env, folder);
    const withServer = { ...tested, PATH: [join(folder, "bin"), tested["PATH"]].join(delimiter) };
    platforms = await startPlatforms(place, cli, { folders, env: withServer });
    const env = { ...tested, ...platforms.env, ...(await engineFor(wanted, room)) };
    const newest = { ...env, OFFICIAL_NEWEST: "1", PYTHONPATH: join(folder, NEWEST) };
    const flags = ["-m", "pytest", "-c", "tests/official/pytest.ini", "--rootdir", "."];
    // pytest would keep the temporary folders of its last three runs.
    const temporary = ["--basetemp", join(room, "tmp")];
    const python3 = join(folder, "bin", "python");
    const all = [...flags, ...temporary, ...args];
    const first = await run(python3, all, { cwd: checkout, env, output });
    return joined(first, await run(python3, all, { cwd: checkout, env: newest, output }));
  } finally {
    await platforms?.stop();
    rmSync(room, { recursive: true, force: true });
  }
}

/** How pytest ends where it found no test, as with `-k` of what the other run has. */
const NO_TEST = 5;

/** Both runs as one: failed if one has. */
function joined(one: Finished, other: Finished): Finished {
  const isWorse = other.code !== NO_TEST && (one.code === 0 || one.code === NO_TEST);
  const { code } = isWorse ? other : one;
  return { ...other, code, stdout: one.stdout + other.stdout, stderr: one.stderr + other.stderr };
}

/** What the tests need that run programs: the engine, the native plugin, and a folder from which both find this package. */
async function engineFor({ checkout, log }: OfficialRun, room: string): Promise<NodeJS.ProcessEnv> {
  const place = { OFFICIAL_ROOM: room, OFFICIAL_PLUGIN: join(checkout, "plugin") };
  try {
    return { ...place, OFFICIAL_ENGINE_BIN: (await ensureEngine()).bin };
  } catch (error) {
    log(`There is no Pulumi engine, so the tests on it are skipped: ${reasonOf(error)}`);
    return place;
  }
}
