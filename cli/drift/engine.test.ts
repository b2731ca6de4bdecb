import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { parseEvents } from "../base/engine-events";
import { stateIn } from "../base/stack-state";
import { compareStack, uncomparedIn, withUnread } from "./engine";
import { reportOf } from "./report";

const urnOf = (kind: string, name: string): string => `urn:pulumi:dev::desk::agent-platform:index:${kind}::${name}`;
const resource = (kind: string, name: string, outputs = {}) => ({
  ...{ urn: urnOf(kind, name), type: `agent-platform:index:${kind}`, id: `id of ${name}` },
  ...{ provider: "", inputs: { name }, outputs: { name, ...outputs } },
});
const outcome = (kind: string, name: string, op: string, live: string) => ({
  resOutputsEvent: {
    metadata: {
      ...{ op, urn: urnOf(kind, name), type: `agent-platform:index:${kind}` },
      old: { ...resource(kind, name), custom: true },
      new: { ...resource(kind, name), custom: true, inputs: { name: live } },
    },
  },
});
const error = (name: string, text: string) => ({
  diagnosticEvent: { urn: urnOf("Listener", name), severity: "error", message: `${name}: read failed: ${text}\n` },
});
const eventsOf = (...events: readonly object[]) => parseEvents(events.map((event) => JSON.stringify(event)).join("\n"));

describe("a run that one of two regions does not answer", () => {
  const refused = "answered 401: no such key (asked at eu.example, no tenantId).";
  const events = eventsOf(
    outcome("Listener", "us-same", "same", "us-same"),
    outcome("Listener", "us-drifted", "update", "other"),
    error("eu-one", `GET /v2/listeners/1 ${refused}`),
    error("eu-two", `GET /v2/listeners/2 ${refused} Correct the connection`),
    error("us-slow", "GET /v2/listeners/3 got no answer: timeout (tried 6 times in 7s)"),
    error("us-late", "GET /v2/listeners/4 got no answer: timeout (tried 5 times in 9s)"),
    { diagnosticEvent: { severity: "error", message: "preview failed" } },
  );
  const names = ["us-same", "us-drifted", "eu-one", "eu-two", "us-slow", "us-late", "never-reached"];
  const bucket = { ...resource("Bucket", "bucket"), type: "aws:s3:Bucket" };
  const check = resource("RunCheck", "check", { problem: "Revision r-2 failed its check" });
  const platform = { ...resource("x", "eu"), type: "pulumi:providers:agent-platform" };
  const { id: _, ...component } = { ...resource("x", "desk"), type: "my:index:Desk" };
  const resources = [...names.map((name) => resource("Listener", name)), bucket, check, platform, component];
  const partial = withUnread(events, { resources, begun: [] });
  const report = reportOf("dev", partial ?? events);

  test("what was read is compared; all else is unread, also what the engine did not reach", () => {
    expect(report.drifted.map(({ name }) => name).sort()).toEqual(["check", "us-drifted"]);
    expect(report.clean).toBe(1);
    expect(report.unread.map(({ name }) => name).sort()).toEqual(["bucket", ...names.slice(2)].sort());
  });

  test("what a cut-off run began is named beside it", () => {
    const begun = [resource("Listener", "made")];
    expect(withUnread(events, { resources, begun })?.warnings).toEqual([
      expect.stringMatching(/^Listener made: a run/),
    ]);
  });

  test("a run that failed although all was read is no comparison", () =>
    expect(withUnread(events, { resources: resources.slice(0, 2), begun: [] })).toBeUndefined());
});

test("what a cut-off run began is named: no comparison shows it, so the stack is not as declared for certain", () => {
  const [known, made] = ["known", "made"].map((name) => resource("Listener", name));
  const pending = ["creating", "updating"].map((type) => ({ type, resource: type === "creating" ? made : known }));
  const state = { deployment: { resources: [known], pending_operations: pending } };
  expect(uncomparedIn(stateIn(JSON.stringify(state)))).toEqual([
    "Listener made: a run was cut off while it created or imported this, so it may be on the platform and is not compared. " +
      "Run `pulumi up`, which finds or makes what the program declares, and then `pulumi refresh --yes --clear-pending-creates`",
  ]);
  expect(uncomparedIn(stateIn(JSON.stringify({ deployment: { resources: [known] } })))).toEqual([]);
});

test("what a run deleted for a replacement, before it was cut off, is named, and neither as declared nor unread", async () => {
  const folder = newFolder();
  const [kept, gone] = ["kept", "gone"].map((name) => resource("Listener", name));
  const events = ["kept", "gone"].map((name) => outcome("Listener", name, "same", name));
  const state = { deployment: { resources: [kept, { ...gone, pendingReplacement: true }] } };
  const printed = [...events, { summaryEvent: { result: "succeeded" } }];
  for (const [name, lines] of Object.entries({ refresh: printed, stack: [state] }))
    writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join("\n"));
  writeFileSync(join(folder, "pulumi"), '#!/bin/sh\ncat "$1"\n', { mode: 0o755 });
  const target = { folder, environment: { PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` } };
  const compared = await compareStack("dev", target);
  expect(reportOf("dev", compared)).toMatchObject({ clean: 1, drifted: [], unread: [] });
  expect(compared.warnings).toEqual([expect.stringMatching(/^Listener gone: a run .* `pulumi up`, which creates/)]);
  const partly = withUnread(eventsOf(error("kept", "no answer")), stateIn(JSON.stringify(state)));
  expect(reportOf("dev", partly ?? compared).unread.map(({ name }) => name)).toEqual(["kept"]);
});

test("an engine that fails: its reasons, and a command that tries the same", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\necho "error: no stack named 'a b' found" >&2\nexit 1\n`, {
    mode: 0o755,
  });
  const environment = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  await expect(compareStack("a b", { folder, environment })).rejects.toThrow(
    "The engine says:\n  no stack named 'a b' found\n" +
      `Fix that and run this command again; \`pulumi refresh --preview-only --stack 'a b' --cwd ${folder}\` tries the same by hand.`,
  );
});

test("no variable for a user's other commands makes the engine write, fail for a change, or compare only a part", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\nset | grep ^PULUMI_OPTION >&2\nexit 1\n", { mode: 0o755 });
  const names = ["CONFIG", "CLEAR_PENDING_CREATES", "EXPECT_NO_CHANGES", "FILE", "TARGET", "EXCLUDE", "PARALLEL"];
  const given = Object.fromEntries(names.map((name) => [`PULUMI_OPTION_${name}`, "1"]));
  const environment = { ...given, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const reached = /The engine says:\n {2}PULUMI_OPTION_PARALLEL=\S+\nFix/;
  await expect(compareStack("dev", { folder, environment })).rejects.toThrow(reached);
});
