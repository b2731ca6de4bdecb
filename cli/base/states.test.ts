import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { newFolder } from "../../tests/support/new-folder";
import { stateReader } from "./states";

const stateOf = (name: string): string =>
  JSON.stringify({ version: 3, checkpoint: { latest: { resources: [{ urn: name, type: "pulumi:pulumi:Stack" }] } } });
const EXPORTED = JSON.stringify({ version: 3, deployment: { resources: [{ urn: "exported", type: "t" }] } });

/** A backend at this address, whose states `pulumi` would export as another one. */
function backendAt(url: (folder: string) => string) {
  const folder = newFolder();
  const states = join(folder, ".pulumi", "stacks", "shop");
  mkdirSync(states, { recursive: true });
  const answers = `case "$1" in whoami) echo '${JSON.stringify({ url: url(folder) })}';; *) echo '${EXPORTED}';; esac`;
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${answers}\n`, { mode: 0o755 });
  const path = `${folder}:${process.env["PATH"] ?? ""}`;
  return { states, target: { folder, environment: { ...process.env, HOME: folder, PATH: path } } };
}

test.each<[why: string, url: (folder: string) => string, files: Record<string, string | Buffer>, read: string]>([
  ["a file", (at) => `file://${at}`, { "prod.json": stateOf("own") }, "own"],
  ["with options of the address", (at) => `file://${at}?no_tmp_dir=true`, { "prod.json": stateOf("own") }, "own"],
  ["gzipped", (at) => `file://${at}`, { "prod.json.gz": gzipSync(stateOf("own")) }, "own"],
  ["of two forms the engine knows the latest", (at) => `file://${at}`, { "prod.json": stateOf("own"), "prod.json.gz": "" }, "exported"], // prettier-ignore
  ["a form that is not read here", (at) => `file://${at}`, { "prod.json.zst": "" }, "exported"],
  ["another name", (at) => `file://${at}`, {}, "exported"],
  ["a bucket", () => "s3://states", { "prod.json": stateOf("own") }, "exported"],
  ["a folder relative to the project's", () => "file://.", { "prod.json": stateOf("own") }, "exported"],
])("the state of a stack: %s", async (_why, url, files, read) => {
  const { states, target } = backendAt(url);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(states, name), content);
  const readState = await stateReader(target);
  const { resources } = await readState("organization/shop/prod");
  expect(resources.map(({ urn }) => urn)).toEqual([read]);
});

test("a backend that does not answer is an error once it has had its time", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  await expect(stateReader({ folder, environment }, AbortSignal.timeout(1))).rejects.toThrow(
    /^the backend that keeps the states has not answered for 20 seconds: check the address that PULUMI_BACKEND_URL or/,
  );
});
