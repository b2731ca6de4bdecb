import { cpSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { messageOf } from "../../provider/base/errors";
import { ensureEngine } from "../engine";
import { run, type ChildOptions, type Finished } from "../try/child";
import type { Workplace } from "../engine/ways";
import { clientEnvironment, NEWEST, plainEnvironment, testEnvironment } from "./environment";
import { startPlatforms, type Platforms } from "./platforms";
import type { Python } from "./python";

/** Whose tests a process of pytest runs: tests/official/conftest.py. */
const PARTS = ["clients", "agents", NEWEST];
/** The agents that are servers of their own. Those of one folder would share a database. */
const OWN_AGENTS = ["own-agent", "kept-agent", "rolled-agent"];

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
    platforms = await startPlatforms(place.env, cli, room, { folders, env: withServer });
    const env = { ...tested, ...platforms.env, ...(await engineFor(wanted, room)) };
    const flags = ["-m", "pytest", "-c", "tests/official/pytest.ini", "--rootdir", "."];
    const play = (part: string): Promise<Finished> => {
      const own = { ...env, OFFICIAL_PART: part, ...(part === NEWEST && { PYTHONPATH: join(folder, NEWEST) }) };
      // pytest would keep the temporary folders of its last three runs.
      const all = [...flags, "--basetemp", join(room, part), ...args];
      return run(join(folder, "bin", "python"), all, { cwd: checkout, env: own, output });
    };
    // All at once, since they mostly wait; one after the other where somebody looks on.
    if (output === "collect") return joined(await Promise.all(PARTS.map(play)));
    const ended: Finished[] = [];
    for (const part of PARTS) ended.push(await play(part));
    return joined(ended);
  } finally {
    await platforms?.stop();
    rmSync(room, { recursive: true, force: true });
  }
}

/** How pytest ends where it found no test, as with `-k` of what another part has. */
const NO_TEST = 5;

/** All parts as one: failed if one has. */
function joined(parts: readonly Finished[]): Finished {
  const codes = parts.map(({ code }) => code).filter((code) => code !== NO_TEST);
  const code = codes.length === 0 ? NO_TEST : (codes.find((each) => each !== 0) ?? 0);
  const all = (of: "stdout" | "stderr"): string => parts.map((part) => part[of]).join("");
  return { code, stdout: all("stdout"), stderr: all("stderr") };
}

/** What the tests need that run programs: the engine, the native plugin, and a folder from which both find this package. */
async function engineFor({ checkout, log }: OfficialRun, room: string): Promise<NodeJS.ProcessEnv> {
  const place = { OFFICIAL_ROOM: room, OFFICIAL_PLUGIN: join(checkout, "plugin") };
  try {
    return { ...place, OFFICIAL_ENGINE_BIN: (await ensureEngine()).bin };
  } catch (error) {
    log(`There is no Pulumi engine, so the tests on it are skipped: ${messageOf(error)}`);
    return place;
  }
}
