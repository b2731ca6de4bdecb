import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";

import type { AgentServer } from "../support/agent-server";
import type { CliStack, Front } from "../support/cli-stack";
import { startAgent } from "./agent";
import { OTHER_TENANT, TENANT } from "./platform";
import { keyMarkOf, originOf } from "../../provider/lifecycle/identity/origin";

/** One folder for each version, and in it one for each story. */
export const STATES = join(__dirname, "states");
/** The beginning of the name of a folder that is still being written. */
export const DRAFT = ".unfinished-";

const Package = z.object({ version: z.string() });

const ROOT = join(__dirname, "..", "..");
/** The version in package.json. */
export const packageVersion = (): string =>
  Package.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))).version;
const isReleased = /^## Unreleased$/m.test(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"));
/** The version of this checkout. What has changed since a release is a later one, which has no number yet. */
export const currentVersion = (): string => (isReleased ? "unreleased" : packageVersion());

/** The files of a story's folder. */
export const FILES = {
  program: "program.js",
  /** `pulumi stack export`. */
  state: "state.json",
  /** The settings of the stack, its secrets encrypted. */
  settings: "Pulumi.test.yaml",
  /** The emulator's data file. */
  platform: "platform.json",
  /** What the agent server kept, if the story has one. */
  agent: "agent.json",
  /** The changes that preview and refresh show; absent if they show none. */
  expected: "expected.json",
  /** What the engine needs of the version, packed; beside the stories. */
  package: "package.tgz",
} as const;

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(DRAFT))
    .map(({ name }) => name);
/** The recorded versions. */
export const versions = (): string[] => foldersIn(STATES);

const Changes = z.record(z.string(), z.string());
/** By kind and name of the resource: the operation, and the inputs (of the stack: the outputs) that differ. */
export type Changes = z.infer<typeof Changes>;

const Expected = z.strictObject({ preview: Changes.default({}), refresh: Changes.default({}) });
export type Expected = z.infer<typeof Expected>;

const NATIVE = "-native";
/** The folder of a story's state by one front. */
export const folderOf = (story: string, front: Front): string => (front === "native" ? story + NATIVE : story);

/** A story as a version of this package left it. */
export class Recorded {
  /** Which plugin has written the state. */
  readonly front: Front;
  /** The address that the state was made at. Nothing listens there now. */
  readonly url: string;
  readonly expected: Expected;

  constructor(
    /** "0.1.0/everything" */
    readonly name: string,
    private readonly folder = join(STATES, name),
  ) {
    this.front = name.endsWith(NATIVE) ? "native" : "dynamic";
    this.url = z.string().parse(/^ *agent-platform:baseUrl: (\S+)$/m.exec(this.read("settings"))?.[1]);
    this.expected = Expected.parse(existsSync(this.pathOf("expected")) ? JSON.parse(this.read("expected")) : {});
  }

  /** Those of one front, or of both. */
  static all(front?: Front): Recorded[] {
    return versions()
      .flatMap((version) => foldersIn(join(STATES, version)).map((story) => new Recorded(`${version}/${story}`)))
      .filter((recorded) => front === undefined || recorded.front === front);
  }

  /** Whether the version of this checkout has written it: it says nothing about an upgrade before that is released. */
  get isCurrent(): boolean {
    return this.name.startsWith(`${currentVersion()}/`);
  }

  read(file: keyof typeof FILES): string {
    return readFileSync(this.pathOf(file), "utf8");
  }

  /** What both plugins play is stored once, beside the state of the dynamic one, and a program that has not changed since only in its story. */
  private pathOf(file: keyof typeof FILES): string {
    const shared = this.front === "native" ? this.folder.slice(0, -NATIVE.length) : this.folder;
    const story = file === "program" ? [join(__dirname, "stories", basename(shared))] : [];
    const paths = [this.folder, shared, ...story].map((folder) => join(folder, FILES[file]));
    return paths.find(existsSync) ?? join(this.folder, FILES[file]);
  }

  /**
   * A file as if the platform had been at `url`. If the digest of an address has changed since the state was made, the recorded
   * digest stays, and is then refused.
   */
  at(url: string, file: "state" | "settings"): string {
    const digests = (address: string): string[] =>
      [undefined, TENANT.tenantId, OTHER_TENANT.tenantId].flatMap((tenant) => {
        const origin = originOf(address, tenant);
        return [origin, ...[TENANT, OTHER_TENANT].map(({ apiKey }) => keyMarkOf(origin, apiKey) ?? "")];
      });
    const [then, now] = [digests(this.url), digests(url)];
    return then.reduce(
      (text, digest, index) => text.replaceAll(`"${digest}"`, `"${now[index] ?? ""}"`),
      this.read(file).replaceAll(this.url, url),
    );
  }

  /** The agent of the story, with what it kept; undefined where it has none. */
  startAgent(): Promise<AgentServer | undefined> {
    const file = join(this.folder, FILES.agent);
    return existsSync(file) ? startAgent(file) : Promise.resolve(undefined);
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
