import assert from "node:assert/strict";
import type { Walk } from "./walk";

const PAGE = "docs/teams.md";

/** The two programs of docs/teams.md. */
export async function toAnotherStack(walk: Walk): Promise<void> {
  const { reader, platform } = walk;
  await stackOf(walk, "sandboxes", reader.take("move-out-program").code);
  await reader.type(PAGE, "pulumi up");
  const [before] = await platform.templates();

  // "Take the resource out of that program".
  reader.write("index.ts", "export {};\n");
  await reader.run("move-out");
  assert.deepEqual(await platform.templates(), [before]);
  await reader.shell("cd ..");

  await stackOf(walk, "shared", reader.take("move-in-program").code);
  await reader.run("move-in");
  assert.deepEqual(await platform.templates(), [before]);
  assert.match(
    await reader.type(PAGE, "npx pulumi-agent-platform inventory"),
    new RegExp(`shared/dev [^]*${before?.id ?? ""}`),
  );
  await reader.shell("pulumi destroy && cd ..");
}

async function stackOf(walk: Walk, name: string, program: string): Promise<void> {
  await walk.project(name, program);
  await walk.reader.run("start-stack", { answers: ["a passphrase"] });
  const keyFile = { "emulator.json.api-key": "../emulator.json.api-key" };
  await walk.reader.run("start-config", { fill: keyFile, answers: ["any text"] });
}
