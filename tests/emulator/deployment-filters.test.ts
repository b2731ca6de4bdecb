import { z } from "zod";
import { deploymentBody, problems, startPlatform, text, type Platform } from "./api";

let platform: Platform;
const ids = new Map<string, string>();
const all = "/v2/deployments";
const image = (uri: string) => ({ source_revision_config: { image_uri: uri } });

beforeAll(async () => {
  platform = await startPlatform({ buildSeconds: 100, deleteSeconds: 1000 });
  const bodies = [
    { ...deploymentBody, name: "support" },
    { ...deploymentBody, name: "support-eu", ...image("registry.example/support:2.1") },
    { ...deploymentBody, name: "sales", ...image("registry.example/sales@sha256:0123") },
  ];
  for (const body of bodies) ids.set(body.name, text((await platform.call("POST", all, { body })).body, "id"));
  platform.advance(100);
  await platform.call("DELETE", `${all}/${idOf("sales")}`);
});

const idOf = (name: string): string => ids.get(name) ?? "none";
async function names(query: string): Promise<string[]> {
  const { body } = await platform.call("GET", `${all}?${query}`);
  return z
    .object({ resources: z.array(z.object({ name: z.string() })) })
    .parse(body)
    .resources.map(({ name }) => name);
}

test.each<[reason: string, query: () => string, found: readonly string[]]>([
  ["name is the whole name", () => "name=support", ["support"]],
  ["name_contains is a part of it", () => "name_contains=support", ["support", "support-eu"]],
  ["both have to fit", () => "name=support&name_contains=eu", []],
  ["an empty filter is not set", () => "name=&name_contains=", ["support", "support-eu", "sales"]],
  ["status", () => "status=AWAITING_DELETE", ["sales"]],
  ["several statuses", () => "status=AWAITING_DELETE,READY", ["support", "support-eu", "sales"]],
  ["deployment_ids, by commas", () => `deployment_ids=${idOf("sales")},${idOf("support")}`, ["support", "sales"]],
  [
    "deployment_ids, repeated",
    () => `deployment_ids=${idOf("sales")}&deployment_ids=${idOf("support-eu")}`,
    ["support-eu", "sales"],
  ],
  ["an id that is not there finds nothing", () => "deployment_ids=0d6d4a4e-6f0e-4d55-8d50-2a4b6f3c9a01", []],
  ["no deployment has a tag", () => "tag_value_ids=x", []],
  ["remote_reconciled: in a cluster of one's own", () => "remote_reconciled=true", ["support", "support-eu", "sales"]],
  ["not remote_reconciled: on the cloud", () => "remote_reconciled=false", []],
])("%s", async (_reason, query, found) => {
  expect(await names(query())).toEqual(found);
});

test("pages count what came through the filters, and remote_reconciled is true or false", async () => {
  const { body } = await platform.call("GET", `${all}?name_contains=support&limit=1&offset=1`);
  expect(body).toMatchObject({ resources: [{ name: "support-eu" }], offset: 2 });
  const refused = await platform.call("GET", `${all}?remote_reconciled=maybe`);
  expect(problems(refused)).toEqual(["query.remote_reconciled: bool_parsing"]);
});

test("the request log shows which ids were asked for", async () => {
  await names("deployment_ids=a&deployment_ids=b,c&other=d");
  expect(platform.emulator.requests.at(-1)?.query).toEqual({ deployment_ids: "a,b,c", other: "<string>" });
});
