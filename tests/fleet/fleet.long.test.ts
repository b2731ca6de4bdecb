import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { z } from "zod";
import { revisions as revisionsOf, sandboxTemplates, startEmulator, type Emulator } from "../../emulator";
import { blocksRunBy } from "../docs/blocks";
import { serversHere, type OpenServer } from "../backends/servers";
import { processesOf } from "../support/processes";
import { ok } from "../support/cli-stack";
import { describeWithYaml } from "../support/with-engine";
import { openPostgres } from "../../fleet/database";
import { FleetFolder, type FleetProcess } from "./harness";

// `npm run chaos:engine` plays the whole proof; FLEET_STACKS, FLEET_WORKERS, FLEET_KILLS and FLEET_SEED choose another one.
const chaos = process.env["CHAOS_ENGINE"] !== undefined;
const number = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const STACKS = number("FLEET_STACKS", chaos ? 300 : 20);
const WORKERS = number("FLEET_WORKERS", 3);
const KILLS = number("FLEET_KILLS", chaos ? 30 : 6);
const SEED = number("FLEET_SEED", 7);
const CONCURRENCY = number("FLEET_CONCURRENCY", 2);
/** How long a platform is away, in seconds. */
const AWAY = chaos ? 60 : 3;
const [BROKEN, LOCKED] = [STACKS - 1, STACKS - 2];

const Status = z.object({
  verdict: z.string().nullable(),
  at: z.object({ wave: z.string(), gate: z.string().optional() }).nullable(),
  stacks: z.array(
    z.object({ stack: z.string(), wave: z.string(), state: z.string(), reason: z.string(), log: z.string() }),
  ),
});
const EngineRow = z.object({
  run: z.string(),
  stack: z.string(),
  command: z.string(),
  pid: z.number().nullable(),
  began: z.date(),
  ended: z.date().nullable(),
  how: z.string().nullable(),
});

let emulators: Emulator[] = [];
let fleet: FleetFolder;
beforeEach(async () => {
  emulators = await Promise.all([
    startEmulator({ apiKey: "key-of-the-fleet" }),
    startEmulator({ apiKey: "key-of-the-fleet" }),
  ]);
});
afterEach(() => Promise.all(emulators.map((emulator) => emulator.close())));
afterEach(() => fleet.remove());

const statusOf = async (): Promise<z.output<typeof Status>> => {
  const { code, stdout, output } = await fleet.run(["status", "--format", "json"]);
  if (code !== 0) throw new Error(output);
  return Status.parse(JSON.parse(stdout));
};
const templates = (): string[] =>
  emulators.flatMap((emulator) =>
    emulator
      .outOfBand(sandboxTemplates)
      .list()
      .map(({ name }) => name),
  );

async function until<T>(
  look: () => Promise<T | undefined>,
  seconds = Number(process.env["FLEET_PATIENCE"] ?? 300),
): Promise<T> {
  const late = Date.now() + seconds * 1000;
  for (;;) {
    let last = "nothing failed";
    const found = await look().catch((error: unknown) => void (last = String(error)));
    if (found !== undefined) return found;
    if (Date.now() > late) throw new Error(`waited too long; ${last}`);
    await pause(200);
  }
}

/** Not by `status`, which takes a processor from what it waits for. */
const atGate = (run: FleetProcess): Promise<true> =>
  until(() => Promise.resolve(run.output.includes("waits for approve") || undefined));

