import assert from "node:assert/strict";
import { statSync } from "node:fs";
import type { Walk } from "./walk";

const ROTATE = "docs/how-to/rotate-a-secret.md";

/** The pages docs/review.md and docs/debugging.md and docs/concepts/contracts.md: settings that change what is asked and shown. */
export async function whatIsSent(walk: Walk): Promise<void> {
  const { reader } = walk;
  const program = reader.read("index.ts");
  await reader.run("preview-online");
  const taken = `new SandboxTemplate("taken", { name: "notebook", image: "a:1", resources: { cpu: "500m" } });\n`;
  reader.write("index.ts", `${program}${taken}`);
  const refused = await reader.shell("pulumi preview", { code: 1 });
  assert.match(refused, /Asked \S+: the key works/);
  assert.match(refused, /"notebook" already exists on the platform .*take it over with `adopt: true`/);

  reader.write("index.ts", program.replace(/support-agent:[\d.]+/, "support-agent:1.3.0"));
  const sent = /(?:GET|PATCH) \S+ answered 200 in /;
  assert.match(await reader.run("log-to-the-engine"), sent);
  reader.write("index.ts", program);
  await reader.run("log-to-a-file");
  const log = reader.read("requests.log");
  assert.match(log, sent);
  assert.ok(!log.includes(walk.key));
  assert.equal(statSync(reader.file("requests.log")).mode & 0o777, 0o600);

  await reader.run("contract-documented");
  await reader.shell("pulumi preview --expect-no-changes");
  const settings = ["preview", "log", "contract"];
  await reader.shell(settings.map((setting) => `pulumi config rm agent-platform:${setting}`).join("\n"));
}

/** "Runs by hand" of docs/run-checks.md. */
export async function aRunByHand({ reader }: Walk): Promise<void> {
  const said = await reader.run("run-by-hand");
  // Its two outputs come over two pipes, in no certain order.
  assert.match(said, /^run \S+, attempt 1$/m);
  assert.match(said, /^\[chat\]\nHi opening hours$/m);
}

/** "The provider's own key" of docs/how-to/rotate-a-secret.md: the platform takes the new key only. */
export async function anotherKey(walk: Walk): Promise<void> {
  const { reader } = walk;
  const key = "the-next-key-of-the-platform";
  await reader.closeTerminals();
  reader.write("emulator.json.api-key", `${key}\n`);
  await reader.inAnotherTerminal("start-emulator", /^Console: /m);
  const platform = walk.meet(reader.file("emulator.json.api-key"));
  const before = await platform.agent();
  assert.match(await reader.shell("pulumi refresh", { code: 1 }), /answered 401/);

  await reader.run("rotate-key", { answers: [key] });
  assert.deepEqual(await platform.agent(), before);
  // "Run `pulumi up` (or `pulumi refresh --run-program`) before anything else".
  await reader.type(ROTATE, "pulumi refresh --run-program");
  assert.ok(!reader.state("support", "dev").includes(key));
}

/** docs/console.md and docs/emulator.md. */
export async function theEmulator(walk: Walk): Promise<void> {
  const { reader } = walk;
  await reader.closeTerminals();
  await reader.inAnotherTerminal("console-emulator", /^Console: /m);
  const address = /http\S+\/console\?code=[\w-]+/.exec(await reader.run("console-code"))?.[0] ?? "";
  const opened = await fetch(address, { redirect: "manual" });
  assert.match(opened.headers.get("set-cookie") ?? "", /HttpOnly/);

  const platform = walk.meet("emulator.json.api-key");
  await reader.run("emulator-shell");
  assert.match(await reader.run("emulator-curl"), /^Hi opening hours$/m);
  assert.equal((await platform.agent()).name, "support-agent");
  await reader.closeTerminals();

  const said = await reader.inAnotherTerminal("emulator-faults", /^Console: /m);
  const spoiled = walk.meet(/API key in (\S+)/.exec(said)?.[1] ?? "");
  await assert.rejects(spoiled.makeDeployment("cut-off"), /fetch failed/, "the connection is cut after the write");
  await reader.closeTerminals();
}
