import { deployments, type Emulator, revisions } from "../../emulator";
import { defineCommand } from "./command";
import { printed, runDefined } from "../../tests/support/defined-command";
import { FakeClock } from "../../tests/support/fake-clock";
import { deployed } from "../../tests/support/agent-under-test";
import { ofTest } from "../../tests/support/of-suite";
import { PlatformUnderTest } from "../../tests/support/platform-under-test";

let platform: PlatformUnderTest;
let documented: PlatformUnderTest;
/** What the person at the terminal says; undefined where there is none. */
let answer: boolean | undefined;
let asked: string[];
beforeAll(async () => {
  platform = await PlatformUnderTest.start({ buildSeconds: 5 });
  documented = await PlatformUnderTest.start({ contract: "documented" });
});
beforeEach(() => {
  platform.reset();
  answer = true;
  asked = [];
});
afterEach(() => void process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM"));
afterAll(() => Promise.all([platform.close(), documented.close()]));

/** Runs the command as the command line does, on the platform's clock. */
function run(
  args: readonly string[],
  { clock, emulator }: PlatformUnderTest = platform,
  pause?: () => void,
): Promise<void> {
  const ask = (question: string): Promise<boolean | undefined> => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return runDefined((command) => defineCommand(command, { clock: new FakeClock(clock, pause), ask }), emulator, args);
}

type Variables = Readonly<Record<string, string>>;
const imageOf = (version: number): string => `registry.example/desk:${version}`;
const all = () => platform.emulator.outOfBand(revisions).list();
const idOf = (version: number): string =>
  all().find(({ source_revision_config: config }) => config["image_uri"] === imageOf(version))?.id ?? "";
/** The id of a deployment whose second revision serves. */
async function made(first: Variables = {}, second = first): Promise<string> {
  const id = await deployed(platform.emulator, imageOf(1), "desk", first);
  platform.clock.advance(10_000);
  const secrets = Object.entries(second).map(([name, value]) => ({ name, value }));
  await platform.ask("PATCH", `/v2/deployments/${id}`, { source_revision_config: { image_uri: imageOf(2) }, secrets });
  platform.clock.advance(10_000);
  platform.emulator.clearLog();
  return id;
}
const posts = ({ requests }: Emulator): string[] =>
  requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

test.each([
  ["Ctrl-C", "SIGINT", 130],
  ["job that is cancelled", "SIGTERM", 143],
] as const)(
  "a %s in the wait says how to follow what goes on, and what the program makes of it",
  async (_what, signal, code) => {
    const id = await made();
    jest.spyOn(process, "exit").mockImplementation((given) => {
      throw new Error(`exit ${given ?? ""}`);
    });
    const pressed = (): void => process.listeners(signal).at(-1)?.(signal);
    await expect(run([id, "--revision", idOf(1)], platform, pressed)).rejects.toThrow(`exit ${code}`);
    expect(printed.out).toMatch(
      / comes back as revision\s.*\.\n\nTo follow it: npx pulumi-agent-platform revisions [^]*Your program does not know about this\./,
    );
    expect(printed.out).not.toContain("DEPLOYED");
  },
);

test("brings an earlier revision back: one request, waits until it is DEPLOYED, and says what comes next", async () => {
  const id = await made();
  await run(["desk", "--revision", idOf(1)]);
  expect(posts(platform.emulator)).toEqual([`POST /v2/deployments/${id}/revisions/${idOf(1)}/redeploy`]);
  const third = all().at(-1)?.id ?? "";
  expect(printed.out).toContain(
    `Deployment desk: revision ${idOf(1)}\n  (registry.example/desk:1) comes back as revision\n  ${third}.\n` +
      `Deployment desk: revision ${third} is DEPLOYED.\n`,
  );
  expect(printed.out).toMatch(/shows\sthe other revision as `rollout\.revisionId` of the Deployment/);
  expect(printed.out).toMatch(/To go back for good,\s+change the program\.\n$/);
  expect(printed.out.split("\n").filter((line) => line.length > 80 && !line.startsWith("To follow"))).toEqual([]);
  expect(printed.err).toMatch(new RegExp(`\ndesk: revision ${third} is \\w+\n`));
});

test("--no-wait ends when the revision was asked for, and says how to see it go on", async () => {
  const id = await made();
  const before = platform.clock.now();
  await run(["desk", "--revision", idOf(1), "--no-wait"]);
  expect(platform.clock.now()).toBe(before);
  expect(printed.out).not.toContain("DEPLOYED");
  const { url } = platform.emulator;
  expect(printed.out).toContain(`To follow it: npx pulumi-agent-platform revisions ${id} --base-url ${url}\n`);
});

test("a revision that fails is an error that names it, and says nothing of a success", async () => {
  await made();
  platform.emulator.nextRevision("DEPLOY_FAILED");
  await expect(run(["desk", "--revision", idOf(1)])).rejects.toThrow(
    /deployment "desk" .*: revision [0-9a-f-]{36} ended as DEPLOY_FAILED .*\nRedeploy another revision, or run `pulumi refresh`/,
  );
  expect(printed.out).not.toContain("is DEPLOYED");
});

test("--timeout ends the wait", async () => {
  await made();
  platform.emulator.nextRevision("STUCK");
  await expect(run(["desk", "--revision", idOf(1), "--timeout", "2m"])).rejects.toThrow(
    /is still BUILDING after 2m\nThe rollout continues without this command: look at `npx pulumi-agent-platform revisions [0-9a-f-]{36} --base-url \S+`, or raise --timeout/,
  );
});

test("a revision that the answer does not name yet is waited for all the same", async () => {
  const late = ofTest(
    await PlatformUnderTest.start({ lateRevision: { ms: 5000, names: "the one before" }, buildSeconds: 1 }),
  );
  await deployed(late.emulator, imageOf(1), "desk");
  late.clock.advance(10_000);
  const [first] = late.emulator.outOfBand(revisions).list();
  await run(["desk", "--revision", first?.id ?? ""], late);
  const second = late.emulator.outOfBand(revisions).list().at(-1)?.id ?? "";
  expect(second).not.toBe(first?.id);
  expect(printed.out).toMatch(/comes back as a new\s+revision\.\n/);
  expect(printed.out).toContain(`revision ${second} is DEPLOYED.`);
});

describe("the environment, which comes back too", () => {
  const environment = (key: string) => ({
    MODEL_API_KEY: `${key}-of-the-model`,
    REGION: "eu",
    SEARCH_KEY: `${key}-of-the-search`,
  });
  const named =
    "The whole environment of that revision comes back, each variable as it was then.\n" +
    "Today there are these; others may come back:\n" +
    "  MODEL_API_KEY, REGION, SEARCH_KEY\n" +
    "A secret rotated since gets its old value back (not with --keep-secrets).\n";
  const rotated = () => made(environment("old"), environment("new"));

  test("its variables are named, and who says yes gets them back", async () => {
    await rotated();
    answer = true;
    await run(["desk", "--revision", idOf(1)]);
    expect(printed.err.startsWith(named)).toBe(true);
    expect(asked).toEqual(["Redeploy?"]);
    expect(printed.out).toContain("is DEPLOYED.\n");
    const { secrets } = platform.emulator.outOfBand(deployments).get("desk");
    expect(secrets.find(({ name }) => name === "MODEL_API_KEY")?.value).toBe("old-of-the-model");
    expect(printed.out + printed.err).not.toMatch(/(?:old|new)-of-the/);
  });

  test.each<[who: string, says: boolean | undefined, error: string]>([
    ["who says no", false, "nothing was redeployed: the answer was no"],
    [
      "without a terminal",
      undefined,
      "--yes: there is no terminal to ask on: add --yes if the environment may come back too, or --keep-secrets",
    ],
  ])("%s: an error, and nothing is sent", async (_who, says, error) => {
    await rotated();
    answer = says;
    await expect(run(["desk", "--revision", idOf(1)])).rejects.toThrow(error);
    expect(printed.err).toBe(named);
    expect(posts(platform.emulator)).toEqual([]);
  });

  test.each(["--yes", "-y"])("%s names them and does not ask", async (option) => {
    await rotated();
    await run(["desk", "--revision", idOf(1), option, "--no-wait"]);
    expect([printed.err, asked]).toEqual([named, []]);
    expect(posts(platform.emulator)).toHaveLength(1);
  });

  test("--keep-secrets brings the image back alone, by one PATCH", async () => {
    const id = await rotated();
    await run(["desk", "--revision", idOf(1), "--keep-secrets"]);
    expect(posts(platform.emulator)).toEqual([`PATCH /v2/deployments/${id}`]);
    const { secrets, source_revision_config } = platform.emulator.outOfBand(deployments).get("desk");
    expect(source_revision_config).toEqual({ image_uri: "registry.example/desk:1" });
    expect(secrets.map(({ value }) => value)).toEqual(["new-of-the-model", "eu", "new-of-the-search"]);
    expect(printed.out).toContain(`Deployment desk: revision ${all().at(-1)?.id} is DEPLOYED.\n`);
    expect([printed.err, asked]).toEqual([expect.not.stringContaining("environment"), []]);
  });

  test("a variable from a secret of the platform is named as well", async () => {
    const shared = { name: "SHARED_KEY", secret_name: "MODEL", secret_key: "MODEL" };
    platform.emulator.outOfBand(deployments).change(await made(), { secret_references: [shared] });
    await run(["desk", "--revision", idOf(1), "--no-wait"]);
    expect(printed.err).toContain("Today there are these; others may come back:\n  SHARED_KEY\n");
  });

  test("it asks also where there is none today: the revision may have had some", async () => {
    await made({ LEAKED: "canary" }, {});
    platform.emulator.outOfBand(deployments).change("desk", { secrets: [] });
    await run(["desk", "--revision", idOf(1), "--no-wait"]);
    expect(printed.err).toContain("Today there are none; some may come back.\n");
    expect(asked).toEqual(["Redeploy?"]);
  });

  test("many names take several lines of at most 80 columns, and none steers a terminal", async () => {
    const id = await made({ A: "1" });
    const secrets = Array.from({ length: 40 }, (_, index) => ({ name: `VARIABLE_${index}`, value: "1" }));
    platform.emulator.outOfBand(deployments).change(id, { secrets: [...secrets, { name: "\u001b[2J", value: "1" }] });
    await run(["desk", "--revision", idOf(1), "--no-wait", "--yes"]);
    const lines = printed.err.trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThan(12);
    expect(printed.err).toContain("\\u001b[2J");
    expect(printed.err).not.toContain("\u001b");
  });
});

test.each([
  ["a redeploy", "POST", []],
  ["a PATCH", "PATCH", ["--keep-secrets"]],
] as const)(
  "the lost answer to %s: the error says what to do, and nothing is sent twice",
  async (_what, method, more) => {
    await made();
    platform.emulator.faults.add({ kind: "reset-after-commit", method, count: 1 });
    await expect(run(["desk", "--revision", idOf(1), ...more])).rejects.toThrow(
      /It is not known whether revision ".*" of deployment "desk" was redeployed \(.*\)\. Look for a newer revision/,
    );
    expect(posts(platform.emulator)).toHaveLength(1);
  },
);

describe("refused, with nothing changed", () => {
  test.each([
    ["no revision", ["desk"], /--revision/],
    ["an empty revision", ["desk", "--revision", ""], /--revision.*It must be an id, and must not be empty/],
    ["an empty deployment", ["", "--revision", "r"], /'deployment'.*It must be a name or an id, and must not be empty/],
    ["a strange timeout", ["desk", "--revision", "r", "--timeout", "soon"], /a duration such as 90s/],
  ])("before any request: %s", async (_reason, args, message) => {
    await expect(run(args)).rejects.toThrow(message);
    expect(platform.emulator.requests).toEqual([]);
  });

  test("a revision that is not there", async () => {
    await made();
    await expect(run(["desk", "--revision", "none"])).rejects.toThrow(
      /Revision "none" of deployment ".*" does not exist at .*; `npx pulumi-agent-platform revisions \S+` shows which do$/,
    );
    expect(posts(platform.emulator)).toEqual([]);
  });

  test("contract documented: a sentence with the remedy", async () => {
    const id = await made();
    const args = [id, "--revision", idOf(1), "--contract", "documented"];
    await expect(run(args)).rejects.toThrow(
      /cannot be redeployed: contract "documented" has no endpoint for it; set agent-platform:contract to "extended"/,
    );
    expect(posts(platform.emulator)).toEqual([]);
  });

  test("--keep-secrets for an image that the platform builds: it takes none, so the commit is to be reverted", async () => {
    const id = await made();
    platform.emulator.outOfBand(deployments).change(id, { source: "github" });
    await expect(run([id, "--revision", idOf(1), "--keep-secrets"])).rejects.toThrow(
      /cannot be redeployed with the secrets of today: .* Revert the commit in the repository, or leave out --keep-secrets$/,
    );
    expect(posts(platform.emulator)).toEqual([]);
  });

  test("a platform without the endpoint: a sentence that says so, and the way that it has", async () => {
    const id = await deployed(documented.emulator, imageOf(1), "desk");
    const revision = documented.emulator.outOfBand(revisions).list()[0]?.id ?? "";
    await expect(run([id, "--revision", revision], documented)).rejects.toThrow(
      new RegExp(`Revision "${revision}" of deployment "desk" cannot be redeployed: POST .* answered 40[45]`),
    );
    await run([id, "--revision", revision, "--contract", "documented", "--keep-secrets"], documented);
    expect(printed.out).toContain("is DEPLOYED.\n");
  });
});
