import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sandboxTemplates, startEmulator, type Emulator } from "../emulator";
import { resolveConnection } from "../provider/base/connection";
import type { JsonObject } from "../provider/base/json";
import type { Setting } from "../provider/base/settings";
import { clientOf } from "../provider/functions/platform-client";
import { createSession } from "../provider/lifecycle/session";
import { resourceTypeOf } from "../provider/resources/resource-types";
import { CliStack, ok, type Workplace } from "../tests/support/cli-stack";
import { runProcess } from "../tests/support/run-process";
import { atMost, inMegabytes, rowOf, seconds, timed, type Measured } from "./row";

const [STACKS, FEW, BY_ENGINE, CHANGED] = [1_000, 111, 20, 100];
const MOST = { seconds: 60, megabytes: 500 };
const CLI = join(__dirname, "..", "..", "..", "dist", "cli", "main.js");
/** Runs the command line, and says how much memory it took at most. */
const WATCHED = `process.argv.splice(1, 0, ${JSON.stringify(CLI)});
process.on("exit", () => console.error("maxRSS " + process.resourceUsage().maxRSS));
require(${JSON.stringify(CLI)});`;

const PROGRAM = `
  const desk = new platform.Deployment("desk", {
    source: "external_docker", sourceConfig: { customUrl: "https://desk.example" }, sourceRevisionConfig: { imageUri: "a:1" },
  });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "s", authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
  });
  for (let n = 0; n < 7; n++) new platform.SandboxTemplate("code" + n, { name: "code" + n, image: "python:3.12", resources: { cpu: "1" } });
`;

const Resource = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.json()).default({}),
  outputs: z.record(z.string(), z.json()).default({}),
});
const State = z.looseObject({
  checkpoint: z.looseObject({ latest: z.looseObject({ resources: z.array(Resource) }) }),
});
type State = z.infer<typeof State>;

/** `drift --stacks` of 1,000 stacks with 10,000 resources on two platforms, against \`pulumi refresh --preview-only\` of 20 of them. */
export async function manyStacks(): Promise<Measured> {
  const emulators = await Promise.all([0, 1].map(() => startEmulator({ buildSeconds: 0 })));
  const [first] = emulators;
  if (first === undefined) throw new Error("no emulator");
  const stack = await CliStack.make(PROGRAM, { front: "native" });
  // The key of all stacks, which no state has.
  stack.environment["AGENT_PLATFORM_API_KEY"] = first.apiKey;
  try {
    await stack.configure({ "agent-platform:baseUrl": first.url });
    ok(await stack.up());
    const folder = join(stack.folder, "backend", ".pulumi", "stacks", "test");
    const made = State.parse(JSON.parse(readFileSync(join(folder, "test.json"), "utf8")));
    for (let n = 0; n < STACKS; n++) {
      const emulator = emulators[n % emulators.length] ?? first;
      writeFileSync(join(folder, `s${n}.json`), JSON.stringify(await madeAgain(made, `s${n}`, emulator)));
    }
    for (let n = 0; n < CHANGED; n++)
      (emulators[n % 2] ?? first).outOfBand(sandboxTemplates).change(`code1-s${n}`, { image: "python:3.13" });
    const [few, drift] = [await own(stack, emulators, FEW, ["s1*"]), await own(stack, emulators, STACKS, ["s*"])];
    const engine = await timed(async () => {
      for (let n = 0; n < BY_ENGINE; n++) {
        copyFileSync(join(stack.folder, "Pulumi.test.yaml"), join(stack.folder, `Pulumi.s${n}.yaml`));
        ok(await stack.run(["refresh", "--preview-only", `--stack=s${n}`]));
      }
    });
    return { rows: rowsOf(drift, few, engine) };
  } finally {
    stack.remove();
    for (const emulator of emulators) await emulator.close();
  }
}

