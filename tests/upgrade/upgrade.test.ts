import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock, startEmulator, type Emulator } from "../../emulator";
import { CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { CHANGES, shownBy, type Shown } from "./engine-changes";
import { PASSPHRASE, PLATFORM } from "./platform";
import { FILES, Recorded, usePassphrase, type Changes } from "./recorded";
import { resourcesOf } from "./state-file";

/** A stack with the story's program, settings and state. */
async function imported(recorded: Recorded, url: string): Promise<CliStack> {
  const stack = await CliStack.make(recorded.read("program"));
  usePassphrase(stack, PASSPHRASE);
  writeFileSync(join(stack.folder, FILES.settings), recorded.at(url, "settings"));
  writeFileSync(join(stack.folder, FILES.state), recorded.at(url, "state"));
  await stack.succeed("stack", "import", "--file", FILES.state);
  return stack;
}

// The engine does not count a change of the stack's outputs (one may be secret now that was not).
const shows = (changes: Changes): Shown => ({
  code: Object.values(changes).every((change) => change.startsWith("same ")) ? 0 : CHANGES,
  changes,
  messages: [],
});
const methods = ({ requests }: Emulator): string[] => [...new Set(requests.map(({ method }) => method))];

/** An object that is only read has everything that is answered, and the platform of today answers more than that of the 0.1.0 states. */
function withoutNewAnswers(shown: Shown): Shown {
  const changes = Object.entries(shown.changes);
  const isOnlyThat = changes.length === 1 && changes[0]?.[0] === "Deployment read-agent";
  return isOnlyThat ? { ...shown, changes: {}, code: 0 } : shown;
}

async function previewAndRefresh(recorded: Recorded): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  const dataFile = join(folder, FILES.platform);
  recorded.copyPlatform(dataFile);
  // By its clock every revision has long ended.
  const emulator = await startEmulator({ ...PLATFORM, dataFile, clock: new ManualClock() });
  let stack: CliStack | undefined;
  try {
    stack = await imported(recorded, emulator.url);
    expect(await shownBy(stack, "preview")).toEqual(shows(recorded.expected.preview));
    const reads = resourcesOf(recorded.read("state")).some(({ external }) => external);
    expect(methods(emulator)).toEqual(reads ? ["GET"] : []);
    const refreshed = await shownBy(stack, "refresh", "--preview-only");
    expect(withoutNewAnswers(refreshed)).toEqual(shows(recorded.expected.refresh));
    expect(methods(emulator)).toEqual(["GET"]);
  } finally {
    stack?.remove();
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

describeWithEngine("on the engine, a state that an earlier version has written", () => {
  // At the same time, since an engine mostly waits for its own processes to start.
  test.concurrent.each(Recorded.all().map((recorded) => [recorded.name, recorded] as const))(
    "%s shows the same in preview and refresh as when it was written",
    (_name, recorded) => previewAndRefresh(recorded),
    240_000,
  );
});
