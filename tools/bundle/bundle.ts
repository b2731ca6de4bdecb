import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { version } from "../../provider/base/version";

/** A program that the engine starts, and the archive that installs it. */
export interface Bundle {
  /** The native plugin as one file; it needs Node, and nothing else. */
  readonly executable: string;
  /** For `pulumi plugin install resource pulumi-agent-platform <version> --file <archive>`. */
  readonly archive: string;
  readonly version: string;
}

const NAME = "pulumi-resource-agent-platform";

/**
 * Writes the native plugin, the SDK's protocol files and gRPC included, to one file in a folder, and its archive beside it.
 * @param checkout The repository, compiled.
 */
export async function bundlePlugin(checkout: string, folder: string): Promise<Bundle> {
  const provider = join(checkout, "dist", "provider");
  const content = join(folder, "content");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  const executable = join(content, NAME);
  await build({
    stdin: { contents: startOf(provider), resolveDir: checkout },
    bundle: true,
    platform: "node",
    target: "node20",
    banner: { js: "#!/usr/bin/env node" },
    outfile: executable,
    logLevel: "error",
    plugins: [replacing(join(provider, "engine", "sdk.js"), sdkOf(checkout, provider)), versioned(provider)],
  });
  chmodSync(executable, 0o755);
  copyFileSync(join(checkout, "LICENSE"), join(content, "LICENSE"));
  const archive = join(folder, `${NAME}-v${version()}.tar.gz`);
  await promisify(execFile)("tar", ["-czf", archive, "-C", content, ...readdirSync(content)]);
  return { executable, archive, version: version() };
}

const startOf = (provider: string): string => `require(${JSON.stringify(join(provider, "plugin.js"))}).main();`;

/** An installed plugin has no package.json. */
const versioned = (provider: string): Plugin =>
  replacing(join(provider, "base", "version.js"), `exports.version = () => ${JSON.stringify(version())};`);

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
    setup: (bundling) => bundling.onLoad({ filter: exactly(file) }, () => ({ contents, loader: "js" })),
  };
}

const exactly = (file: string): RegExp => new RegExp(`^${file.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