/** The state of a stack whose objects are made by the provider itself, in this process. */
async function madeAgain(made: State, name: string, emulator: Emulator): Promise<State> {
  const { latest } = made.checkpoint;
  const settings: Partial<Record<Setting, string>> = {
    baseUrl: emulator.url,
    apiKey: emulator.apiKey,
    rateLimit: "1000000",
  };
  const client = clientOf(
    resolveConnection((setting) => settings[setting], {}),
    createSession(),
  );
  const ids: JsonObject = {};
  const resources: unknown[] = [];
  for (const row of latest.resources) {
    const kind = resourceTypeOf(row.type);
    const inputs: JsonObject = { ...row.inputs };
    for (const key of ["name", "providerId"]) if (kind && typeof inputs[key] === "string") inputs[key] += `-${name}`;
    const moved = { ...inputs, ...("baseUrl" in inputs && { baseUrl: emulator.url }) };
    if (kind === undefined) resources.push({ ...row, inputs: moved, outputs: row.outputs });
    else {
      const sent = {
        ...moved,
        ...(kind === "Rollout" && { ...ids }),
        ...(kind === "OAuthProvider" && { clientSecret: "s" }),
      };
      const { id, outputs } = await client.resource(kind).verbs.create(sent);
      if (kind === "Deployment") Object.assign(ids, { deploymentId: id, revisionId: outputs["latestRevisionId"] });
      const { clientSecret } = row.inputs;
      const closed = kind === "OAuthProvider" ? { clientSecret } : {};
      resources.push({ ...row, id, inputs: { ...sent, ...closed }, outputs: { ...outputs, ...closed } });
    }
  }
  const text = JSON.stringify({
    ...made,
    checkpoint: { ...made.checkpoint, stack: `organization/test/${name}`, latest: { ...latest, resources } },
  });
  return State.parse(JSON.parse(text.replaceAll("urn:pulumi:test::", `urn:pulumi:${name}::`)));
}

/** A stack that took an engine is none. */
const Stacks = z.object({
  stacks: z.array(z.looseObject({ outcome: z.string(), engine: z.never().optional() })),
});

interface Own {
  readonly ms: number;
  readonly megabytes: number;
  readonly found: number;
  readonly requests: number;
}

async function own(
  { folder, environment }: Workplace,
  emulators: readonly Emulator[],
  count: number,
  patterns: readonly string[],
): Promise<Own> {
  for (const emulator of emulators) emulator.clearLog();
  const args = ["drift", ...patterns.flatMap((each) => ["--stacks", each]), "--format", "json"];
  let [stdout, stderr] = ["", ""];
  const ms = await timed(async () => {
    const ended = await runProcess(process.execPath, ["-e", WATCHED, ...args], folder, { environment });
    [stdout, stderr] = [ended.stdout, ended.stderr];
  });
  const { stacks } = Stacks.parse(JSON.parse(stdout));
  if (stacks.length !== count) throw new Error(`${stacks.length} stacks`);
  const found = stacks.filter(({ outcome }) => outcome === "drift").length;
  const megabytes = Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024;
  return { ms, megabytes, found, requests: emulators.reduce((sum, { requests }) => sum + requests.length, 0) };
}

const inTenths = (ms: number): string => `${ms.toFixed(1)} ms`;

function rowsOf({ ms, megabytes, found, requests }: Own, few: Own, engine: number): Measured["rows"] {
  const what = "drift of 1,000 stacks with 10,000 resources on two platforms";
  const each = (engine / BY_ENGINE) * STACKS;
  return [
    rowOf(`${what}, against ${MOST.seconds} s`, ms, MOST.seconds * 1000, seconds, atMost(1)),
    rowOf(`${what}: memory, against ${MOST.megabytes} MB`, megabytes, MOST.megabytes, inMegabytes, atMost(1)),
    rowOf(`${what}: changed stacks that it finds, against those that were changed`, found, CHANGED, String, atMost(1)),
    rowOf(`${what}: requests, against 20`, requests, 20, String, atMost(2)),
    rowOf(`${what}: time for each stack, against that of 111`, ms / STACKS, few.ms / FEW, inTenths, atMost(1)),
    rowOf(`${what}, against an engine each (20 measured, times ${STACKS / BY_ENGINE})`, ms, each, seconds, atMost(0.1)),
  ];
}
