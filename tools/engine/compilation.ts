/** For `go list -deps`: a package a line, and what tells how long it takes to compile. */
export const PACKAGES = "{{.Stale}} {{len .GoFiles}} {{len .Deps}} {{.ImportPath}}";

/** To link takes 2 % of the time that compiling everything takes. */
const LINKING = 0.02;

/**
 * How far `go build -v` is, from what `go list` said before it. A package weighs as much as its files, and 50 that it is built on weigh
 * as much as a file: measured, this follows the time more closely than counting packages, files or bytes.
 */
export class Compilation {
  private readonly left = new Map<string, number>();
  private readonly total: number;
  private done = 0;

  /** What an earlier build has compiled, even one that was cut off, is in Go's cache and takes no time. */
  constructor(listed: string) {
    let everything = 0;
    let stale = 0;
    for (const line of listed.split("\n").filter((each) => each !== "")) {
      const [isStale, files = "", dependencies = "", name = ""] = line.split(" ");
      const weight = Number(files) + Number(dependencies) / 50;
      everything += weight;
      if (isStale !== "true") continue;
      stale += weight;
      this.left.set(name, weight);
    }
    this.total = stale + everything * LINKING;
  }

  /** Takes a line of `go build -v`: the name of a package that it begins with. */
  readonly onLine = (line: string): void => {
    this.done += this.left.get(line) ?? 0;
    this.left.delete(line);
  };

  /** Between 0 and 1. */
  get share(): number {
    return this.total === 0 ? 0 : this.done / this.total;
  }
}
