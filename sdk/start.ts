// A program loads this before Pulumi's SDK, to start faster: `nodeargs: --require=pulumi-agent-platform/start` in its Pulumi.yaml.
import nodeModule from "node:module";
import { join } from "node:path";
import { ownFolder } from "../provider/base/own-folder";
import "./load-later";

// Commands do not check types; `npm run typecheck` does. A value that the user has set wins.
process.env["PULUMI_NODEJS_TRANSPILE_ONLY"] ??= "true";

// Compiled code is cached: TypeScript by Pulumi's ts-node, and Pulumi's SDK by Node 22 and newer. Both run any code in their folder, so it must not be
// their default one, which any user of the machine could create first.
try {
  const folder = ownFolder();
  process.env["TS_NODE_CACHE_DIRECTORY"] ??= join(folder, "ts-node");
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the types are those of Node 20
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (!process.env["NODE_COMPILE_CACHE"]) enableCompileCache?.(join(folder, "node"));
} catch {
  // Without a folder of the user's own, each command compiles again.
  process.env["TS_NODE_CACHE"] ??= "false";
}
