import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { z } from "zod";
import { freePort } from "../../tools/base/loopback";

const Manifest = z.looseObject({ name: z.string(), version: z.string() });

/** A registry for `npm_config_registry`. */
export interface Registry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * A registry that has this package as it is packed, so that `npm install pulumi-agent-platform` can be run as it stands. Whoever asks for another
 * package is sent to npm's own.
 */
export async function startRegistry(tarball: string): Promise<Registry> {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8", stdio: "pipe" }).trim();
  const archive = readFileSync(tarball);
  const unpacked = execFileSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" });
  const manifest = Manifest.parse(JSON.parse(unpacked));
  const { name, version } = manifest;
  const url = `http://127.0.0.1:${await freePort()}/`;
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity };
  const answer = JSON.stringify({
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
  });
  const server = createServer(({ url: path = "/" }, response) => {
    if (path === `/${name}`) response.setHeader("content-type", "application/json").end(answer);
    else if (path.startsWith(`/${name}/-/`)) response.end(archive);
    else response.writeHead(302, { location: new URL(path.slice(1), upstream).href }).end();
  });
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}
