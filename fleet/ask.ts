import { existsSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { CliError, wrongUsage } from "../cli/base/cli-error";
import { safeText } from "../provider/base/masker";
import { shellWord } from "../provider/base/shell";
import { openEmbedded, openPostgres, type Database } from "./database";
import { folderOf } from "./file";
import { idleText, placeText, REPORT_FORMATS, reportOf } from "./report";
import { aliveIn, approvalOf, rowsOf, runOf, wordsOf, type Run } from "./runs";
import { forgetValues } from "./seal";

/** What every command is given. */
export interface Given {
  readonly file: string;
  /** The address of a Postgres; undefined for the embedded one. */
  readonly database?: string | undefined;
}

/** Where the fleet's file is, unless something else is given. */
export const FLEET_FILE = "fleet.yaml";

/** A command line for people to run, for the same file and database. */
export function lineFor({ file, database }: Given, ...words: string[]): string {
  const isKnown = database === undefined || database === process.env["FLEET_DATABASE_URL"];
  return lineOf([
    ...words,
    ...(file === FLEET_FILE ? [] : ["--file", file]),
    ...(isKnown ? [] : ["--database", database]),
  ]);
}

/** A command line of these words; an address is shown without its password. */
export const lineOf = (words: readonly string[]): string =>
  safeText(["agent-platform-fleet", ...words.map(shellWord)].join(" "));

/** The command line that goes on with a run, for people to run. */
export const nextFor = (given: Given, { plan }: Pick<Run, "plan">): string => lineFor(given, ...wordsOf(plan));

/** Opens the database for as long as `act` takes. */
export async function inDatabase(
  given: Given,
  isToWork: boolean,
  act: (database: Database) => Promise<void>,
): Promise<void> {
  const { file, database: url } = given;
  // Beside a mistyped one there is a new database, without a run; and a worker finds no stack there.
  if ((url === undefined || isToWork) && !existsSync(file))
    throw wrongUsage(`${file} does not exist: name the fleet's file with --file`);
  const folder = join(folderOf(file), ".state", "fleet", "database");
  const database = await (url === undefined ? openEmbedded(folder, isToWork) : openPostgres(url));
  await act(database).finally(() => database.close());
}

/** Prints what is to be said about the newest run. */
const ask = (given: Given, act: (run: Run, database: Database) => Promise<string>): Promise<void> =>
  inDatabase(given, false, async (database) => {
    const run = await runOf(database.client);
    if (run === undefined) throw new CliError("there is no run yet: start one with `up`");
    process.stdout.write(await act(run, database));
  });

/** Shows the newest run. */
export const status = (given: Given, format: keyof typeof REPORT_FORMATS): Promise<void> =>
  ask(given, async (run, database) => {
    const { length: workers } = await aliveIn(database.pool);
    const rows = await rowsOf(database, run, folderOf(given.file));
    return REPORT_FORMATS[format](reportOf(run, rows, workers, nextFor(given, run)));
  });

/** In a container, a user can have a number alone. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** Opens the gate that the newest run waits at. */
export const approve = (given: Given, wave?: string): Promise<void> =>
  ask(given, async (run, { client, pool }) => {
    refuseEnded(run);
    const { id, at } = run;
    if (at?.gate !== "approve") throw new CliError(`${id} waits for no approval: it is at ${placeText(at)}`);
    if ((wave ?? at.wave) !== at.wave)
      throw new CliError(`${id} waits for the approval of ${at.wave}, not of ${wave ?? ""}`);
    await client.send(id, `${userName()}@${hostname()}`, approvalOf(at.wave));
    const { length: workers } = await aliveIn(pool);
    return `${id}: the gate of ${at.wave} is approved${idleText(workers, nextFor(given, run))}\n`;
  });

/** Ends the newest run when what runs now has ended. */
export const cancel = (given: Given): Promise<void> =>
  ask(given, async (run, database) => {
    refuseEnded(run);
    const { id } = run;
    const { client } = database;
    await database.alone(async () => {
      await client.cancelWorkflow(id);
      const queued = await client.listWorkflows({ parentWorkflowID: id, status: "ENQUEUED", loadInput: false });
      await client.cancelWorkflows(queued.map(({ workflowID }) => workflowID));
      await forgetValues({ database, root: folderOf(given.file) });
    });
    return `${id}: cancelled; what runs now ends, the rest stays untouched\n`;
  });

function refuseEnded({ id, ended, verdict }: Run): void {
  if (ended !== null) throw new CliError(`${id} has ended: ${verdict ?? ""}`);
}
