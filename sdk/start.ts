// What a program loads before Pulumi's SDK, so that it starts soon: `nodeargs: --require=pulumi-agent-platform/start` in its Pulumi.yaml.
import nodeModule from "node:module";
import { join } from "node:path";
import { ownFolder } from "../provider/base/own-folder";

// `npm run typecheck` finds a wrong type once, and not each command anew. Who sets the variable decides.
process.env["PULUMI_NODEJS_TRANSPILE_ONLY"] ??= "true";

// What was compiled is kept: TypeScript by Pulumi's ts-node, and Pulumi's SDK by Node 22 and newer. Both run whatever lies in their folder, and theirs
// lies where every user of the machine may make it first.
try {
  const folder = ownFolder();
  process.env["TS_NODE_CACHE_DIRECTORY"] ??= join(folder, "ts-node");
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the types are those of Node 20
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (!process.env["NODE_COMPILE_CACHE"]) enableCompileCache?.(join(folder, "node"));
} catch {
  // Without a folder of one's own, each command compiles anew.
  process.env["TS_NODE_CACHE"] ??= "false";
}
