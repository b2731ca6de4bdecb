import assert from "node:assert/strict";
import { blockOf } from "../blocks";
import type { Reader } from "../reader";
import { SomebodyElse } from "../somebody-else";

/** What the chapters of the walk share: the reader, and the platform as somebody else sees it. */
export class Walk {
  private seen: SomebodyElse | undefined;
  /** The key of the platform. */
  key = "";
  /** Where the emulator logs each request, if it does. */
  log = "";

  constructor(readonly reader: Reader) {}

  /** The platform of the emulator that runs now. */
  get platform(): SomebodyElse {
    if (this.seen === undefined) throw new Error("no platform runs yet");
    return this.seen;
  }

  /** Takes the platform that has just been started, with the key that its file has. */
  meet(keyFile: string): SomebodyElse {
    this.key = this.reader.read(keyFile).trim();
    this.seen = new SomebodyElse(this.reader.url, this.key);
    return this.seen;
  }

  /** The program and the state agree, and so do the state and the platform. */
  async nothingToDo(): Promise<void> {
    await this.reader.shell("pulumi preview --refresh --expect-no-changes");
  }

  /** The platform gets no request that writes. */
  async writesNothing(doing: () => Promise<unknown>): Promise<void> {
    const before = this.writes();
    await doing();
    assert.deepEqual(this.writes(), before);
  }

  private writes(): string[] {
    const lines = this.reader.read(this.log).trim().split("\n");
    return lines.filter((line) => /"method":"(?:POST|PUT|PATCH|DELETE)"/.test(line));
  }

  /** Puts the resource of a page's program in the place of one of `index.ts`. */
  declare(step: string, name: string): void {
    const statement = this.reader
      .take(step)
      .code.replace(/^import .*\n/gm, "")
      .trim();
    const declaration = new RegExp(`^const ${name} = [^]*?;\\n(?=\\n)`, "m").exec(this.reader.read("index.ts"))?.[0];
    if (declaration === undefined) throw new Error(`index.ts declares no ${name}`);
    this.reader.edit("index.ts", declaration, `const ${name} = ${statement}\n`);
  }

  /** A project of its own below that of docs/start.md: it uses the same packages. */
  async project(name: string, program: string): Promise<void> {
    const { reader } = this;
    await reader.shell(`mkdir ${name} && cd ${name}`);
    const project = blockOf("start-pulumi-yaml")
      .code.replace("support", name)
      .replace("./node_modules", "../node_modules");
    reader.write("Pulumi.yaml", project);
    // Without one, the engine would take the program that the package.json above names.
    reader.write("package.json", JSON.stringify({ name, main: "index.ts" }));
    reader.write("index.ts", program);
  }
}
