import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sandboxTemplates } from "../../emulator";
import { isObject, type JsonObject } from "../../provider/base/json";
import { MANAGED_TYPES, type ResourceType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { CASES } from "../conformance/cases";
import { blocksRunBy } from "../docs/blocks";
import { ask } from "../support/ask";
import { STACK_KEYS, makeWorkplace, notOk, ok, PLUGIN, type Workplace } from "../support/cli-stack";
import { runProcess, type Ended } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { onAgent } from "./on-emulator";

// `pulumi do`: the engine asks the plugin, without a program.

const { platform } = onAgent("desk");
const PAGE = blocksRunBy("tests/engine/without-a-program.native.test.ts");
/** Started as the executable that it is, and not as a folder, the plugin needs no `npm install` before each command. */
const EXECUTABLE = join(PLUGIN, "pulumi-resource-agent-platform");
const IMAGE = { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };

let place: Workplace;
beforeAll(async () => {
  const workplace = await makeWorkplace("do");
  const { url, apiKey } = platform.emulator;
  const connection = { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey };
  place = { ...workplace, environment: { ...workplace.environment, ...connection } };
  writeFileSync(
    join(place.folder, "Pulumi.yaml"),
    `name: test\nruntime: nodejs\npackages:\n  agent-platform: ${PLUGIN}\n`,
  );
});
afterAll(() => rmSync(place.folder, { recursive: true }));

function act(kind: string, ...args: string[]): Promise<Ended> {
  const all = ["do", "--package", EXECUTABLE, "--non-interactive", `agent-platform:${kind}`, ...args];
  return runProcess(place.pulumi, all, place.folder, { environment: place.environment });
}

/** A file of arguments. PCL reads an object as JSON writes it. */
function fileOf(name: string, given: JsonObject): string {
  const rows = Object.entries(given).map(
    ([key, value]) => `${key} = ${JSON.stringify(value).replaceAll("${", () => "$${")}\n`,
  );
  const file = join(place.folder, `${name}.pcl`);
  writeFileSync(file, rows.join(""));
  return file;
}

const change = (kind: string, verb: string, id: string, given: JsonObject) =>
  act(kind, verb, ...(id === "" ? [] : [id]), "--stateless", "--yes", "--input-file", fileOf(kind + verb, given));

/** The answer that a command prints; a line of the plugin's may follow. */
function answerOf(ended: Ended): JsonObject {
  ok(ended);
  const answer: unknown = JSON.parse(ended.stdout.replace(/^\}\n[^]*/m, "}"));
  if (!isObject(answer)) throw new Error(`no object: ${ended.stdout}`);
  return answer;
}

const textIn = (values: JsonObject, name: string): string => z.string().parse(values[name]);

async function idAfterCreate(kind: ResourceType, given: JsonObject): Promise<string> {
  return textIn(answerOf(await change(kind, "create", "", given)), "id");
}

describeWithEngine("pulumi do", () => {
  test("the blocks of the page do what they say", async () => {
    const { url, apiKey } = platform.emulator;
    writeFileSync(join(place.folder, "key"), apiKey);
    await ask(platform.emulator, "POST", "/v2/sandboxes/templates", { name: "notebook", image: "a:1", resources: {} });
    const texts = PAGE.map(({ code }) => code).join("");
    const blocks = texts.replace("https://platform.example.com", url).replace("<the key file>", "key");
    const script = `pulumi stack init test ${STACK_KEYS.join(" ")}\n${blocks}`;
    const ran = await runProcess("bash", ["-euc", script], place.folder, { environment: place.environment });
    expect(ok(ran)).toContain('"name": "notebook"');
    expect(ran.stdout).toMatch(/SandboxTemplate notebook .*imported/);
    expect(platform.kept(sandboxTemplates).map(({ name }) => name)).toEqual(["notebook"]);
    expect(platform.writes()).toEqual([
      "POST /v2/sandboxes/templates",
      "POST /v2/sandboxes/templates",
      "PATCH /v2/sandboxes/templates/scratchpad",
      "DELETE /v2/sandboxes/templates/drafts",
      "POST /v2/deployments",
    ]);
  });

  test.each(MANAGED_TYPES)("%s: create, list, read, patch and delete", async (kind) => {
    const { program, updated, replacing = {} } = CASES[kind];
    const name = textIn(program, RESOURCES[kind].table.naturalKey ?? "");
    const id = await idAfterCreate(kind, program);
    const [listed, read] = await Promise.all([act(kind, "list"), act(kind, "read", name)]);
    expect(JSON.parse(ok(listed) && listed.stdout)).toEqual([{ id, name }]);
    expect(answerOf(read)).toMatchObject({ id });
    const patched = await change(kind, "patch", id, updated ?? replacing);
    if (updated === undefined) expect(notOk(patched)).toMatch(/cannot change in place/);
    else expect(answerOf(patched)).toMatchObject({ id });
    ok(await act(kind, "delete", id, "--stateless", "--yes"));
  });

  test("what an agent keeps is made, read, patched and deleted", async () => {
    const deploymentId = await idAfterCreate("Deployment", { name: "desk", ...IMAGE });
    const rollout = answerOf(await change("Rollout", "create", "", { deploymentId }));
    const at = { deploymentId, url: textIn(rollout, "url") };
    const keep = async (kind: "Assistant" | "Cron", given: JsonObject, part: JsonObject) => {
      const id = await idAfterCreate(kind, { ...at, ...given });
      const key = `${deploymentId}/${id}`;
      answerOf(await act(kind, "read", key));
      expect(answerOf(await change(kind, "patch", key, part))).toMatchObject(part);
      ok(await act(kind, "delete", key, "--stateless", "--yes"));
      expect(notOk(await act(kind, "read", key))).toContain("was not found");
    };
    await Promise.all([
      keep("Assistant", { graphId: "agent", name: "triage" }, { description: "sorts" }),
      keep("Cron", { assistantId: "agent", schedule: "0 8 * * *", input: {} }, { schedule: "0 9 * * *" }),
    ]);
  });

  test("a Rollout waits, and a RunCheck asks", async () => {
    const deploymentId = await idAfterCreate("Deployment", { name: "other", ...IMAGE });
    const { url = "" } = answerOf(await change("Rollout", "create", "", { deploymentId }));
    const check = { url, deploymentId, assistantId: "agent", input: { topic: "cats" } };
    expect(answerOf(await change("RunCheck", "create", "", check))["runId"]).toEqual(expect.any(String));
  });
});
