import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { extract, list, type ReadEntry } from "tar";
import { z } from "zod";
import { version } from "../../provider/base/version";
import { pathsOf } from "../../tools/release/tree";
import { archiveName } from "../../tools/release/plugin";
import { CHECKOUT, makeArtefacts, TIME, type Artefacts } from "./artefacts";

const Bill = z.object({ components: z.array(z.object({ name: z.string() })) });
const PLUGIN = "pulumi-resource-agent-platform";

/** Tests of what a release holds. To be called where a test file registers tests; it leaves what it makes beside the release. */
export function testContents(released: () => Artefacts): void {
  /** The entries of an archive, in their order. */
  const entriesOf = (file: string): ReadEntry[] => {
    const entries: ReadEntry[] = [];
    list({ file: join(released().folder, file), sync: true, onReadEntry: (entry) => entries.push(entry) });
    return entries;
  };
  const namesIn = (file: string): string[] => entriesOf(file).map(({ path }) => path);
  const lacks = (language: string): boolean =>
    released().missing.some((each) => each.startsWith(`The SDK for ${language} `));

  test("has the artefacts that its page names", () => {
    const page = readFileSync(join(CHECKOUT, "docs", "internals", "releasing.md"), "utf8");
    const named = [...page.matchAll(/^- `([^`]+)`$/gm)].map(([, name = ""]) => name.replaceAll("<v>", version()));
    const compiled = { java: /\.jar$|\.pom$/, dotnet: /\.nupkg$/, python: /\.whl$/ };
    const absent = Object.entries(compiled).filter(([language]) => lacks(language));
    const expected = named.filter(
      (name) => !absent.some(([language, kind]) => name.startsWith(language) && kind.test(name)),
    );
    const found = pathsOf(released().folder).map((path) => path.replace(/^(go\/[^/]+\/).*/, "$1"));
    expect([...new Set(found)].sort()).toEqual(expected.sort());
  });

  test.each<[Parameters<typeof archiveName>[0], string[]]>([
    ["linux-amd64", ["LICENSE", "LICENSE-OF-NODE", "LICENSES-OF-PACKAGES", PLUGIN]],
    ["linux-arm64", ["LICENSE", "LICENSE-OF-NODE", "LICENSES-OF-PACKAGES", PLUGIN]],
    ["darwin-amd64", ["LICENSE", "LICENSES-OF-PACKAGES", PLUGIN, "server.js", "start.js"]],
    ["darwin-arm64", ["LICENSE", "LICENSES-OF-PACKAGES", PLUGIN, "server.js", "start.js"]],
    ["windows-amd64", ["LICENSE", "LICENSES-OF-PACKAGES", `${PLUGIN}.cmd`, "server.js", "start.js"]],
  ])("the plugin for %s has what it needs, with the commit's time and no owner", (system, names) => {
    const entries = entriesOf(archiveName(system));
    expect(entries.map(({ path }) => path)).toEqual(names);
    for (const { path, mode, mtime, uid, gid } of entries) {
      const expected = [path.startsWith(PLUGIN) ? 0o755 : 0o644, TIME, 0, 0];
      expect([path, mode, mtime, uid ?? 0, gid ?? 0]).toEqual([path, ...expected]);
    }
  });

  test("the executable for Linux starts without a Node, and says its port and nothing else", async () => {
    const room = dirname(released().folder);
    extract({ file: join(released().folder, archiveName("linux-amd64")), cwd: room, sync: true });
    const child = spawn(join(room, PLUGIN), ["127.0.0.1:1"], { env: { PATH: "" } });
    const said = { stdout: "", stderr: "" };
    child.stdout.on("data", (text: Buffer) => (said.stdout += text.toString()));
    child.stderr.on("data", (text: Buffer) => (said.stderr += text.toString()));
    await once(child.stdout, "data");
    child.kill();
    await once(child, "close");
    expect(said.stderr).toBe("");
    expect(said.stdout).toMatch(/^\d+\n$/);
  });

  test("the archives of sources have a folder of their own", () => {
    for (const language of ["go", "java", "dotnet"]) {
      const name = `pulumi-agent-platform-${language}-${version()}`;
      const names = namesIn(join(language, `${name}.tar.gz`));
      expect(names.filter((path) => !path.startsWith(`${name}/`))).toEqual([]);
      expect(names).toContain(`${name}/LICENSE`);
    }
  });

  test("the sums are right", () => {
    const { status, stderr } = spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], {
      cwd: released().folder,
    });
    expect([status, String(stderr)]).toEqual([0, ""]);
  });

  test("the bill of materials names what is shipped and nothing else", () => {
    const { components } = Bill.parse(JSON.parse(readFileSync(join(released().folder, "sbom.cdx.json"), "utf8")));
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["zod", "hono", "@grpc/grpc-js", "google-protobuf", "node"]));
    for (const name of ["jest", "typescript", "esbuild", "prettier"]) expect(names).not.toContain(name);
  });

  test("a second run makes the same bytes", async () => {
    const { folder, missing } = released();
    const again = await makeArtefacts(join(dirname(folder), "again"));
    expect(again.missing).toEqual(missing);
    const [first, second] = [folder, again.folder].map((each) => readFileSync(join(each, "SHA256SUMS"), "utf8"));
    expect(second).toBe(first);
  });
}
