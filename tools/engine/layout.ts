import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { packageFile } from "../../provider/base/version";

/** The engine that is downloaded or built: the newest whose SDK supports Node 20. */
export const ENGINE_VERSION = "3.246.0";
/** The oldest engine of the user's own that is taken. */
export const OLDEST_ENGINE = "3.216.0";
/** The oldest Go that builds the engine, as its go.mod demands. */
export const OLDEST_GO = "1.25.8";

/** The YAML language host that is built: the newest that the Go module proxy has whole. It works beside that engine. */
export const YAML_VERSION = "1.38.3";
/** The oldest Go that builds it, as yaml/go.mod demands. */
export const OLDEST_GO_FOR_YAML = "1.25.11";

/** The repository's root, seen from sources and from compiled code in dist alike. */
export const findCheckout = (): string => dirname(packageFile());

/** The folder of the installed @pulumi/pulumi that a checkout resolves to. */
export function pulumiPackage(checkout: string): string {
  return dirname(createRequire(join(checkout, "package.json")).resolve("@pulumi/pulumi/package.json"));
}

const packageSchema = z.object({ version: z.string() });

/** Where all checkouts of this user keep what they have built. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_CACHE_HOME;
  // A relative path there is invalid and to be ignored (XDG Base Directory Specification).
  const base = given !== undefined && isAbsolute(given) ? given : join(env.HOME ?? homedir(), ".cache");
  return join(base, "pulumi-agent-platform", "engine");
}

/** The folder of something in there, which appears whole or not at all. @param parts What it is made from. */
export function cacheEntry(env: NodeJS.ProcessEnv, name: string, ...parts: readonly (string | Buffer)[]): string {
  const sum = createHash("sha256").update(name);
  for (const part of parts) sum.update("\0").update(part);
  return join(cacheFolder(env), [name, process.platform, process.arch, sum.digest("hex").slice(0, 12)].join("-"));
}

/** Where things are: the checkout with its sources, and this engine's place in the cache. */
export type Layout = Readonly<ReturnType<typeof layoutFor>>;

/** Reads the sources and says where their engine belongs. Changed sources make another folder, so no engine is stale. */
export function layoutFor(env: NodeJS.ProcessEnv, checkout: string) {
  const sources = join(checkout, "tools", "engine");
  const read = (name: string): Buffer => readFileSync(join(sources, name));
  const pulumi = pulumiPackage(checkout);
  const entry = cacheEntry(
    env,
    ENGINE_VERSION,
    read("go.mod"),
    read("go.sum"),
    read("language-host.js"),
    readFileSync(join(pulumi, "pulumi-resource-pulumi-nodejs")),
    packageSchema.parse(JSON.parse(readFileSync(join(pulumi, "package.json"), "utf8"))).version,
  );
  return {
    /** The repository's root: @pulumi/pulumi comes from here. */
    checkout,
    /** tools/engine in the checkout: go.mod, go.sum, tools.go, language-host.js, and yaml with a Go module of its own. */
    sources,
    /** The folder that holds all cached engines, and the drafts of unfinished ones. */
    cache: cacheFolder(env),
    /** The finished engine's folder; bin/pulumi is below it. */
    entry,
  };
}
