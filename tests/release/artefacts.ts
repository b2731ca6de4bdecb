import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/base/version";
import { packInto } from "../support/packed";
import { python } from "../support/with-python";

const CHECKOUT = join(__dirname, "..", "..");

/** What a release consists of, as paths. */
export interface Artefacts {
  readonly npm: string;
  /** The plugin's archive for this machine. */
  readonly plugin: string;
  readonly wheel: string;
  /** The folder of the Go module. */
  readonly go: string;
}

export function releaseArtefacts(folder: string): Artefacts {
  mkdirSync(folder, { recursive: true });
  const node = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: CHECKOUT, encoding: "utf8", stdio: "pipe" }).trim();
  const tool = (name: string): string => join(CHECKOUT, "dist", "tools", name, "main.js");
  const [py, go] = [join(folder, "python"), join(folder, "go")];
  node(tool("sdk"), "python", py);
  node(tool("sdk"), "go", go);
  if (python !== undefined)
    execFileSync(python.command, ["-m", "pip", "wheel", "--no-deps", "-w", py, py], { stdio: "pipe" });
  writeFileSync(
    join(go, "go.mod"),
    "module example.com/pulumi-agent-platform/sdk/go\n\ngo 1.25.8\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.246.0\n",
  );
  execFileSync("go", ["mod", "tidy"], { cwd: go, stdio: "pipe" });
  return {
    npm: packInto(folder),
    plugin: node(tool("bundle"), join(folder, "bundle")),
    wheel: join(py, readdirSync(py).find((each) => each.endsWith(".whl")) ?? ""),
    go,
  };
}
void [version, readFileSync];
