import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Compilation } from "./compilation";
import { FakeMachine } from "./fake-machine";
import { logTo, outlook, withProgress } from "./progress";

/** What `go list` says: two packages that are compiled already, and three that are not. */
const LISTED = `false 40 0 runtime
false 2 10 fmt
true 10 100 example.com/a
true 4 50 example.com/b
true 2 100 example.com/cmd
`;

describe("how far a build is", () => {
  test("counts what Go has left to compile, by its files and what it is built on, and linking at last", () => {
    const compilation = new Compilation(LISTED);
    const shares = [
      "runtime",
      "example.com/a",
      "go: a warning",
      "example.com/b",
      "example.com/b",
      "example.com/cmd",
    ].map((line) => {
      compilation.onLine(line);
      return Math.round(compilation.share * 100);
    });
    expect(shares).toEqual([0, 54, 54, 76, 76, 94]);
  });

  test("nothing listed is no share, and nothing left to compile is all but the linking", () => {
    expect(new Compilation("").share).toBe(0);
    const [first = ""] = LISTED.split("\n");
    expect(new Compilation(first).share).toBe(0);
  });

  test.each([
    [0.0, 5_000, "0 %"],
    [0.029, 5_000, "2 %"],
    [0.03, 5_000, "3 %, about 2 min 50 s left"],
    [0.43, 60_000, "43 %, about 1 min 20 s left"],
    [0.5, 7_200_000, "50 %, about 120 min 00 s left"],
    [0.999, 60_000, "99 %, about 10 s left"],
  ])("a share of %d after %d ms is %j", (share, milliseconds, said) => {
    expect(outlook(share, milliseconds)).toBe(said);
  });

  test.each([
    [true, "building\n\x1b[1A\x1b[2Kbuilding: 40 %\n\x1b[1A\x1b[2Kbuilding: 80 %\nbuilt\n"],
    [false, "building\nbuilding: 40 %\nbuilding: 80 %\nbuilt\n"],
  ])("where standard error is a terminal (%j), its progress stays on one line", async (isTTY, expected) => {
    jest.useFakeTimers();
    try {
      let written = "";
      const log = logTo({ isTTY, write: (text: string | Uint8Array) => (written += String(text)) !== "" });
      await withProgress(
        log,
        "building",
        (milliseconds) => `${milliseconds / 125} %`,
        () => jest.advanceTimersByTimeAsync(10_000),
      );
      log("built");
      expect(written).toBe(expected);
    } finally {
      jest.useRealTimers();
    }
  });

  test("a line of each program that is built fits into 80 columns, for builds of up to a quarter of an hour", () => {
    for (const name of ["the Pulumi engine 3.246.0", "the YAML language host 1.38.3", "the S3 server versitygw 1.8.0"])
      expect(`building ${name} with Go: ${outlook(0.1, 90_000)}`.length).toBeLessThanOrEqual(80);
  });
});

describe("what Go has compiled", () => {
  let machines: FakeMachine[];
  let goCache: string;
  beforeEach(() => {
    machines = [new FakeMachine(), new FakeMachine()];
    goCache = join(machines[0]?.folder ?? "", "go-cache");
    mkdirSync(goCache);
  });
  afterEach(() => machines.forEach((machine) => machine.remove()));

  /** A Go that keeps what it compiles, as the real one does for this environment and these flags, and is killed at a package. */
  function addGo(machine: FakeMachine, killedAt?: string): void {
    machine.addFailingDownload();
    machine.env.GOCACHE = goCache;
    const key = 'case "$all" in *" -trimpath "*) key="$CGO_ENABLED$GOFLAGS";; *) key=of-this-folder-only-$$;; esac';
    const onList = `${key}
for name in a b c d; do stale=true; [ -e "$GOCACHE/$key$name" ] && stale=false; echo "$stale 10 0 $name"; done`;
    const onBuild = `${key}
for name in a b c d; do
  [ -e "$GOCACHE/$key$name" ] && continue
  echo $name >> ${machine.folder}/compiled
  [ $name = "${killedAt}" ] && kill -9 $$
  : > "$GOCACHE/$key$name"
done
${machine.goodBuild}`;
    machine.addGo(onBuild, "1.26.0", onList);
  }
  const compiled = (machine: FakeMachine): string[] => {
    const file = join(machine.folder, "compiled");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };

  test("is not compiled again by a build after one that was cut off, or in another clone", async () => {
    const [machine = new FakeMachine(), clone = new FakeMachine()] = machines;
    addGo(machine, "c");
    await expect(machine.ensure()).rejects.toThrow("go ended with SIGKILL");
    addGo(machine);
    await expect(machine.ensure()).resolves.toMatchObject({ source: "build" });
    expect(compiled(machine)).toEqual(["a", "b", "c", "c", "d"]);

    addGo(clone);
    await expect(clone.ensure()).resolves.toMatchObject({ source: "build" });
    expect(compiled(clone)).toEqual([]);
  });
});
