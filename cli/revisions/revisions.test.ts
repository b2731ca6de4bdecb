import { type Emulator, revisions, startEmulator } from "../../emulator";
import { defineCommand, tableOf } from "./command";
import { deployed } from "../../tests/support/agent-under-test";
import { ask } from "../../tests/support/ask";
import { printed, runDefined } from "../../tests/support/defined-command";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0 });
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

/** Runs the command as the command line does; what it printed. */
async function run(args: readonly string[]): Promise<string> {
  await runDefined(defineCommand, emulator, args);
  return printed.out;
}

/** A deployment with a revision that serves, and one after it that failed. */
async function made(name = "desk"): Promise<string> {
  const id = await deployed(emulator, "registry.example/desk:1", name);
  emulator.nextRevision("BUILD_FAILED");
  const next = { source_revision_config: { image_uri: "registry.example/desk:2" } };
  await ask(emulator, "PATCH", `/v2/deployments/${id}`, next);
  emulator.clearLog();
  return id;
}

const idsOf = (image: string): string[] =>
  emulator
    .outOfBand(revisions)
    .list()
    .filter(({ source_revision_config: config }) => config["image_uri"] === image)
    .map(({ id }) => id);

test("a table of what ran when, newest first, with the revision that serves and the latest one", async () => {
  const id = await made();
  const [first = ""] = idsOf("registry.example/desk:1");
  const [second = ""] = idsOf("registry.example/desk:2");
  const lines = (await run(["desk"])).split("\n");
  expect(lines[0]).toBe(`Deployment desk  ${id}`);
  expect(lines[2]).toMatch(/^ {2}REVISION {30}STATUS$/);
  expect(lines[3]).toMatch(/^ {6}CREATED {19}IMAGE OR COMMIT$/);
  expect(lines[4]).toBe(`  ${second}  BUILD_FAILED  latest`);
  expect(lines[5]).toMatch(/^ {6}20\S+Z {2}registry.example\/desk:2$/);
  expect(lines[6]).toBe(`  ${first}  DEPLOYED      serves`);
  expect(lines[7]).toMatch(/^ {6}20\S+Z {2}registry.example\/desk:1$/);
  expect(lines.slice(8)).toEqual([""]);
});

test("--format json has every field, with booleans for what the table marks", async () => {
  const id = await made();
  const aTime: unknown = expect.stringMatching(/^20.*Z$/);
  const theServing: unknown = expect.objectContaining({ status: "DEPLOYED", isServing: true, isLatest: false });
  const parsed: unknown = JSON.parse(await run([id, "--format", "json"]));
  expect(parsed).toEqual({
    deployment: { id, name: "desk" },
    revisions: [
      {
        id: idsOf("registry.example/desk:2")[0],
        status: "BUILD_FAILED",
        createdAt: aTime,
        imageUri: "registry.example/desk:2",
        repoCommitSha: null,
        isServing: false,
        isLatest: true,
      },
      theServing,
    ],
    rolledBack: [],
  });
});

test("the commit is shown of what was built from a repository", async () => {
  await ask(emulator, "POST", "/v2/deployments", {
    name: "pushed",
    source: "github",
    source_config: {
      integration_id: "7",
      repo_url: "https://git.example/a",
      deployment_type: "dev",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [],
  });
  expect(await run(["pushed"])).toMatch(/ {2}DEPLOYED {2}serves\n {6}20\S+Z {2}commit [0-9a-f]{40}\n$/);
});

test("--status picks, several with commas or given several times", async () => {
  await made();
  const statusesOf = (text: string) => [...text.matchAll(/DEPLOYED|BUILD_FAILED/g)].map(([status]) => status);
  expect(statusesOf(await run(["desk", "--status", "DEPLOYED"]))).toEqual(["DEPLOYED"]);
  const both = await run(["desk", "--status", "BUILD_FAILED", "--status", "DEPLOYED,SKIPPED"]);
  expect(statusesOf(both)).toEqual(["BUILD_FAILED", "DEPLOYED"]);
  const none = await run(["desk", "--status", "SKIPPED,deployed"]);
  expect(none).toMatch(/\n\n {2}no revisions with the status SKIPPED or deployed\n$/);
});

test("--limit ends the list, and no page more is asked for", async () => {
  await made();
  expect((await run(["desk", "--limit", "1"])).split("\n")).toHaveLength(7);
  expect(emulator.requests.filter(({ path }) => path.endsWith("/revisions"))).toHaveLength(1);
});

test.each([
  ["an empty deployment, as from a variable that is not set", [""]],
  ["a limit of 0", ["a", "--limit", "0"]],
  ["a limit that is not a number", ["a", "--limit", "many"]],
  ["an empty status", ["a", "--status", "DEPLOYED,"]],
])("wrong usage sends nothing: %s", async (_reason, args) => {
  await expect(run(args)).rejects.toThrow(/must not be empty|--limit|--status/);
  expect(emulator.requests).toEqual([]);
});

test("contract documented has neither look-up nor list: refused, with the remedy", async () => {
  await expect(run(["desk", "--contract", "documented"])).rejects.toThrow(
    /contract "documented" has no endpoint for a look-up by name; set agent-platform:contract to "extended"/,
  );
  expect(emulator.requests).toEqual([]);
});

test("below it stands what checks of the stack have put back, also if no revision is asked for", () => {
  const deployment = { id: "d-1", name: "desk" };
  const rolledBack = [{ check: "answers", problem: "Revision r-2 failed its check, and was rolled back" }];
  const shown = { id: "r-3", status: "DEPLOYED", createdAt: null, imageUri: null, repoCommitSha: null };
  const only = [{ ...shown, isServing: true, isLatest: true }];
  for (const listed of [only, []]) {
    expect(tableOf({ deployment, revisions: listed, rolledBack }, []).split("\n").slice(-3)).toEqual([
      "",
      "RunCheck answers: Revision r-2 failed its check, and was rolled back.",
      "",
    ]);
  }
});
