/** For `go list -deps`: a package a line, and what tells how long it takes to compile. */
export const PACKAGES = "{{.Stale}} {{len .GoFiles}} {{len .Deps}} {{.ImportPath}}";

/** To link takes 2 % of the time that compiling everything takes. */
const LINKING = 0.02;
/** A quarter of the engine's time goes into these 22 packages, which are generic: each weighs as much as so many of its kind. */
const SLOW = { packages: /^github\.com\/pb33f\/libopenapi\b/, factor: 15 } as const;

/** How long a package takes: it has files, and reads what it is built on. This follows the time more closely than files or bytes alone. */
function weightOf(name: string, files: number, dependencies: number): number {
  return (files + dependencies / 50) * (SLOW.packages.test(name) ? SLOW.factor : 1);
}

/** How far `go build -v` is, from what `go list` said before it. */
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
      const weight = weightOf(name, Number(files), Number(dependencies));
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
