import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ManualClock, startEmulator, type Emulator } from "../../emulator";
import { CHANGES, CliStack } from "../support/cli-stack";
import { ProgramHost } from "../support/kept-host";
import { newFolder } from "../support/new-folder";
import { describeWithEngine } from "../support/with-engine";
import { asAgent } from "./agent";
import { shownBy, type Shown } from "./engine-changes";
import { withoutKnown } from "./known-differences";
import { PASSPHRASE, PLATFORM } from "./platform";
import { FILES, Recorded, usePassphrase, type Changes } from "./recorded";
import { resourcesOf } from "./state-file";

const Exported = z.object({ deployment: z.unknown() });
const host = new ProgramHost();
/** What the stacks are copied from: to make one, and to import a state, takes two commands more. */
let blank: CliStack | undefined;
afterAll(() => {
  host.stop();
  blank?.remove();
});

/** A stack with the story's program, settings and state, which its next commands take to the native plugin. */
async function imported(recorded: Recorded, url: string): Promise<CliStack> {
  const stack = new CliStack((blank ??= await CliStack.make("", { front: "native" })).twin());
  stack.write(recorded.read("program"));
  stack.host = host;
  usePassphrase(stack, PASSPHRASE);
  writeFileSync(join(stack.folder, FILES.settings), recorded.at(url, "settings"));
  const { deployment: latest } = Exported.parse(JSON.parse(recorded.at(url, "state")));
  stack.putState(JSON.stringify({ version: 3, checkpoint: { latest } }));
  return stack;
}

// The engine does not count a change of the stack's outputs (one may be secret now that was not).
const shows = (changes: Changes): Shown => ({
  code: Object.values(changes).every((change) => change.startsWith("same ")) ? 0 : CHANGES,
  changes,
  messages: [],
});
const methods = ({ requests }: Emulator): string[] => [...new Set(requests.map(({ method }) => method))];

/** A stack that moves reads what is only read anew, and declares its connections anew; types are in the values of two properties. */
function withoutPlugins(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(withoutKnown(changes))
      .filter(([resource, change]) => !/^(agent-platform|Platform) /.test(resource) && !/^(discard|read)/.test(change))
      .map(([resource, change]) => [resource, change.replace(" __provider", "")]),
  );
}

/** What the native plugin shows: a preview, and where it has written the state, a refresh. */
async function previewAndRefresh(recorded: Recorded): Promise<void> {
  const folder = newFolder();
  const dataFile = join(folder, FILES.platform);
  recorded.copyPlatform(dataFile);
  // By its clock every revision has long ended.
  const agent = await recorded.startAgent();
  const emulator = await startEmulator({ ...PLATFORM, ...asAgent(agent), dataFile, clock: new ManualClock() });
  let stack: CliStack | undefined;
  try {
    stack = await imported(recorded, emulator.url);
    const previewed = await shownBy(stack, "preview");
    if (recorded.front !== "native") {
      expect(previewed.messages).toEqual([]);
      expect(withoutPlugins(previewed.changes)).toEqual(withoutPlugins(recorded.expected.preview));
      return;
    }
    expect({ ...previewed, changes: withoutKnown(previewed.changes) }).toEqual(
      shows(withoutKnown(recorded.expected.preview)),
    );
    const reads = resourcesOf(recorded.read("state")).some(({ external }) => external);
    expect(methods(emulator)).toEqual(reads ? ["GET"] : []);
    const refreshed = await shownBy(stack, "refresh", "--preview-only");
    const { changes, messages } = { ...refreshed, changes: withoutKnown(refreshed.changes) };
    expect({ changes, messages }).toEqual({ changes: withoutKnown(recorded.expected.refresh), messages: [] });
    expect(methods(emulator)).toEqual(["GET"]);
  } finally {
    stack?.remove();
    await emulator.close();
    await agent?.close();
  }
}

const earlier = Recorded.all().filter(({ isCurrent }) => !isCurrent);

// What dynamic resources show of their own states: handlers.test.ts and player.both.test.ts.
describeWithEngine("on the engine, a state that an earlier version has written", () => {
  test.each(earlier.map((recorded) => [recorded.name, recorded] as const))(
    "%s shows the same on the native plugin as when it was written",
    (_name, recorded) => previewAndRefresh(recorded),
  );
});
