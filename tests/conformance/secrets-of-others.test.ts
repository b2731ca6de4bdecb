import type { Layer } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { unmarshal } from "../../provider/native/values";
import { MANAGED_TYPES, RESOURCE_TYPES, type ResourceType } from "../../provider/resources/resource-types";
import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/base/engine-format";
import { Search, type Canary } from "../security/search";
import { PlatformUnderTest } from "../support/platform-under-test";
import { serving } from "../support/serving";
import { CASES } from "./cases";

// An answer may repeat a secret that another resource has sent, this run or an earlier one: a registry's password in the failure of a snapshot, a
// deployment's model key in the refusal of its agent, the old secret after a refused rotation.

const canary = (name: string): Canary => ({ name, value: `c4nary "${name}" é`, fromConfig: false });
const key = canary("key-of-another-platform");
const bearer = canary("token-of-another-platform");
const header = ({ name }: Canary) => `c4nary-${name}`;

/** How this process meets each secret: as what the engine asks of one resource. */
const MET = {
  newInputs: canary("checked"),
  oldInputs: canary("checked before"),
  diffed: canary("compared"),
  diffedBefore: canary("compared before"),
  created: canary("created"),
  read: canary("read"),
  updated: canary("updated"),
  updatedBefore: canary("updated before"),
  deleted: canary("deleted"),
  client: canary("client secret"),
  password: canary("password"),
  checkKey: canary("key of a check"),
  marked: canary("marked by the program"),
};
const ALL: readonly Canary[] = [
  ...Object.values(MET),
  ...[key, bearer].map((each) => ({ ...each, value: header(each) })),
];
/** As a server may write them: as they are, and in other spellings. */
const ECHO = ALL.map(({ value }) =>
  [value, encodeURIComponent(value), Buffer.from(`.${value}`).toString("base64"), JSON.stringify(value)].join(" "),
).join(", ");

let platform: PlatformUnderTest;
let url: string;
/** Whether the platform repeats all secrets in every answer. */
let isEchoing = false;
let echoed = 0;

beforeAll(async () => {
  const layer: Layer = {
    beforeRoute: () =>
      Promise.resolve(
        isEchoing && ++echoed > 0 ? new Response(JSON.stringify({ detail: ECHO }), { status: 422 }) : undefined,
      ),
  };
  platform = await PlatformUnderTest.start({ layers: [layer] });
  url = await serving((_request, response) => {
    echoed += 1;
    response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify({ detail: ECHO }));
  });
  await meetAll();
});
afterAll(() => platform.close());

async function meetAll(): Promise<void> {
  const handler = await platform.handler("Deployment");
  const deployment = ({ value }: Canary): JsonObject => ({ ...CASES.Deployment.program, secrets: { KEY: value } });
  const failing = (promise: Promise<unknown>) => promise.catch(() => undefined);
  await handler.check(deployment(MET.oldInputs), deployment(MET.newInputs));
  await failing(handler.diff("id", deployment(MET.diffedBefore), deployment(MET.diffed)));
  isEchoing = true;
  await failing(handler.create(deployment(MET.created)));
  await failing(handler.read("id", deployment(MET.read)));
  await failing(handler.update("id", deployment(MET.updatedBefore), deployment(MET.updated)));
  await failing(handler.delete("id", deployment(MET.deleted)));
  isEchoing = false;
  const oauth = await platform.handler("OAuthProvider");
  await oauth.check({}, { ...CASES.OAuthProvider.program, clientSecret: MET.client.value });
  const registry = await platform.handler("SandboxRegistry");
  await registry.check({}, { ...CASES.SandboxRegistry.program, password: MET.password.value });
  const check = await platform.handler("RunCheck");
  await check.check({}, { url, assistantId: "agent", apiKey: MET.checkKey.value });
  unmarshal({ name: { [SIGNATURE]: SECRET_SIGNATURE, value: [{ deep: MET.marked.value }] } });
  const other = await platform.handler("Listener", { apiKey: header(key), bearerToken: header(bearer) });
  await failing(other.read("id", CASES.Listener.program));
}

const caseOf = (kind: ResourceType) => {
  const managed = MANAGED_TYPES.find((each) => each === kind);
  return managed === undefined ? undefined : CASES[managed];
};

/** Arguments of a resource that holds none of them. */
function programOf(kind: ResourceType): JsonObject {
  const managed = caseOf(kind);
  if (managed !== undefined) return managed.program;
  const place = { deploymentId: "11111111-1111-4111-8111-111111111111", url, customUrl: url };
  if (kind === "Assistant") return { ...place, graphId: "agent", name: "desk" };
  if (kind === "Cron") return { ...place, assistantId: "agent", schedule: "0 9 * * 1-5", input: { topic: "news" } };
  if (kind === "RunCheck") return { ...place, assistantId: "agent", input: { topic: "news" }, attempts: 1 };
  return { deploymentId: place.deploymentId, revisionId: "22222222-2222-4222-8222-222222222222" };
}

describe.each(RESOURCE_TYPES)("no message of a %s, and no line of its log, repeats another one's secret", (kind) => {
  test.each(["create", "read", "update", "delete", "preview"] as const)("%s", async (verb) => {
    platform.reset();
    const settings = { log: "requests", ...(verb === "preview" ? { preview: "online" } : {}) };
    const handler = await platform.handler(kind, settings);
    const program = programOf(kind);
    const state = { ...program, origin: undefined };
    const before = echoed;
    isEchoing = true;
    const act = {
      create: () => handler.create(program),
      read: () => handler.read("id", state),
      update: () =>
        handler.update("id", state, {
          ...program,
          ...caseOf(kind)?.updated,
          extra: { a: 1 },
        }),
      delete: () => handler.delete("id", state),
      preview: () => handler.check({}, program),
    }[verb];
    const outcome: unknown = await act().catch((error: unknown) => error);
    isEchoing = false;
    const { warnings, debug, progress, told } = platform;
    const said = outcome instanceof Error ? [outcome.message, outcome.stack, String(outcome.cause)] : outcome;
    const search = new Search(ALL);
    search.look(`${verb} of a ${kind}`, JSON.stringify({ said, warnings, debug, progress, told }));
    expect(search.hits).toEqual([]);
    if (echoed > before) expect(JSON.stringify({ said, warnings, debug })).toContain("[secret]");
  });
});

test("every kind of answer was one that repeats secrets", () => expect(echoed).toBeGreaterThan(30));
