import fc from "fast-check";
import { z } from "zod";
import { revisions } from "../../emulator";
import { compact, isObject, UNKNOWN, type Json, type JsonObject } from "../../provider/base/json";
import { pickInputs, inputsFromState } from "../../provider/lifecycle/state";
import type { Plan, PlannedRequest } from "../../provider/lifecycle/plan";
import { rulesOf } from "../../provider/lifecycle/fields/table";
import { MANAGED_TYPES, type ManagedType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { record } from "../reliability/record";
import { CheckFailed, type EngineModel } from "../support/engine-model";
import { PlatformUnderTest } from "../support/platform-under-test";
import { isThorough } from "../support/thorough";
import { programsOf } from "./programs-of-types";

// A plan says what `up` sends before anything is sent: what is certain comes, and nothing comes that it does not name. So the requests that the
// real handlers send to the emulator are compared with the plan of the same change, in which some values are not known yet.

const RUNS = Number(process.env["CHAOS_RUNS"] ?? (isThorough ? 1000 : 100));
const SEED = Number(process.env["CHAOS_SEED"] ?? 4711);

const PLATFORMS = ["values", "names"] as const;
const platforms = new Map<string, PlatformUnderTest>();
/** That of the change that is judged. */
let platform: PlatformUnderTest;
beforeAll(async () => {
  for (const secrets of PLATFORMS) platforms.set(secrets, await PlatformUnderTest.start({ buildSeconds: 0, secrets }));
});
afterAll(() => Promise.all([...platforms.values()].map((each) => each.close())));

interface Change {
  readonly kind: ManagedType;
  /** Brought up one after the other. */
  readonly before: readonly JsonObject[];
  /** Whether somebody else makes a revision of the deployment then. */
  readonly isPushed: boolean;
  /** What the platform shows of variables. */
  readonly shows: (typeof PLATFORMS)[number];
  readonly after: JsonObject;
  /** Which of its values are not known before `up`, as a share. */
  readonly unknown: readonly boolean[];
}
const change = fc
  .constantFrom<ManagedType[]>("Deployment", "Deployment", ...MANAGED_TYPES)
  .chain((kind) => fc.constantFrom(...programsOf(kind)).map((program) => ({ kind, program })))
  .chain(({ kind, program }) =>
    fc.record<Change>({
      kind: fc.constant(kind),
      before: fc.oneof(fc.constant([]), {
        weight: 5,
        arbitrary: fc.array(program, { minLength: 1, maxLength: kind === "Deployment" ? 2 : 1 }),
      }),
      isPushed: fc.boolean(),
      shows: fc.constantFrom(...PLATFORMS),
      after: fc
        .tuple(program, fc.constantFrom(undefined, undefined, true))
        .map(([values, adopt]) => compact({ ...values, adopt })),
      unknown: fc.array(fc.constantFrom(false, false, false, true), { minLength: 40, maxLength: 40 }),
    }),
  );

/** The program as a preview sees it. What the engine never leaves open here: names, and what a replacement would hang on. */
const KNOWN = ["name", "source", "providerId", "computeId", "adopt"];
function withUnknowns(program: JsonObject, unknown: readonly boolean[]): JsonObject {
  let next = 0;
  const blur = (value: Json | undefined): Json | undefined => {
    if (unknown[next++ % unknown.length]) return UNKNOWN;
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, blur(each)])) : value;
  };
  return Object.fromEntries(
    Object.entries(program).map(([key, value]) => [key, KNOWN.includes(key) ? value : blur(value)]),
  );
}

const Body = z.record(z.string(), z.unknown()).catch({});
const sent = (): { method: string; fields: string[] }[] =>
  platform.emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, requestBody }) => ({ method, fields: Object.keys(Body.parse(requestBody)).sort() }));

/** Where the requests are not what the plan says; undefined if they are. */
function lie(planned: readonly PlannedRequest[], requests: ReturnType<typeof sent>): string | undefined {
  const [first, ...rest] = planned;
  const [request, ...others] = requests;
  if (first === undefined) return request && `${request.method} of ${request.fields.join()} is sent, and not planned`;
  const skipped = first.isCertain ? `${first.method} is planned, and not sent` : lie(rest, requests);
  if (request?.method !== first.method) return skipped;
  const missing = first.fields.find(({ name, isCertain }) => isCertain && !request.fields.includes(name));
  const more = request.fields.find((name) => !first.fields.some((each) => each.name === name || each.name === "*"));
  const wrong = missing ? `${missing.name} is planned, and not sent` : more && `${more} is sent, and not planned`;
  const found = wrong ?? lie(rest, others);
  return found !== undefined && !first.isCertain && skipped === undefined ? undefined : found;
}

const counts = { changes: 0, refused: 0, requests: 0, revisions: 0, uncertain: 0 };
const revisionCount = (): number => platform.emulator.outOfBand(revisions).list().length;

