import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/base/version";
import { runCommand } from "../engine/command";
import { withProgress } from "../engine/ways";
import { writePlugins } from "./plugin";
import { sbomOf } from "./sbom";
import { packSdk, SDKS } from "./sdks";
import { writeSums, type ReleasePlace } from "./tree";

/** Makes all artefacts of a release in a folder, and replaces its contents. Gives back a sentence for each SDK that was not compiled here. */
export async function makeRelease(place: ReleasePlace, folder: string): Promise<readonly string[]> {
  const { checkout, env, log } = place;
  const changes = sectionOf(readFileSync(join(checkout, "CHANGELOG.md"), "utf8"), version());
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const step = <T>(what: string, work: () => Promise<T>): Promise<T> => withProgress(log, what, work);

  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", draft];
  await step("the npm package", () => runCommand({ file: "npm", args: pack, cwd: checkout, env, timeout: 300_000 }));
  const included = await step("the plugin", () => writePlugins(place, draft));
  const missing: string[] = [];
  for (const language of SDKS) {
    const why = await step(`the SDK for ${language}`, () => packSdk(place, language, join(draft, language)));
    if (why !== undefined) missing.push(`The SDK for ${language} is not compiled, only its sources are there: ${why}.`);
  }
  copyFileSync(join(checkout, "plugin", "schema.json"), join(draft, "schema.json"));
  writeFileSync(join(draft, "CHANGELOG.md"), changes);
  writeFileSync(join(draft, "sbom.cdx.json"), await step("the bill of materials", () => sbomOf(place, included)));
  writeSums(draft);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return missing;
}

/** The section of a version in the changelog. Throws where there is none. */
export function sectionOf(changelog: string, wanted: string): string {
  const heading = `## ${wanted}`;
  const section = changelog.split(/^(?=## )/m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${heading}": write what is new in it`);
  return `${section.trimEnd()}\n`;
}
