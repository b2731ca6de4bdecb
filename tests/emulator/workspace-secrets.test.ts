import { workspaceSecrets } from "../../emulator/routes/workspace-secrets";
import { field, platformForTests, problems, text } from "./api";

const platform = platformForTests();

const all = "/v1/workspaces/current/secrets";
const put = (key: string, body: object) => platform.call("PUT", `${all}/${key}`, { body });
const list = async (query = "?include_configs=true") => (await platform.call("GET", all + query)).body;
const stored = () => platform.emulator.outOfBand(workspaceSecrets);
const own = { host_pattern: "models.example", header_name: "x-key", header_value_template: "{value}" };

test("PUT makes and changes: without a value it keeps that, and without hosts it brings the provider's own back", async () => {
  const custom = { key: "OPENAI_API_KEY", configs: [expect.objectContaining({ ...own, source: "CUSTOM" })] };
  expect(await put("OPENAI_API_KEY", { value: "v", configs: [own] })).toMatchObject({ status: 200, body: custom });
  const known = {
    host_pattern: "api.openai.com",
    header_name: "Authorization",
    header_value_template: "Bearer {value}",
  };
  expect((await put("OPENAI_API_KEY", {})).body).toEqual({
    key: "OPENAI_API_KEY",
    configs: [{ ...known, source: "DEFAULT" }],
  });
  expect(stored().get("OPENAI_API_KEY").value).toBe("v");
  expect((await put("OTHER", { value: "v", configs: null })).body).toEqual({ key: "OTHER", configs: [] });
});

test.each([
  ["a new one needs a value", { configs: [own] }, "body.value: value_error"],
  ["a host", { value: "v", configs: [{ host_pattern: "*" }] }, "body.configs.0.host_pattern: value_error"],
  [
    "a template with the secret",
    { value: "v", configs: [{ ...own, header_value_template: "Bearer" }] },
    "body.configs.0.header_value_template: value_error",
  ],
])("422: %s", async (_reason, body, problem) => {
  expect(problems(await put("KEY", body))).toEqual([problem]);
  expect(stored().list()).toEqual([]);
});

test("GET lists all keys at once, or by cursor; hosts only where they are asked for", async () => {
  for (const key of ["A", "B", "C"]) {
    await put(key, { value: "v", configs: [own] });
    platform.advance(1);
  }
  expect(await list("")).toEqual([{ key: "A" }, { key: "B" }, { key: "C" }]);
  expect(await list()).toEqual(["A", "B", "C"].map((key) => ({ key, configs: [expect.objectContaining(own)] })));
  const first = await list("?page_size=2");
  expect(field(first, "items")).toEqual([{ key: "A" }, { key: "B" }]);
  expect(await list(`?page_size=2&cursor=${text(first, "next_cursor")}`)).toEqual({
    items: [{ key: "C" }],
    next_cursor: null,
  });
});

test("DELETE succeeds, whether it is there or not; below /api, too", async () => {
  await put("KEY", { value: "v" });
  for (const path of [`${all}/KEY`, `/api${all}/KEY`]) expect((await platform.call("DELETE", path)).status).toBe(204);
  expect(await list()).toEqual([]);
});
