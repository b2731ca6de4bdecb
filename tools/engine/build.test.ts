import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FakeMachine } from "../../tests/support/fake-machine";
import { withProgress } from "./ways";

test("a work says that it begins, and from time to time how long it has taken", async () => {
  jest.useFakeTimers();
  try {
    const log: string[] = [];
    await withProgress(
      (line) => log.push(line),
      "building",
      () => jest.advanceTimersByTimeAsync(40_000),
    );
    await jest.advanceTimersByTimeAsync(40_000);
    expect(log).toEqual(["building", "building: 15 s", "building: 30 s"]);
  } finally {
    jest.useRealTimers();
  }
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
    const onBuild = `${key}
for name in a b c d; do
  [ -e "$GOCACHE/$key$name" ] && continue
  echo $name >> ${machine.folder}/compiled
  [ $name = "${killedAt}" ] && kill -9 $$
  : > "$GOCACHE/$key$name"
done
${machine.goodBuild}`;
    machine.addGo(onBuild);
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