function planOf(
  kind: ManagedType,
  operation: string,
  after: JsonObject,
  state: EngineModel["state"],
  hasInputs: boolean,
): Plan {
  const { planner, table, inputs } = RESOURCES[kind];
  const made = after["adopt"] === true ? planner.adopt(after) : planner.create(after);
  if (operation === "create") return made;
  const { id, inputs: declared, outputs } = state ?? { id: "", inputs: {}, outputs: {} };
  const known = inputsFromState(rulesOf(table.fields), { id, outputs, ...(hasInputs ? { inputs: declared } : {}) });
  const before = pickInputs(inputs.properties, known);
  if (operation !== "replace") return planner.update(before, pickInputs(inputs.properties, after), outputs);
  const removal: PlannedRequest = { method: "DELETE", fields: [], isCertain: true };
  // Under another name, or one that several can have, the new object comes first.
  const { naturalKey = "" } = RESOURCES[kind].table;
  const isFirst = !table.namesRepeat && before[naturalKey] === after[naturalKey];
  return { ...made, requests: isFirst ? [removal, ...made.requests] : [...made.requests, removal] };
}

/** Somebody else's revision, which has nothing of what any program here declares. */
async function push({ current }: EngineModel): Promise<void> {
  const config = current.inputs["source"] === "github" ? { repo_ref: "pushed" } : { image_uri: "pushed:1" };
  const body = { source_revision_config: config, secrets: [{ name: "K", value: "pushed" }] };
  await platform.ask("PATCH", `/v2/deployments/${current.id}`, body);
}

async function judge({ kind, before, after, unknown, isPushed, shows }: Change): Promise<void> {
  platform = platforms.get(shows) ?? platform;
  platform.reset();
  const resource = await platform.resource(kind);
  try {
    for (const each of before) await resource.up(each);
    if (isPushed && kind === "Deployment" && before.length > 0) await push(resource);
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    counts.refused += 1;
    return;
  }
  platform.clock.advance(5_000);
  platform.emulator.clearLog();
  const state = resource.state && structuredClone(resource.state);
  const revisionsBefore = revisionCount();
  let operation: string;
  try {
    operation = await resource.up(after);
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    counts.refused += 1;
    return;
  }
  const requests = sent();
  counts.changes += 1;
  counts.requests += requests.length;
  counts.revisions += operation === "update" ? revisionCount() - revisionsBefore : 0;
  for (const seen of [after, withUnknowns(after, unknown)]) {
    for (const hasInputs of [false, true]) {
      const plan = planOf(kind, operation, seen, state, hasInputs);
      const isKnown = seen === after;
      const all = { operation, plan, requests, program: seen };
      expect({ ...all, lie: lie(plan.requests, requests) }).toEqual({ ...all, lie: undefined });
      // Where everything is known, so is what happens, unless an adoption has to look.
      const open = plan.requests.filter(({ isCertain }) => !isCertain);
      if (isKnown && after["adopt"] !== true) expect({ ...all, open }).toEqual({ ...all, open: [] });
      counts.uncertain += open.length;
      if (operation !== "update") continue;
      const made = revisionCount() - revisionsBefore;
      const expected = { none: [0], may: isKnown ? [] : [0, 1], certain: [1] }[plan.revision];
      expect({ ...all, made: expected.includes(made) ? "as planned" : made }).toEqual({ ...all, made: "as planned" });
    }
  }
}

const alone = { isPushed: false, shows: "values" } as const;

/** A part of `extra` that is not known, and turns out to be empty: nothing of it is sent. */
const emptyPartOfExtra: Change = {
  ...alone,
  kind: "Deployment",
  before: [{ name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:2" } }],
  after: {
    name: "desk",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "a:2" },
    displayName: "Desk",
    extra: { source_revision_config: {} },
  },
  unknown: [false, false, false, false, true],
};

/** A part of `extra` that is not known, and turns out to make a revision. */
const revisionInExtra: Change = {
  ...alone,
  kind: "Deployment",
  before: [{ name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } }],
  after: {
    name: "desk",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "a:1" },
    extra: { source_config: { resource_spec: { db_cpu: 1 } } },
  },
  unknown: [false, false, false, true],
};

/** The id of a registry that is not known, and turns out to be none: then nothing changes. */
const noneAfterAll: Change = {
  ...alone,
  kind: "SandboxSnapshot",
  before: [{ name: "python", dockerImage: "registry.example/python:3.12", fsCapacityBytes: 1_000_000_000 }],
  after: {
    name: "python",
    dockerImage: "registry.example/python:3.12",
    fsCapacityBytes: 1_000_000_000,
    registryId: null,
  },
  unknown: [false, false, true],
};

/** Somebody else's revision lacks what this program has set before, and only took out: the next one has to be without it again. */
const goneAgain: Change = {
  kind: "Deployment",
  before: [
    { name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, secrets: { K: "1", L: "1" } },
    { name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, secrets: { L: "1" } },
  ],
  isPushed: true,
  shows: "names",
  after: { name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:2" }, secrets: { L: "1" } },
  unknown: [false],
};

test(
  `${RUNS} random changes of all resource types: what is planned is what is sent (seed ${SEED})`,
  async () => {
    await fc.assert(fc.asyncProperty(change, judge), {
      numRuns: RUNS,
      seed: SEED,
      examples: [[emptyPartOfExtra], [revisionInExtra], [noneAfterAll], [goneAgain]],
    });
    console.log(JSON.stringify(counts));
    if (process.env["CHAOS_RUNS"] === undefined) record("plans", { runs: RUNS, seed: SEED, ...counts });
    expect(counts.changes).toBeGreaterThan(RUNS / 2);
  },
  RUNS * 1000,
);
