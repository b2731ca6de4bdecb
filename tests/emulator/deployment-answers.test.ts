import { deployments } from "../../emulator";
import {
  completeSpec,
  deploymentBody,
  field,
  platformForTests,
  startPlatform,
  problems,
  text,
  type Platform,
  record,
} from "./api";

const platform = platformForTests();

const all = "/v2/deployments";
async function made(change: object = {}, on: Platform = platform): Promise<{ path: string; body: unknown }> {
  const answer = await on.call("POST", all, { body: { ...deploymentBody, ...change } });
  expect(answer.status).toBe(201);
  return { path: `${all}/${text(answer.body, "id")}`, body: answer.body };
}

test("POST, GET, the list and a PATCH that changes nothing give the same answer", async () => {
  const { path, body } = await made({ secret_references: [] });
  expect((await platform.call("GET", path)).body).toEqual(body);
  expect((await platform.call("GET", all)).body).toEqual({ resources: [body], offset: 1 });
  expect((await platform.call("PATCH", path, { body: {} })).body).toEqual(body);
});

describe("optional and additional fields of a creation", () => {
  /** What is sent; and what is answered, where that is more or not the same. */
  test.each<[rule: string, sent: object, answered?: object]>([
    ["display_name is lost: it is for a PATCH", { display_name: "Triage" }, { display_name: null }],
    ["secret_references are answered whole", { secret_references: [{ name: "A", secret_name: "s", secret_key: "k" }] }],
    ["secrets may be an empty list", { secrets: [] }],
    ["an unknown field of source_config", { source_config: { colour: "red", resource_spec: {} } }],
    ["an unknown field of resource_spec", { source_config: { resource_spec: { gpu: 4 } } }],
    [
      "no labels are null, and not {}",
      { source_config: { resource_spec: { labels: {}, annotations: { a: "b" } } } },
      { source_config: { resource_spec: { labels: null, annotations: { a: "b" } } } },
    ],
    [
      "null in resource_spec means the default",
      { source_config: { resource_spec: { cpu: null, memory_mb: 512 } } },
      { source_config: { resource_spec: { cpu: 1, memory_mb: 512 } } },
    ],
    ["listener_config", { source_config: { resource_spec: {}, listener_config: { k8s_namespace: "agents" } } }],
    ["commands", { source_config: { resource_spec: {}, install_command: "i", build_command: "b" } }],
  ])("%s", async (_rule, sent, answered = sent) => {
    const { path } = await made(sent);
    expect((await platform.call("GET", path)).body).toMatchObject(answered);
  });

  test("older versions leave the commands out", async () => {
    const old = await startPlatform({ hideCommands: true });
    const commands = { install_command: "i", build_command: "b" };
    const { path, body } = await made({ source_config: { ...commands, resource_spec: {} } }, old);
    const list = await old.call("GET", all);
    const patched = await old.call("PATCH", path, { body: { source_config: { install_command: "j" } } });
    for (const answer of [body, field(list.body, "resources", 0), patched.body]) {
      const shown = Object.keys(record(field(answer, "source_config")));
      expect(shown.filter((name) => name.endsWith("_command"))).toEqual([]);
      expect(shown).toContain("custom_url");
    }
    const kept = old.emulator.outOfBand(deployments).get("triage").source_config;
    expect(kept).toEqual({ ...commands, install_command: "j" });
  });
});

describe("PATCH", () => {
  test("answers the whole deployment, moves updated_at and keeps created_at", async () => {
    const { path, body } = await made();
    platform.advance(60);
    const patched = await platform.call("PATCH", path, { body: { display_name: "Triage" } });
    expect(patched.status).toBe(200);
    expect(Object.keys(record(patched.body)).sort()).toEqual(Object.keys(record(body)).sort());
    expect(patched.body).toMatchObject({
      id: text(body, "id"),
      display_name: "Triage",
      created_at: "2030-01-01T00:00:00.000Z",
      updated_at: "2030-01-01T00:01:00.000Z",
    });
  });

  test("keeps what is not sent, and the secrets where the list of them is empty", async () => {
    const references = [{ name: "A", secret_name: "s", secret_key: "k" }];
    const { path, body } = await made({ secret_references: references });
    const patched = await platform.call("PATCH", path, {
      body: { source_config: { custom_url: "https://a.example" }, secrets: [] },
    });
    expect(patched.body).toMatchObject({
      source_config: {
        custom_url: "https://a.example",
        resource_spec: field(body, "source_config", "resource_spec"),
      },
      source_revision_config: deploymentBody.source_revision_config,
      secrets: deploymentBody.secrets,
      secret_references: references,
    });
  });

  test("a spec sent in part loses what was declared before: the server's defaults take its place", async () => {
    const { path } = await made({ source_config: { resource_spec: { cpu: 4, max_scale: 9, db_cpu: 2, gpu: 1 } } });
    const { body } = await platform.call("PATCH", path, { body: { source_config: { resource_spec: { cpu: 3 } } } });
    expect(field(body, "source_config", "resource_spec")).toEqual(completeSpec({ cpu: 3 }));
  });

  test("null means not sent, even for fields that never change", async () => {
    const { path } = await made({ source_config: { custom_url: "u", resource_spec: {} } });
    const { body } = await platform.call("PATCH", path, { body: { display_name: "T" } });
    const unset = { custom_url: null, repo_url: null, listener_config: null };
    const nulls = { name: null, source: null, display_name: null, source_config: unset };
    expect(await platform.call("PATCH", path, { body: nulls })).toMatchObject({
      status: 200,
      body: { name: "triage" },
    });
    expect((await platform.call("GET", path)).body).toEqual(body);
  });

  test.each<[string, object, string]>([
    ["a secret's name is not empty", { secrets: [{ name: "", value: "v" }] }, "body.secrets.0.name: string_too_short"],
    ["display_name is not empty", { display_name: "" }, "body.display_name: string_too_short"],
    ["revision_source is a source", { revision_source: "svn" }, "body.revision_source: literal_error"],
  ])("422: %s, and nothing changes", async (_rule, body, problem) => {
    const before = await made();
    expect(problems(await platform.call("PATCH", before.path, { body }))).toEqual([problem]);
    expect((await platform.call("GET", before.path)).body).toEqual(before.body);
  });
});
