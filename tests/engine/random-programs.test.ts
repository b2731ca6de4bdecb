import fc from "fast-check";
import {
  deployments,
  oauthProviders,
  sandboxTemplates,
  startEmulator,
  type Emulator,
  type FaultInput,
} from "../../emulator";
import { record } from "../reliability/record";
import { CliStack } from "./cli-stack";
import { describeWithEngine } from "./with-engine";

jest.setTimeout(3_600_000);

/** `npm run chaos:engine` tries 50 programs; `npm test` two. A program of four steps takes about 12 seconds. */
const chaos = process.env["CHAOS_ENGINE"] !== undefined;
const RUNS = chaos ? 50 : 2;
/** Every run of the suite plays the same programs; chaos plays new ones, and prints the seed that plays them again. */
const SEED = Number(process.env["CHAOS_SEED"] ?? (chaos ? Date.now() % 1_000_000 : 201_477));

/** What a program declares: a variant of each object, or none of it. */
interface World {
  readonly template: 1 | 2 | undefined;
  readonly provider: 1 | 2 | undefined;
  readonly agent: 1 | 2 | undefined;
}

const variant = fc.constantFrom(undefined, 1 as const, 2 as const);
const world: fc.Arbitrary<World> = fc.record({ template: variant, provider: variant, agent: variant });
const fault: fc.Arbitrary<FaultInput> = fc.record({
  kind: fc.constantFrom(
    "reset-before-commit" as const,
    "reset-after-commit" as const,
    "truncated-json" as const,
    "malformed-json" as const,
    "html" as const,
    "empty-body" as const,
  ),
  method: fc.constantFrom("GET", "POST", "PATCH", "DELETE"),
  nth: fc.integer({ min: 1, max: 3 }),
  count: fc.integer({ min: 1, max: 2 }),
});
const step = fc.record({ world, faults: fc.array(fault, { maxLength: 2 }) });

function programOf({ template, provider, agent }: World, adopt: boolean): string {
  const take = adopt ? ", adopt: true" : "";
  return [
    template && `new platform.SandboxTemplate("code", { image: "a:${template}", resources: { cpu: "1" }${take} });`,
    provider &&
      `new platform.OAuthProvider("p", { providerId: "p", name: "P${provider}", clientId: "c", authUrl: "https://a.example", tokenUrl: "https://a.example"${take} });`,
    agent &&
      `new platform.Deployment("agent", { source: "x", sourceRevisionConfig: { imageUri: "a:${agent}" }${take} });`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** The objects on the platform, each with the field that its variant decides. */
function live(emulator: Emulator): string[] {
  return [
    ...emulator
      .outOfBand(sandboxTemplates)
      .list()
      .map(({ image }) => `template ${image}`),
    ...emulator
      .outOfBand(oauthProviders)
      .list()
      .map(({ name }) => `provider ${name}`),
    ...emulator
      .outOfBand(deployments)
      .list()
      .map(({ source_revision_config: { image_uri } }) => `agent ${String(image_uri)}`),
  ];
}

const declared = ({ template, provider, agent }: World): string[] =>
  [template && `template a:${template}`, provider && `provider P${provider}`, agent && `agent a:${agent}`].filter(
    (entry) => typeof entry === "string",
  );

const counts = { programs: 0, steps: 0, failedSteps: 0, faultsFired: 0, neededAdopt: 0, lost: 0, doubled: 0 };

async function runProgram(steps: readonly { world: World; faults: FaultInput[] }[]): Promise<void> {
  const emulator = await startEmulator({ buildSeconds: 0.1 });
  const stack = await CliStack.make("");
  try {
    await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
    for (const { world: declaring, faults } of steps) {
      stack.write(programOf(declaring, false));
      const active = faults.map((input) => emulator.faults.add(input));
      if ((await stack.up()).code !== 0) counts.failedSteps++;
      counts.steps++;
      counts.faultsFired += active.reduce((sum, { fired }) => sum + fired, 0);
      emulator.faults.clear();
    }
    const last = steps.at(-1)?.world ?? { template: undefined, provider: undefined, agent: undefined };
    await settle(stack, last);
    const found = live(emulator);
    counts.lost += declared(last).filter((object) => !found.includes(object)).length;
    counts.doubled += Math.max(0, found.length - new Set(found).size);
    expect(found).toEqual(declared(last));
    for (const result of [await stack.drift(), await stack.preview("--expect-no-changes")])
      expect([result.code, result.output]).toEqual([0, result.output]);
    expect((await stack.destroy()).code).toBe(0);
    expect(live(emulator)).toEqual([]);
    counts.programs++;
  } finally {
    stack.remove();
    await emulator.close();
  }
}

/** A fault-free `up`; where an object of a step before is in the way, its error names `adopt`, and that ends it. */
async function settle(stack: CliStack, last: World): Promise<void> {
  const { code, output } = await stack.up();
  if (code === 0) return;
  expect(output).toMatch(/adopt/);
  counts.neededAdopt++;
  stack.write(programOf(last, true));
  const adopted = await stack.up();
  expect([adopted.code, adopted.output]).toEqual([0, adopted.output]);
  stack.write(programOf(last, false));
}

describeWithEngine("random programs and faults on the real engine", () => {
  test(`${RUNS} programs end with exactly what they declare`, async () => {
    await fc
      .assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), runProgram), {
        numRuns: RUNS,
        seed: SEED,
        endOnFailure: true,
      })
      .finally(() => record("engine-programs", counts));
    console.log(`seed ${SEED}: ${JSON.stringify(counts)}`);
  });
});
