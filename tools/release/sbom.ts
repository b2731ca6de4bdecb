import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "../engine/command";
import { NODE } from "./executable";
import type { ReleasePlace } from "./tree";

const DEVELOPMENT = "cdx:npm:package:development";

const component = z.looseObject({
  "bom-ref": z.string(),
  properties: z.array(z.object({ name: z.string() })).default([]),
});
const bill = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string(), component: z.looseObject({ name: z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});
const lock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ link: z.boolean().optional() })),
});

/**
 * The bill of materials (CycloneDX) of what a release ships: the package's dependencies, and the packages that are part of the plugin's script.
 * @param included The latter, as "name@version".
 */
export async function sbomOf(place: ReleasePlace, included: ReadonlySet<string>): Promise<string> {
  const { serialNumber: _, metadata, components, dependencies, ...rest } = bill.parse(JSON.parse(await listed(place)));
  const isShipped = (each: z.output<typeof component>): boolean =>
    included.has(each["bom-ref"]) || !each.properties.some(({ name }) => name === DEVELOPMENT);
  const shipped = components.filter(isShipped);
  const known = new Set([...shipped.map((each) => each["bom-ref"]), dependencies[0]?.ref]);
  const text = {
    ...rest,
    metadata: {
      ...metadata,
      timestamp: place.time.toISOString(),
      component: { ...metadata.component, name: "pulumi-agent-platform" },
    },
    components: [...shipped, node],
    dependencies: dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) })),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** A part of the plugin for Linux. */
const node = {
  "bom-ref": `node@${NODE}`,
  type: "platform",
  name: "node",
  version: NODE,
  purl: `pkg:github/nodejs/node@v${NODE}`,
  licenses: [{ license: { id: "MIT" } }],
};

/** npm's own bill, of the lock file without the other workspaces: npm does not list one whose dependencies have no version. */
async function listed({ checkout, env }: ReleasePlace): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-sbom-"));
  try {
    const read = (name: string): unknown => JSON.parse(readFileSync(join(checkout, name), "utf8"));
    const { packages, ...rest } = lock.parse(read("package-lock.json"));
    const own = Object.entries(packages).filter(
      ([path, { link }]) => link !== true && !/^(examples|fleet)(\/|$)/.test(path),
    );
    const kept = Object.fromEntries(own.map(([path, each]) => [path, { ...each, workspaces: undefined }]));
    const manifest = { ...z.looseObject({}).parse(read("package.json")), workspaces: undefined };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...rest, packages: kept }));
    const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
    return await runCommand({ file: "npm", args, cwd: folder, env, timeout: 120_000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
