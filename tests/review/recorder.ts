import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { connectionTo } from "../engine/on-emulator";
import { CliStack, ok, type Front } from "../support/cli-stack";
import { cliCommand } from "../support/cli-command";
import { folderOf, goldensOf } from "./goldens";
import { STORIES, type Story } from "./stories";

const FRONTS: readonly Front[] = ["dynamic", "native"];

/** Writes the reviews of what is recorded, without the engine. */
const FORMATS_ALONE = "--formats";

/** Plays stories (all if none is named) on the real engine, on both fronts, and writes their previews with the reviews of them. */
export async function record(args: readonly string[]): Promise<void> {
  const names = args.filter((name) => name !== FORMATS_ALONE);
  const chosen = Object.entries(STORIES).filter(([name]) => names.length === 0 || names.includes(name));
  if (chosen.length < names.length) throw new Error(`The stories are: ${Object.keys(STORIES).join(", ")}`);
  for (const [name, story] of chosen) {
    if (!args.includes(FORMATS_ALONE)) await recordPreviews(name, story);
    for (const [file, text] of goldensOf(name)) writeFileSync(join(folderOf(name), file), text);
    console.log(name);
  }
}

async function recordPreviews(name: string, story: Story): Promise<void> {
  const folder = folderOf(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const front of FRONTS) writeFileSync(join(folder, `${front}.ndjson`), await play(story, front));
}

async function play(story: Story, front: Front): Promise<string> {
  const emulator = await startEmulator({ buildSeconds: 0 });
  const stack = await CliStack.make(story.before ?? "", { front });
  try {
    await stack.configure(...connectionTo(emulator));
    if (story.before !== undefined) ok(await stack.up());
    stack.write(story.after);
    const file = join(stack.folder, "preview.ndjson");
    const { code, output } = await cliCommand(stack, "review", "--save", file, ...(story.args ?? []));
    if (!existsSync(file)) throw new Error(`${front}: exit code ${code}\n${output}`);
    return steady(readFileSync(file, "utf8"), stack.folder);
  } finally {
    stack.remove();
    await emulator.close();
  }
}

/** The text without what differs from run to run: ids, times, ports, folders. */
function steady(text: string, folder: string): string {
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`;
    ids.set(id, known);
    return known;
  };
  return text
    .replaceAll(folder, "/project")
    .replace(/\b(?!04da6b54-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered)
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00Z")
    .replace(/("(?:origin|keyMark|adoption)":)"[0-9a-f]+"/g, '$1"0"');
}
