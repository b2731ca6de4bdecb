import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isAlive } from "../base/lock";
import { freePort, randomSecret } from "../base/loopback";

/** The stack that the commands run; its configuration is Pulumi.emulator.yaml, made here and ignored by Git. */
export const STACK = "emulator";

/** Everything that the commands keep, in one git-ignored folder of the checkout: removing the folder forgets all of it. */
export interface TryState {
  readonly folder: string;
  /** The engine's local backend: the state of the stack, and its lock. */
  readonly backend: string;
  readonly dataFile: string;
  /** File of mode 0600 with the emulator's only key. */
  readonly keyFile: string;
  /** The environment of the engine: local backend, random passphrase, a home of its own; no account and no prompt. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens the state of a checkout; made on first use. */
export function openState(checkout: string): TryState {
  const folder = join(checkout, ".state");
  const backend = join(folder, "pulumi");
  mkdirSync(backend, { recursive: true, mode: 0o700 });
  setAsideConfiguration(checkout, folder);
  return {
    folder,
    backend,
    dataFile: join(folder, "emulator.json"),
    keyFile: secretFile(join(folder, "api-key")),
    environment: {
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE_FILE: secretFile(join(folder, "passphrase")),
      PULUMI_HOME: join(folder, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
  };
}

/** Frees the stack of engines that were killed: `pulumi cancel` would need this folder's settings. A lock of an engine at work stays. */
export function removeDeadLocks({ backend }: TryState): void {
  const folder = join(backend, ".pulumi", "locks");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name);
    if (!name.endsWith(".json")) continue;
    const [, pid] = /"pid":\s*(\d+)/.exec(readFileSync(file, "utf8")) ?? [];
    if (pid === undefined || !isAlive(Number(pid))) rmSync(file, { force: true });
  }
}

/** The configuration is encrypted with the passphrase: once that is gone, it would only make every command fail. */
function setAsideConfiguration(checkout: string, folder: string): void {
  const name = `Pulumi.${STACK}.yaml`;
  if (existsSync(join(folder, "passphrase")) || !existsSync(join(checkout, name))) return;
  renameSync(join(checkout, name), join(folder, `${name}.old`));
}

/** A file of mode 0600 with a random text, made on first use. */
function secretFile(path: string): string {
  if (!existsSync(path)) writeFileSync(path, randomSecret(), { mode: 0o600, flag: "wx" });
  return path;
}

/** The emulator's port of this checkout: chosen once, and kept, because the state of the stack belongs to one address. */
export async function portOf({ folder }: TryState): Promise<number> {
  const file = join(folder, "port");
  if (existsSync(file)) return z.coerce.number().int().min(1).max(65_535).parse(readFileSync(file, "utf8").trim());
  const port = await freePort();
  writeFileSync(file, `${port}\n`);
  return port;
}
