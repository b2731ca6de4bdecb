import { createHmac, randomBytes } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Exchange, Layer } from "../../emulator/base/exchange";
import { CliError } from "../base/cli-error";
import { configKey, environmentName, type Setting, settingRow, SETTINGS } from "../../provider/base/settings";
import { shellWord } from "../../provider/base/shell";

const note = z.object({
  url: z.string(),
  contract: z.enum(["extended", "documented"]),
  /** Its absolute path; absent if the key came from an option or a variable. */
  keyFile: z.string().optional(),
  /** Proves who left the note; not an API key. */
  secret: z.string(),
});

/** The note of a running emulator for other terminals. */
export type RunningEmulator = z.infer<typeof note>;

const FOLDER = "agent-platform-emulator-";
const FILE = "emulator.json";

/** For any text after this path, the emulator answers with a digest that needs the note's secret. */
const PROOF = "/emulator-proof/";
const PROOF_HEADER = "x-emulator-proof";
/** A server that does not answer in time is not the emulator of the note. */
const ANSWER_MS = 10_000;
const proofOf = (secret: string, asked: string): string => createHmac("sha256", secret).update(asked).digest("hex");

/** The secret of an emulator's note, and the layer by which the emulator proves that the note is its own. */
export function provable(): { readonly secret: string; readonly layer: Layer } {
  const secret = randomBytes(32).toString("hex");
  const answerTo = (asked: string): Response =>
    new Response(null, { status: 204, headers: { [PROOF_HEADER]: proofOf(secret, asked) } });
  const beforeRoute = ({ url: { pathname } }: Exchange): Promise<Response | undefined> =>
    Promise.resolve(pathname.startsWith(PROOF) ? answerTo(pathname.slice(PROOF.length)) : undefined);
  return { secret, layer: { beforeRoute } };
}

/** Leaves a note for `--env`, without the key. @returns What removes it. */
export function leaveNote(port: number, running: RunningEmulator): () => void {
  try {
    // This emulator has the port now, so an older note for it comes from an emulator that was killed.
    for (const old of notes().filter((each) => each.port === port)) remove(old.folder);
    // mkdtemp: nobody else can write into the folder, or take its name before us.
    const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${port}-`));
    writeFileSync(join(folder, FILE), JSON.stringify(running), { mode: 0o600 });
    return () => remove(folder);
  } catch {
    // The emulator also runs if no temporary folder can be written, but then `--env` does not find it.
    return () => undefined;
  }
}

/** This user's emulator on that port, or without a port the only one that runs. Throws CliError if there is none, or more than one. */
export async function findRunning(port: number | undefined): Promise<RunningEmulator> {
  const candidates = notes();
  const ours = await Promise.all(candidates.map(isOurs));
  const running = candidates.filter((_each, at) => ours[at]);
  const meant = running.filter((each) => port === undefined || each.port === port);
  const [only, other] = meant;
  if (only !== undefined && other === undefined) return only.running;
  const ports = running.map((each) => each.port).join(", ");
  if (only !== undefined) throw new CliError(`--env: several emulators run: choose one with --port (${ports})`);
  const where = port === undefined ? "" : ` on port ${port}`;
  const others = ports === "" ? "" : ` (there are emulators on ${ports})`;
  const start = `pulumi-agent-platform emulator --port ${port ?? 8080}`;
  throw new CliError(`--env: no emulator of yours runs${where}${others}. Start one in another terminal: ${start}`);
}

interface Note {
  readonly folder: string;
  readonly port: number;
  readonly running: RunningEmulator;
}

/** The notes of this user. A shell runs lines made from them, so notes of other users are ignored. */
function notes(): Note[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    const port = Number(new RegExp(`^${FOLDER}(\\d{1,5})-`).exec(name)?.[1]);
    if (Number.isNaN(port)) return [];
    const folder = join(tmpdir(), name);
    try {
      const status = lstatSync(folder);
      if (!status.isDirectory() || status.uid !== (process.getuid?.() ?? status.uid)) return [];
      return [{ folder, port, running: note.parse(JSON.parse(readFileSync(join(folder, FILE), "utf8"))) }];
    } catch {
      // Its emulator is just starting or ending.
      return [];
    }
  });
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Whether the emulator of the note still answers: a killed one leaves its note behind, and another server may have its port. */
async function isOurs({ port, running: { secret } }: Note): Promise<boolean> {
  const asked = randomBytes(16).toString("hex");
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${PROOF}${asked}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    void answer.body?.cancel();
    return answer.headers.get(PROOF_HEADER) === proofOf(secret, asked);
  } catch {
    return false;
  }
}

/** The lines that connect a shell to an emulator and, as comments, those that connect a stack. If the key has a file, they read it from there. */
export function envLines({ url, contract, keyFile }: RunningEmulator): string {
  const values: [Setting, string][] = [
    ["baseUrl", url],
    ["contract", contract],
  ];
  const set = [...values.map(([setting]) => setting), ...(keyFile === undefined ? [] : ["apiKey"])];
  // Unset settings that belong to another address or key, such as a tenant.
  const others = SETTINGS.filter((each) => settingRow(each).decidedWith !== undefined && !set.includes(each));
  const [keyOfShell, keyOfStack] =
    keyFile === undefined
      ? [[], ""]
      : [[`export ${environmentName("apiKey")}="$(cat ${shellWord(keyFile)})"`], ` < ${shellWord(keyFile)}`];
  const lines = [
    `unset ${others.map(environmentName).join(" ")}`,
    ...values.map(([setting, value]) => `export ${environmentName(setting)}=${shellWord(value)}`),
    ...keyOfShell,
  ];
  const comments = [
    "For a stack:",
    ...values.map(([setting, value]) => `pulumi config set ${configKey(setting)} ${shellWord(value)}`),
    `pulumi config set --secret ${configKey("apiKey")}${keyOfStack}`,
  ];
  // A path may have line breaks: what follows one is a comment, too.
  return `${lines.join("\n")}\n# ${comments.join("\n").replaceAll("\n", "\n# ")}\n`;
}
