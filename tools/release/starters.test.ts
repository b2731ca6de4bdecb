import { spawnSync } from "node:child_process";
import { join } from "node:path";

const STARTERS = join(__dirname, "starters");

test("without Node, the plugin says what is missing and what to do", () => {
  const starter = join(STARTERS, "pulumi-resource-agent-platform");
  const { status, stderr } = spawnSync("/bin/sh", [starter], { encoding: "utf8", env: { PATH: STARTERS } });
  expect([status, stderr]).toEqual([
    1,
    "The plugin of agent-platform runs on Node, and there is no node on the PATH. Install Node 20 or newer (https://nodejs.org).\n",
  ]);
});

test("on an old Node, the plugin says which one it is and what to do", () => {
  const program = `Object.defineProperty(process.versions, "node", { value: "18.20.4" }); require("./start.js");`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8", cwd: STARTERS });
  expect([status, stderr]).toEqual([
    1,
    "The plugin of agent-platform needs Node 20 or newer, and the node on the PATH is 18.20.4. Install a newer one (https://nodejs.org).\n",
  ]);
});
