import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import type { CliStack } from "../support/cli-stack";
import { OTHER_TENANT, TENANT } from "./platform";
import { originOf } from "../../provider/lifecycle/origin";

/** One folder for each version, and in it one for each story. */
export const STATES = join(__dirname, "states");
/** The beginning of the name of a folder that is still being written. */
export const DRAFT = ".unfinished-";

const Package = z.object({ version: z.string() });

/** The version of this checkout. */
export const currentVersion = (): string =>
  Package.parse(JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8"))).version;

/** The files of a story's folder. */
export const FILES = {
  program: "program.js",
  /** `pulumi stack export`. */
  state: "state.json",
  /** The settings of the stack, its secrets encrypted. */
  settings: "Pulumi.test.yaml",
  /** The emulator's data file. */
  platform: "platform.json",
  /** The changes that preview and refresh show; absent if they show none. */
  expected: "expected.json",
} as const;

const Changes = z.record(z.string(), z.string());
/** By kind and name of the resource: the operation, and the inputs (of the stack: the outputs) that differ. */
export type Changes = z.infer<typeof Changes>;

const Expected = z.strictObject({ preview: Changes.default({}), refresh: Changes.default({}) });
export type Expected = z.infer<typeof Expected>;

/** A story as a version of this package left it. */
export class Recorded {
  /** The address that the state was made at. Nothing listens there now. */
  readonly url: string;
  readonly expected: Expected;

  constructor(
    /** "0.1.0/everything" */
    readonly name: string,
    private readonly folder = join(STATES, name),
  ) {
    this.url = z.string().parse(/^ *agent-platform:baseUrl: (\S+)$/m.exec(this.read("settings"))?.[1]);
    const expected = join(folder, FILES.expected);
    this.expected = Expected.parse(existsSync(expected) ? JSON.parse(this.read("expected")) : {});
  }

  static all(): Recorded[] {
    const folders = (path: string): string[] => readdirSync(path).filter((name) => !name.startsWith(DRAFT));
    return folders(STATES).flatMap((version) =>
      folders(join(STATES, version)).map((story) => new Recorded(`${version}/${story}`)),
    );
  }

  read(file: keyof typeof FILES): string {
    return readFileSync(join(this.folder, FILES[file]), "utf8");
  }

  /**
   * A file as if the platform had been at `url`. If the digest of an address has changed since the state was made, the recorded
   * digest stays, and is then refused.
   */
  at(url: string, file: "state" | "settings"): string {
    const tenants = [undefined, TENANT.tenantId, OTHER_TENANT.tenantId];
    return tenants.reduce<string>(
      (text, tenant) => text.replaceAll(`"${originOf(this.url, tenant)}"`, `"${originOf(url, tenant)}"`),
      this.read(file).replaceAll(this.url, url),
    );
  }

  /** A copy of the platform's data, for an emulator to write to. */
  copyPlatform(file: string): void {
    copyFileSync(join(this.folder, FILES.platform), file);
  }
}

/** From here on the stack, which has no secrets yet, encrypts with this passphrase. */
export function usePassphrase(stack: CliStack, passphrase: string): void {
  stack.environment["PULUMI_CONFIG_PASSPHRASE"] = passphrase;
  rmSync(join(stack.folder, FILES.settings), { force: true });
}
