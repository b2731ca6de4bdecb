import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { z } from "zod";
import { version } from "../../provider/base/version";
import { isLinux, writeExecutable } from "./executable";
import { archive, type ReleasePlace } from "./tree";

const NAME = "pulumi-resource-agent-platform";
const SYSTEMS = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"] as const;

/** The plugin's archive for a system, as the engine asks for it. */
export const archiveName = (system: (typeof SYSTEMS)[number]): string => `${NAME}-v${version()}-${system}.tar.gz`;

/**
 * Writes the native plugin's archives into a folder. For Linux it is one executable that needs nothing else. Elsewhere, where an executable would have to be
 * signed, it is a script and what starts it with the Node of the PATH.
 * @returns The packages from npm that are part of it, as "name@version".
 */
export async function writePlugins(place: ReleasePlace, folder: string): Promise<ReadonlySet<string>> {
  const script = join(folder, "script");
  const packages = await writeScript(place.checkout, script);
  const content = join(folder, "content");
  for (const system of SYSTEMS) {
    cpSync(script, content, { recursive: true });
    if (isLinux(system)) await writeExecutable(place, system, content, join(content, NAME));
    else addStarter(place.checkout, system, content);
    archive(join(folder, archiveName(system)), content, place.time);
    rmSync(content, { recursive: true });
  }
  rmSync(script, { recursive: true });
  return new Set(packages.map(({ name }) => name));
}

/** Adds what the engine starts, which says in a sentence where there is no Node, or one that is too old. */
function addStarter(checkout: string, system: string, content: string): void {
  const starters = join(checkout, "tools", "release", "starters");
  copyFileSync(join(starters, "start.js"), join(content, "start.js"));
  const name = system.startsWith("windows") ? `${NAME}.cmd` : NAME;
  copyFileSync(join(starters, name), join(content, name));
  chmodSync(join(content, name), 0o755);
}

/**
 * Writes the plugin as one script, which starts in two thirds of the time of its modules, and the licenses of what it includes. The build writes it into dist/plugin, where
 * the npm package has it; a release takes the same one.
 */
export async function writeScript(checkout: string, content: string): Promise<readonly IncludedPackage[]> {
  const provider = join(checkout, "dist", "provider");
  rmSync(content, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  const { metafile } = await build({
    stdin: { contents: START, resolveDir: checkout },
    absWorkingDir: checkout,
    bundle: true,
    platform: "node",
    target: "node20",
    // Without comments, which would name the folders of this machine.
    minifyWhitespace: true,
    // A shorter script: what components need of the SDK then costs no plugin without them its start or memory.
    minifyIdentifiers: true,
    legalComments: "none",
    metafile: true,
    outfile: join(content, "server.js"),
    logLevel: "error",
    plugins: [
      replacing(join(provider, "engine", "sdk.js"), sdkOf(checkout, provider)),
      versioned(provider),
      servingComponents(checkout),
      WITHOUT_CLOSURES,
    ],
  });
  const packages = packagesOf(Object.keys(metafile.inputs).map((file) => join(checkout, file)));
  copyFileSync(join(checkout, "LICENSE"), join(content, "LICENSE"));
  writeFileSync(join(content, "LICENSES-OF-PACKAGES"), packages.map(licenseOf).join("\n"));
  return packages;
}

/** A package from npm that is part of the script. */
interface IncludedPackage {
  /** "name@version" */
  readonly name: string;
  readonly folder: string;
}

function packagesOf(files: readonly string[]): readonly IncludedPackage[] {
  const folders = files.flatMap((file) => /^.*\bnode_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version: its } = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
    return { name: `${name}@${its}`, folder };
  });
}

const manifest = z.object({ name: z.string(), version: z.string() });

/** What its license asks to be passed on. */
function licenseOf({ name, folder }: IncludedPackage): string {
  const texts = readdirSync(folder).filter((file) => /^(licen[sc]e|notice|copying)/i.test(file));
  return [`# ${name}`, ...texts.sort().map((file) => readFileSync(join(folder, file), "utf8"))].join("\n\n");
}

const START = `require("./dist/provider/plugin").main((engine) =>
  require("./dist/sdk/construct").constructorFor(require("@pulumi/pulumi/provider/server.js").Server, engine));`;

/** The SDK's server of components, which it keeps to itself. */
function servingComponents(checkout: string): Plugin {
  const file = createRequire(join(checkout, "package.json")).resolve("@pulumi/pulumi/provider/server.js");
  const text = readFileSync(file, "utf8");
  if (!/^class Server \{$/m.test(text)) throw new Error("the SDK has no server of components where it was");
  return replacing(file, `${text}\nexports.Server = Server;`);
}

/** Of the SDK, components need neither the automation API nor what turns functions into text, which has all of TypeScript in it. */
const WITHOUT_CLOSURES: Plugin = {
  name: "without closures",
  setup: (bundling) => {
    const none = ({ path }: { path: string }) => ({ path, namespace: "none" });
    bundling.onResolve({ filter: /^(typescript|@npmcli\/arborist|\.\/automation)$/ }, none);
    bundling.onLoad({ filter: /^/, namespace: "none" }, () => ({ contents: "" }));
  },
};

/** An installed plugin has no package.json: its version is known from the start. */
function versioned(provider: string): Plugin {
  const file = join(provider, "base", "version.js");
  const text = readFileSync(file, "utf8");
  const known = text.replace(/^let known;$/m, `let known = ${JSON.stringify(version())};`);
  if (known === text) throw new Error(`${file} has no variable for the version`);
  return replacing(file, known);
}

/** The modules of the SDK that the provider loads while it runs, so that they become part of the bundle. */
function sdkOf(checkout: string, provider: string): string {
  const fromCheckout = createRequire(join(checkout, "package.json"));
  const fromSdk = createRequire(fromCheckout.resolve("@pulumi/pulumi/package.json"));
  const modules = [...namesIn(provider)].map(
    (name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(fromSdk.resolve(name))}),`,
  );
  return `
    const modules = {${modules.join("\n")}};
    exports.fromSdk = (name) => modules[name]();
    exports.grpcOfSdk = () => exports.fromSdk("@grpc/grpc-js");
  `;
}

/** Every name with which `fromSdk` is called. */
function namesIn(provider: string): ReadonlySet<string> {
  const files = readdirSync(provider, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const calls = files.flatMap((file) => [
    ...readFileSync(join(provider, file), "utf8").matchAll(/\bfromSdk\)?\("([^"]+)"\)/g),
  ]);
  return new Set(calls.flatMap(([, name]) => name ?? []));
}

/** Takes other contents for one file. */
function replacing(file: string, contents: string): Plugin {
  return {
    name: `replace ${file}`,
    setup: (bundling) =>
      bundling.onLoad({ filter: exactly(file) }, () => ({ contents, loader: "js", resolveDir: dirname(file) })),
  };
}

const exactly = (file: string): RegExp => new RegExp(`^${file.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
