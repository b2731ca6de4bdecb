import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliStack, FRONT } from "../../support/cli-stack";
import { ProgramHost } from "../../support/kept-host";
import { installInto } from "../../upgrade/package";
import type { Ended, RunOptions } from "../../support/run-process";
import type { Platform } from "./platform";

/** No command of these programs takes longer by itself. */
const LONGEST_MS = 150_000;

/** A stack whose programs run in one process that is kept between commands, and whose commands can be cut off. */
export class EngineStack extends CliStack {
  override readonly host = new ProgramHost();

  /** A new, empty one, which takes no command to make: with the login of another that never has a resource. */
  static like(blank: CliStack): EngineStack {
    return new EngineStack(blank.twin());
  }

  /** Sets the connection, as `pulumi config set` does. */
  connect({ url, settings }: Platform, apiKey: string, more: Readonly<Record<string, string>> = {}): void {
    const file = join(this.folder, "Pulumi.test.yaml");
    const keys = readFileSync(file, "utf8").match(/^(?:encryptionsalt|secretsprovider|encryptedkey):.*$/gm) ?? [];
    const config = Object.entries({ baseUrl: url, apiKey, ...settings, ...more });
    const lines = config.map(([name, value]) => `  agent-platform:${name}: "${value}"`);
    writeFileSync(file, [...keys, "config:", ...lines, ""].join("\n"));
  }

  /** Installs a version of the package in the project, and its plugin; a process that has loaded another one ends. */
  install(version: string): void {
    installInto(this.folder, version);
    this.choose(FRONT, "./node_modules/pulumi-agent-platform/plugin");
    this.host.stop();
  }

  /** What a user does after a kill: unlocks the stack, and removes attributes that were cut off (docs/internals/engine.md, trap 48). */
  async unlock(): Promise<void> {
    const folder = join(this.folder, "backend", ".pulumi", "stacks", "test");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".attrs"))) {
      if (statSync(join(folder, name)).size === 0) rmSync(join(folder, name));
    }
    await this.run(["cancel", "--yes"]);
  }

  override remove(): void {
    this.host.stop();
    super.remove();
  }

  override run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return super.run(args, { longestMs: LONGEST_MS, ...options });
  }
}