/** Numbers that look random, and are the same in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const WAVES = `
stacks:
  - project: agents/*
waves:
  - name: canary
    share: 10%
    gate: { checks: passed, drift: clean, approve: true }
  - name: half
    share: 50%
  - name: rest
`;

function urlOf(server: OpenServer): string {
  const { PULUMI_BACKEND_URL: address = "", PGPASSWORD: password = "" } = server.environment("none");
  return address.replace("@", `:${password}@`).replace(/\?.*$/, "");
}

const AGENT = `  agent:
    type: agent-platform:Deployment
    properties:
      name: NAME
      source: external_docker
      sourceConfig: { customUrl: "https://NAME.example" }
      sourceRevisionConfig: { imageUri: "registry.example/agent:1" }
      secrets: { MODEL_KEY: "\${modelKey}" }
  serving:
    type: agent-platform:Rollout
    properties:
      deploymentId: "\${agent.id}"
      revisionId: "\${agent.latestRevisionId}"
      deploymentName: NAME
      customUrl: "https://NAME.example"
`;

const postgres = serversHere().find(({ name }) => name === "Postgres")?.open;
const describeWithPostgres = postgres === undefined ? describe.skip : describeWithYaml;

describeWithPostgres("a fleet on Postgres", () => {
  let server: OpenServer;
  let url = "";
  const workers: FleetProcess[] = [];
  beforeAll(async () => {
    if (postgres === undefined) return;
    server = await postgres();
    url = urlOf(server);
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await server.remove();
  });

  const engines = async (where = "true"): Promise<z.output<typeof EngineRow>[]> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query(`SELECT * FROM fleet.engines WHERE ${where} ORDER BY id`);
      return rows.map((row) => EngineRow.parse(row));
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  test("workers that begin at once on a new database make its tables once", async () => {
    fleet = await FleetFolder.make(1, emulators, { FLEET_DATABASE_URL: url });
    fleet.plan("stacks:\n  - project: agents/*\n");
    const begun = [1, 2, 3].map(() => fleet.start("worker"));
    workers.push(...begun);
    const takePart = (): boolean => begun.every(({ output }) => output.includes("takes part"));
    await until(() => Promise.resolve(takePart() ? true : undefined), 60);
    await Promise.all(workers.splice(0).map((worker) => worker.kill("SIGINT")));
    expect(begun.map(({ code, output }) => [code, output.match(/error/)])).toEqual([1, 2, 3].map(() => [130, null]));
  });

  test("a connection that breaks while its worker does something alone does not end the worker", async () => {
    fleet = await FleetFolder.make(1, emulators);
    const database = await openPostgres(url);
    const act = async (): Promise<string> => {
      const held =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock(6120714)'";
      expect((await database.pool.query(held)).rowCount).toBe(1);
      await pause(200);
      return "done";
    };
    expect(await database.alone(act)).toBe("done");
    expect(await database.alone(() => Promise.resolve("again"))).toBe("again");
    await database.close();
  });

  test("rotate: any worker that has the key of the fleet takes part, the new value serves, and is in no log and not in the database", async () => {
    fleet = await FleetFolder.make(2, emulators, {
      FLEET_DATABASE_URL: url,
      FLEET_KEY: "a key of sixteen characters",
    });
    fleet.plan("stacks:\n  - project: agents/*\n");
    for (const at of [0, 1]) {
      fleet.writeProgram(at, AGENT.replaceAll("NAME", fleet.name(at)), "  modelKey: { type: string, secret: true }\n");
      ok(await fleet.pulumiWith(at, "the-leaked-value", "config", "set", "--secret", "modelKey", "--stack=prod"));
    }
    workers.push(fleet.start("worker"), fleet.start("worker"));
    expect((await fleet.run(["up"])).code).toBe(0);
    const revisions = (): number => emulators.flatMap((each) => each.outOfBand(revisionsOf).list()).length;
    const before = revisions();
    const { code, output } = await fleet.run(["rotate", "modelKey"], { input: "the-value-that-follows" });
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("Every agent serves the newest secrets of its program."),
    ]);
    expect(revisions()).toBe(before + 2);
    const config = await fleet.pulumi(1, "config", "get", "modelKey", "--stack=prod");
    expect(config.stdout.trim()).toBe("the-value-that-follows");
    const places = [join(fleet.folder, ".state"), join(server.folder, "data")];
    const found = spawnSync("grep", ["-rlaE", "the-value-that-follows|the-leaked-value", ...places], {
      encoding: "utf8",
    });
    expect([found.stdout, output.includes("the-value")]).toEqual(["", false]);
    for (const worker of workers.splice(0)) await worker.kill();
  });

  test(`${STACKS} stacks, ${WORKERS} workers, ${KILLS} kills: each stack ends as declared, or is named with its reason`, async () => {
    const environment = { FLEET_DATABASE_URL: url };
    fleet = await FleetFolder.make(STACKS, emulators, environment);
    fleet.plan(`${WAVES}limits: { concurrency: ${CONCURRENCY}, failures: ${STACKS} }\n`);
    fleet.write(BROKEN, "500x");
    fleet.lockByPerson(LOCKED);
    const roll = dice(SEED);
    const up = fleet.start("up");
    for (let at = 1; at < WORKERS; at++) workers.push(fleet.start("worker"));
    const killed = { workers: 0, supervisors: 0, engines: 0, databases: 0 };
    const kill = async (): Promise<void> => {
      const running = await engines("ended IS NULL AND pid IS NOT NULL");
      const which = roll(7);
      const [victim] = running.slice(roll(Math.max(1, running.length)));
      if (which === 5) {
        killed.databases++;
        process.kill(
          Number(readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n")[0]),
          "SIGQUIT",
        );
        await pause(300);
        await server.stop();
        await server.start();
      } else if (which === 6) {
        killed.supervisors++;
        const [supervisor] = processesOf(fleet, /fleet\/dist\/supervisor/);
        if (supervisor !== undefined) process.kill(supervisor, "SIGKILL");
      } else if (which >= 3 && victim?.pid != null) {
        killed.engines++;
        process.kill(-victim.pid, "SIGKILL");
      } else if (roll(WORKERS) === 0) {
        killed.workers++;
        await up.kill();
        // Not another `up`: where the run has just ended, it would begin the next one.
        workers.push(fleet.start("worker"));
      } else {
        killed.workers++;
        const [worker] = workers.splice(roll(workers.length), 1);
        await worker?.kill();
        workers.push(fleet.start("worker"));
      }
    };
    const outage = async (): Promise<void> => {
      const fault = emulators[0]?.faults.add({ kind: "status", status: 503 });
      await pause(AWAY * 1000);
      fault?.remove();
    };
    await atGate(up);
    const before = await engines();
    expect(new Set(before.map(({ stack }) => stack)).size).toBe(Math.ceil(STACKS / 10));
    await fleet.run(["approve"]);
    const approved = Date.now();
    // One kill each time that some stacks have been done.
    const between = Math.max(1, Math.floor((STACKS * 0.8) / KILLS));
    for (let count = 0; count < KILLS; count++) {
      await until(async () => {
        const { verdict, stacks } = await statusOf();
        const done = stacks.filter(({ state }) => state !== "waiting" && state !== "running").length;
        return verdict !== null || done >= Math.ceil(STACKS / 10) + count * between ? true : undefined;
      });
      await kill().catch((error: unknown) => process.stderr.write(`a kill did not work: ${String(error)}\n`));
      if (count === Math.floor(KILLS / 2)) await outage();
    }
    const first = await until(async () => {
      const found = await statusOf();
      return found.verdict === null ? undefined : found;
    });
    // Whoever has met the platform's outage is named, and succeeds once it is back.
    const met = first.stacks.filter(({ reason }) => reason.includes("503")).length;
    if (met > 0) await fleet.run(["retry"]);
    const { stacks, verdict } = met > 0 ? await statusOf() : first;
    const rows = await engines();
    const all = rows.filter(({ run }) => run === rows[0]?.run);
    process.stderr.write(
      `${JSON.stringify(killed)}; ${rows.length} engines for ${STACKS} stacks; ${met} met the outage, ${stacks.filter(({ state }) => state === "succeeded").length} succeeded\n`,
    );

    expect(verdict).toBe("done, with failures");
    const bad = stacks.filter(({ state }) => state !== "succeeded");
    const reasons = new Map(bad.map(({ stack, state, reason }) => [stack, `${state}: ${reason}`]));
    expect(reasons.get(fleet.id(BROKEN))).toMatch(/^failed: .*resources\.cpu/);
    expect(reasons.get(fleet.id(LOCKED))).toMatch(
      /^locked: locked by anna@laptop \(pid 4242\) since 2026-11-27T10:00:00Z/,
    );
    // A create that a kill has cut off leaves an object that the state lacks: named, and for a person to adopt.
    const cutOff = [...reasons].filter(([stack]) => ![fleet.id(BROKEN), fleet.id(LOCKED)].includes(stack));
    for (const [stack, reason] of cutOff) {
      expect(reason).toContain("already exists on the platform");
      expect(rows.some((engine) => engine.stack === stack && engine.how !== "code 0")).toBe(true);
    }
    const names = templates();
    expect(names).toHaveLength(STACKS - 2);
    expect(new Set(names).size).toBe(STACKS - 2);

    expect(fleet.overlaps()).toBe("");
    const times = all.filter(({ command }) => / up |pulumi up/.test(command));
    const wave = new Map(stacks.map((each) => [each.stack, each.wave]));
    const of = (name: string) => times.filter(({ stack }) => wave.get(stack) === name);
    const firstOf = (name: string): number => Math.min(...of(name).map(({ began }) => began.getTime()));
    const lastOf = (name: string): number => Math.max(...of(name).map(({ ended }) => ended?.getTime() ?? Infinity));
    expect(firstOf("half")).toBeGreaterThan(Math.max(lastOf("canary"), approved - 2_000));
    expect(firstOf("rest")).toBeGreaterThan(lastOf("half"));
    for (const { log } of first.stacks) expect(readFileSync(log, "utf8")).not.toContain("key-of-the-fleet");
    // Not later: without its database, it would wait for that.
    await until(() => Promise.resolve(up.hasEnded || undefined), 60);
  });
});

describeWithPostgres("a database of its own", () => {
  let server: OpenServer;
  beforeEach(async () => {
    if (postgres !== undefined) server = await postgres();
  });
  afterEach(() => server.remove());

  test("that is away for longer than a lease: the engines end in time, and the run goes on when it is back", async () => {
    fleet = await FleetFolder.make(4, emulators, { FLEET_DATABASE_URL: urlOf(server) });
    const gate = "waves: [{ name: all, gate: { approve: true } }]";
    fleet.plan(`stacks:\n  - project: agents/*\nlimits: { concurrency: 2, failures: 9 }\n${gate}\n`);
    const stranger = fleet.startOn("v3.200.1", "worker");
    await until(() => Promise.resolve(stranger.output.includes("takes part") || undefined), 60);
    const [up, worker] = [fleet.start("up"), fleet.start("worker")];
    // Not by `status`: on a busy machine, that takes longer than an engine.
    const client = new Client({ connectionString: urlOf(server) });
    await client.connect();
    const engines = "SELECT 1 FROM fleet.engines WHERE pid IS NOT NULL AND ended IS NULL";
    await until(async () => (await client.query(engines)).rowCount || undefined, 60).finally(() => client.end());
    await server.stop();
    await pause(8_000);
    expect(processesOf(fleet, /bin\/pulumi\0up\0/)).toEqual([]);
    await server.start();
    // Whoever could do nothing of it says why, once, while it goes on.
    await until(() => Promise.resolve(stranger.output.includes(" began up-") || undefined), 60);
    await atGate(up);
    expect((await fleet.run(["approve"])).code).toBe(0);
    await up.end();
    await worker.kill();
    await stranger.kill();
    expect(stranger.output.match(/ began up-/g)).toHaveLength(1);
    expect(worker.output).toMatch(/the database does not answer, and the run waits for it[^]*it answers again/);
    expect(up.output).toMatch(/: done[^\n]*; \d succeeded/);
    expect(fleet.overlaps()).toBe("");
  });

  test("that was killed after it had handed stacks out, and before it said so: they are run", async () => {
    fleet = await FleetFolder.make(3, emulators, { FLEET_DATABASE_URL: urlOf(server) });
    fleet.plan("stacks:\n  - project: agents/*\nlimits: { concurrency: 1 }\n");
    const up = fleet.start("up");
    const client = new Client({ connectionString: urlOf(server) });
    await client.connect();
    try {
      const lose = `UPDATE dbos.workflow_status SET status = 'PENDING', owner_xid = 'lost', executor_id = (SELECT id FROM fleet.workers)
        WHERE name = 'stack' AND status = 'ENQUEUED'`;
      await until(async () => (await client.query(lose)).rowCount || undefined, 60);
      await until(() => Promise.resolve(up.hasEnded || undefined), 60);
    } finally {
      await client.end();
      await up.kill();
    }
    expect(up.output).toContain("done; 3 succeeded");
  });
});

describeWithYaml("a fleet on the embedded database", () => {
  test("goes on after a kill, and tells others how it stands meanwhile", async () => {
    fleet = await FleetFolder.make(3, emulators);
    fleet.plan("stacks:\n  - project: agents/*\nlimits: { concurrency: 2 }\n");
    const first = fleet.start("up");
    await until(() => Promise.resolve(fleet.haveBegun() || undefined));
    expect((await statusOf()).stacks.some(({ state }) => state !== "waiting")).toBe(true);
    await first.kill();
    const { code, output } = await fleet.run(["up"]);
    expect(output).toContain("goes on");
    expect(output).toMatch(/3 succeeded|already\s+exists\s+on\s+the\s+platform/);
    expect([0, 1]).toContain(code);
    expect(fleet.overlaps()).toBe("");
    expect((await fleet.run(["drift"])).output).toMatch(/drift-\d+-\w+: done/);
  });

  test("the fleet of the page: waves, a gate that waits for a person, no drift, a change by hand, and an end", async () => {
    const block = blocksRunBy("tests/fleet/fleet.long.test.ts").find(({ language }) => language === "yaml");
    fleet = await FleetFolder.make(3, emulators);
    fleet.plan(block?.code ?? "");
    const approved = async (...args: string[]): Promise<string> => {
      const run = fleet.start(...args);
      await atGate(run);
      expect(templates()).toHaveLength(args[0] === "up" ? 1 : 2);
      expect((await fleet.run(["approve"])).code).toBe(0);
      await run.end();
      return run.output;
    };
    expect(await approved("up")).toMatch(/: done; 3 succeeded\n/);
    expect(await fleet.run(["drift"])).toMatchObject({ code: 0 });
    emulators[0]?.outOfBand(sandboxTemplates).change(fleet.name(0), { image: "python:3.13" });
    const drift = await fleet.run(["drift"]);
    expect([drift.code, drift.output]).toEqual([7, expect.stringMatching(/drifted +[\d.]+ +drifted: agent-0000$/m)]);
    expect(await approved("destroy", "--yes")).toMatch(/: done; 3 succeeded\n/);
    expect(templates()).toEqual([]);
  });
});
