import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { currentVersion, FILES, STATES, versions } from "./recorded";

const CHECKOUT = join(__dirname, "..", "..");
const Package = z.looseObject({ name: z.string(), version: z.string() });

/** What the engine needs of a package: the classes, the provider of dynamic resources, and the plugin. */
const PARTS = ["dist/sdk", "dist/provider", "plugin"];
const isRead = (path: string): boolean => !/\.(d\.ts|map)$/.test(path);

/**
 * Packs those parts of a checkout that is built, with `npm pack`, which gives every file the same date: the same code makes the same
 * bytes.
 */
export function packVersion(checkout: string, file: string): void {
  const {
    scripts: _scripts,
    files: _files,
    workspaces: _workspaces,
    ...about
  } = Package.parse(JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")));
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-pack-"));
  try {
    for (const part of PARTS) cpSync(join(checkout, part), join(folder, part), { recursive: true, filter: isRead });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...about, files: PARTS }));
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts"], { cwd: folder });
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(folder, `${about.name}-${about.version}.tgz`), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The versions whose package is recorded, but for that of this checkout. */
export const earlierVersions = (): string[] => versions().filter((version) => version !== currentVersion());

const Schema = z.object({ resources: z.record(z.string(), z.unknown()) });
/** The kinds that an earlier version has, by the schema in its package. */
export function kindsOf(version: string): string[] {
  const args = ["-xzOf", join(STATES, version, FILES.package), "package/plugin/schema.json"];
  const schema = Schema.parse(JSON.parse(execFileSync("tar", args, { encoding: "utf8", maxBuffer: 2 ** 26 })));
  return Object.keys(schema.resources).map((token) => token.split(":").at(-1) ?? "");
}

/** Puts a version into the node_modules of a project, as `npm install` does. What it requires is that of this checkout, above it. */
export function installInto(folder: string, version: string): void {
  const place = join(folder, "node_modules", "pulumi-agent-platform");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  if (version === currentVersion()) symlinkSync(CHECKOUT, place);
  else unpack(version, place);
}

function unpack(version: string, place: string): void {
  const file = join(STATES, version, FILES.package);
  if (!existsSync(file)) throw new Error(`the package of ${version} is not recorded: tests/upgrade/README.md`);
  execFileSync("tar", ["-xzf", file, "-C", dirname(place)]);
  renameSync(join(dirname(place), "package"), place);
}
