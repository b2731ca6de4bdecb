import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { RESOURCE_TYPES, dynamicToken, nativeToken } from "../../provider/resources/resource-types";
import { CliStack, type Front } from "../support/cli-stack";
import { asAgent, keepAgent, startAgent } from "./agent";
import { packVersion } from "./package";
import { PASSPHRASE, PLATFORM, TENANT } from "./platform";
import { currentVersion, DRAFT, FILES, folderOf, packageVersion, STATES, usePassphrase } from "./recorded";
import { resourcesOf } from "./state-file";
import { STORIES, type Story } from "./stories";

const FRONTS: readonly Front[] = ["dynamic", "native"];

/** Writes a state of every story and front by the version of this checkout. Throws where there are states of it, unless `again`. */
export async function writeStates({ again }: { again: boolean }): Promise<void> {
  const version = packageVersion();
  const target = join(STATES, version);
  if (existsSync(target)) refuseRewriting(version, currentVersion(), again);
  // All or nothing.
  const draft = mkdtempSync(join(STATES, DRAFT));
  try {
    for (const [name, story] of Object.entries(STORIES)) {
      for (const front of FRONTS) {
        await writeStory(name, story, front, join(draft, folderOf(name, front)));
        console.log(`${version}/${folderOf(name, front)}`);
      }
    }
    requireEveryKind(draft);
    packVersion(join(__dirname, "..", ".."), join(draft, FILES.package));
    format(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
    chmodSync(target, 0o755);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Throws unless the states that a version has may be written anew. @param current The version of this checkout. */
export function refuseRewriting(version: string, current: string, again: boolean): void {
  const rule = `There are states of ${version} already, and those of a released version are never rewritten: `;
  if (version !== current)
    throw new Error(
      `${rule}the changelog has a section "Unreleased", so ${version} is released. The release of what is new here writes its states.`,
    );
  if (!again)
    throw new Error(`${rule}give package.json its next version first. If this one is not released yet: --again.`);
}

/** Throws where a kind has no resource in any story of the folder. */
function requireEveryKind(folder: string): void {
  const folders = Object.keys(STORIES).flatMap((name) => FRONTS.map((front) => join(folder, folderOf(name, front))));
  const states = folders.map((each) => readFileSync(join(each, FILES.state), "utf8"));
  const types = new Set(states.flatMap((state) => resourcesOf(state).map(({ type }) => type)));
  const missing = RESOURCE_TYPES.filter((kind) => !types.has(dynamicToken(kind)) || !types.has(nativeToken(kind)));
  if (missing.length === 0) return;
  throw new Error(`No program has a ${missing.join(" or a ")}: add it to a program in tests/upgrade/stories`);
}

async function writeStory(name: string, story: Story, front: Front, folder: string): Promise<void> {
  const source = join(__dirname, "stories", name);
  mkdirSync(folder, { recursive: true });
  const agent = story.hasAgent && (await startAgent(join(folder, FILES.agent)));
  const dataFile = join(folder, FILES.platform);
  const emulator = await startEmulator({ ...PLATFORM, ...asAgent(agent), ...story.platform, dataFile });
  const stack = await CliStack.make(readFileSync(join(source, FILES.program), "utf8"), { front });
  try {
    usePassphrase(stack, PASSPHRASE);
    await stack.configure(
      { "agent-platform:baseUrl": emulator.url, ...story.settings },
      { "agent-platform:apiKey": TENANT.apiKey, ...story.secrets },
    );
    await story.write(stack, emulator);
    const { stdout } = await stack.succeed("stack", "export");
    writeFileSync(join(folder, FILES.state), stdout);
    if (agent) keepAgent(agent, join(folder, FILES.agent));
    copyFileSync(join(stack.folder, FILES.settings), join(folder, FILES.settings));
    // The native plugin shows the same (recorded.ts).
    const expected = join(source, FILES.expected);
    if (front === "dynamic" && existsSync(expected)) copyFileSync(expected, join(folder, FILES.expected));
  } finally {
    stack.remove();
    await emulator.close();
    await agent?.close();
  }
}

function format(folder: string): void {
  const prettier = join(require.resolve("prettier/package.json"), "../bin/prettier.cjs");
  const { status, stderr } = spawnSync(process.execPath, [prettier, "--write", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`prettier failed on ${folder}:\n${stderr}`);
}
