import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ok, PLUGIN, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const CHECKOUT = dirname(PLUGIN);
const MESSAGE = "Use nothing of the kind.";
const MODULES = join(CHECKOUT, "dist", "provider");

// The tables of this version deprecate nothing: the plugin of this test does so before it starts.
const SERVER = `
const { fields } = require(${JSON.stringify(join(MODULES, "resources", "registry.js"))}).RESOURCES.SandboxTemplate.table;
fields.image.deprecationMessage = ${JSON.stringify(MESSAGE)};
require(${JSON.stringify(join(MODULES, "plugin.js"))}).main();
`;
const PROGRAM = 'new platform.SandboxTemplate("notebook", { image: "a:1", resources: { cpu: "1" } });';
const WARNING = `warning: SandboxTemplate "notebook": image is deprecated: ${MESSAGE}`;

const platform = onEmulator();

async function stackWithThatPlugin(program: string): Promise<CliStack> {
  const stack = await platform.stackOf(program, {}, "native");
  const plugin = join(stack.folder, "plugin");
  mkdirSync(plugin);
  for (const file of readdirSync(PLUGIN)) cpSync(join(PLUGIN, file), join(plugin, file));
  writeFileSync(join(plugin, "server.js"), SERVER);
  stack.choose("native", "./plugin");
  return stack;
}

describeWithEngine("a field that is deprecated", () => {
  test("works as before; the engine shows what to use instead, and the schema that the plugin offers says so", async () => {
    const stack = await stackWithThatPlugin(PROGRAM);
    expect(ok(await stack.preview())).toContain(WARNING);
    expect(ok(await stack.up())).toContain(WARNING);
    expect(ok(await stack.destroy())).not.toContain(WARNING);
    // npm, which installs what the plugin's package.json names, talks first.
    const schemaText = ok(await stack.run(["package", "get-schema", "./plugin"])).replace(/^[^{]*/, "");
    const isDeprecated = z.object({ deprecationMessage: z.literal(MESSAGE) });
    const offered = z.object({
      resources: z.object({
        "agent-platform:index:SandboxTemplate": z.object({ inputProperties: z.object({ image: isDeprecated }) }),
      }),
    });
    offered.parse(JSON.parse(schemaText));
  });
});
