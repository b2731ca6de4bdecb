// What a program loads before Pulumi's SDK, so that it starts soon: `nodeargs: --require=pulumi-agent-platform/start` in its Pulumi.yaml.
import nodeModule from "node:module";

// `npm run typecheck` finds a wrong type once, and not each command anew. Who sets the variable decides.
process.env["PULUMI_NODEJS_TRANSPILE_ONLY"] ??= "true";

// Node 22 and newer can keep what they compiled, Pulumi's SDK and TypeScript above all.
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the types are those of Node 20
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown };
enableCompileCache?.();
