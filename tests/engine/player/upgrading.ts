import { isDeepStrictEqual } from "node:util";
import { CHANGES } from "../../support/cli-stack";
import { triedBy } from "../../upgrade/engine-changes";
import { withoutKnown } from "../../upgrade/known-differences";
import { currentVersion, packageVersion } from "../../upgrade/recorded";
import { Broken, type Play } from "./play";
import { programText } from "./program";
import { see } from "./state";

/**
 * This version of the package takes over. Its first preview of the unchanged program shows what the last one of the earlier version did, but for
 * what the changelog names.
 */
export async function takeOver(play: Play): Promise<void> {
  const { stack, platform } = play;
  const version = currentVersion();
  stack.write(programText(play.program));
  const before = await previewed(play);
  wasAskedBy(play);
  stack.install(version);
  play.version = version;
  const given = see(stack, platform).rows.filter((row) => row["deletedWith"] !== undefined);
  play.model.goesWith = new Set(given.map(({ urn }) => urn));
  play.tell(`  VERSION ${version} takes over`);
  const sent = platform.last;
  const after = await previewed(play);
  const writes = platform.writesSince(sent);
  if (writes.length > 0) throw new Broken("lookingSendsNothing", writes.map(({ method, path }) => `${method} ${path}`)); // prettier-ignore
  if (!isDeepStrictEqual(before, after)) {
    const [was, is] = [before, after].map((each) => JSON.stringify(each));
    throw new Broken("takingOverShowsNothing", [`the preview before: ${was ?? ""}`, `after it: ${is ?? ""}`]);
  }
}

/** Every request since the last look was the installed version's. */
export function wasAskedBy({ platform, version }: Play): void {
  const asking = [...platform.askedBy];
  const number = version === currentVersion() ? packageVersion() : version;
  if (asking.some((each) => each !== `pulumi-agent-platform/${number}`))
    throw new Broken("theInstalledVersionAsks", asking);
  platform.askedBy.clear();
}

async function previewed(play: Play): Promise<unknown> {
  const { code, changes, messages } = await triedBy(play.stack, "preview");
  play.tell(`  $ pulumi preview  -> exit code ${code}: ${JSON.stringify(changes)}`);
  for (const message of messages) play.tell(`      ${message}`);
  return { fails: code !== 0 && code !== CHANGES, changes: withoutKnown(changes) };
}
