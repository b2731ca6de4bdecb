import { oauthProviders, type Layer } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { CheckFailed } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

/** Fields that answers show in addition to the emulator's own, as a newer platform may. */
let shown: Record<string, unknown> = {};
const layer: Layer = {
  afterCommit: async (_exchange, response) => {
    if (Object.keys(shown).length === 0 || response.status !== 200) return response;
    const body: unknown = await response.json();
    const withShown = (provider: unknown): unknown =>
      typeof provider === "object" ? { ...provider, ...shown } : provider;
    return Response.json(Array.isArray(body) ? body.map(withShown) : withShown(body));
  },
};

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ layers: [layer] }));
beforeEach(() => void (shown = {}));

const program = {
  providerId: "work",
  name: "Work",
  clientId: "c",
  authUrl: "https://a.example/auth",
  tokenUrl: "https://a.example/token",
};
const params = { prompt: "consent", max_age: "60" };
const uris = ["https://a.example/back", "https://b.example/back"];
const full = { ...program, authorizationParams: params, allowedRedirectUris: uris };
const stored = () => platform.emulator.outOfBand(oauthProviders).get("work");
const made = async (over: JsonObject = {}, settings: Record<string, string> = {}) => {
  const provider = await platform.resource("OAuthProvider", settings);
  await provider.up({ ...program, ...over });
  return provider;
};

test.each([
  ["what is declared still", { name: "Sorter" }, "Sorter"],
  ["what was declared before", {}, "Work"],
])("after an update of unknown end, where no provider can be read, the next up sends %s", async (_what, over, name) => {
  for (const path of ["/v2/auth/providers", "/v2/auth/providers/*"])
    platform.emulator.faults.add({ kind: "status", status: 405, method: "GET", path });
  const provider = await made();
  const lost = platform.emulator.faults.add({ kind: "reset-before-commit", method: "PATCH", count: 1 });
  const refused = platform.emulator.faults.add({ kind: "status", status: 403, method: "PATCH" });
  expect(await failureOf(provider.up({ ...program, name: "Sorter" }))).toMatch(/got no answer.*then .* answered 403/);
  for (const each of [lost, refused]) each.remove();
  await provider.up({ ...program, ...over });
  expect(stored().name).toBe(name);
  expect(provider.current.outputs).not.toHaveProperty("__doubted");
});

describe("authorizationParams and allowedRedirectUris, which a create does not take", () => {
  test("are sent by one PATCH after it; then nothing differs", async () => {
    const provider = await made(full);
    expect(platform.changing()).toEqual(["POST", "PATCH"]);
    expect(stored()).toMatchObject({ authorization_params: params, allowed_redirect_uris: uris });
    expect(await provider.refresh()).toBe(false);
    expect(await provider.up(full)).toBe("same");
  });

  test("a PATCH that fails fails the create, with the provider in state; the next up sends it", async () => {
    const fault = platform.emulator.faults.add({ kind: "status", status: 400, method: "PATCH" });
    const provider = await platform.resource("OAuthProvider");
    expect(await failureOf(provider.up(full))).toMatch(
      /created, but without its authorizationParams, allowedRedirectUris/,
    );
    fault.remove();
    expect(stored().allowed_redirect_uris).toBeNull();
    expect(await provider.up(full)).toBe("update");
    expect(stored()).toMatchObject({ authorization_params: params, allowed_redirect_uris: uris });
    expect(platform.changing()).toEqual(["POST", "PATCH", "PATCH"]);
  });

  test("are changed by a PATCH of that field alone; another order of URIs is no change", async () => {
    const provider = await made(full);
    platform.emulator.clearLog();
    expect(await provider.up({ ...full, allowedRedirectUris: [...uris].reverse() })).toBe("same");
    expect(await provider.up({ ...full, authorizationParams: { prompt: "none" } })).toBe("update");
    const changing = platform.emulator.requests.filter(({ method }) => method !== "GET");
    expect(changing.map(({ requestBody }) => requestBody)).toEqual([{ authorization_params: { prompt: "<string>" } }]);
    expect(stored()).toMatchObject({ authorization_params: { prompt: "none" }, allowed_redirect_uris: uris });
  });

  test("that leave the program are emptied", async () => {
    const provider = await made(full);
    expect(await provider.up(program)).toBe("update");
    expect(stored()).toMatchObject({ authorization_params: {}, allowed_redirect_uris: [] });
  });

  test("are always sent by an adoption: whether they are equal is not known", async () => {
    await made();
    platform.emulator.clearLog();
    const adopting = await platform.resource("OAuthProvider");
    await adopting.up({ ...full, adopt: true });
    expect(platform.changing()).toEqual(["PATCH"]);
    expect(stored()).toMatchObject({ authorization_params: params, allowed_redirect_uris: uris });
  });

  test("are compared on a platform that answers them", async () => {
    shown = { authorization_params: params, allowed_redirect_uris: [...uris].reverse() };
    const provider = await made(full);
    expect(await provider.refresh()).toBe(false);
    shown = { authorization_params: { prompt: "none" }, allowed_redirect_uris: uris };
    platform.newProcess();
    expect(await provider.refresh()).toBe(true);
    expect(provider.current.inputs["authorizationParams"]).toEqual({ prompt: "none" });
  });

  test("are refused at preview under contract documented, which has no PATCH", async () => {
    const provider = await platform.resource("OAuthProvider", { contract: "documented" });
    const error = await provider.up(full).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CheckFailed);
    for (const name of ["authorizationParams", "allowedRedirectUris"]) {
      expect(String(error)).toContain(`${name}: contract "documented" has no endpoint for it; set agent-platform`);
    }
    expect(platform.emulator.requests).toEqual([]);
  });
});

describe("providerType", () => {
  test("is sent by the create; a change replaces", async () => {
    const provider = await made({ providerType: "slack" });
    expect(stored().provider_type).toBe("slack");
    expect(await provider.refresh()).toBe(false);
    expect(await provider.up({ ...program, providerType: "microsoft" })).toBe("replace");
    expect(stored().provider_type).toBe("microsoft");
  });

  test("that leaves the program stays as it is on the platform", async () => {
    const provider = await made({ providerType: "slack" });
    platform.emulator.clearLog();
    expect(await provider.up(program)).toBe("same");
    expect(platform.emulator.requests).toEqual([]);
    expect(await provider.refresh()).toBe(false);
  });

  test.each([null, "microsoft"])("in a state of version 0.1.0 (%p), as an output, is no change", async (type) => {
    const provider = await made();
    platform.emulator.outOfBand(oauthProviders).change("work", { provider_type: type });
    const { current } = provider;
    provider.state = { ...current, outputs: { ...current.outputs, providerType: type } };
    platform.newProcess();
    expect(await provider.up(program)).toBe("same");
    expect(await provider.refresh()).toBe(false);
    expect(await provider.up(program)).toBe("same");
  });

  test("can be declared under contract documented", async () => {
    await made({ providerType: "salesforce" }, { contract: "documented" });
    expect(stored().provider_type).toBe("salesforce");
  });
});

test("one that somebody deleted and made anew has a secret that nobody knows: a problem, until it is sent", async () => {
  const ours = { ...program, clientSecret: "our-secret" };
  const provider = await made(ours);
  const { id, ...theirs } = stored();
  platform.emulator.outOfBand(oauthProviders).remove(id);
  await platform.ask("POST", "/v2/auth/providers", { ...theirs, client_secret: "their-secret" });
  expect(await provider.refresh()).toBe(true);
  expect(await provider.refresh()).toBe(true);
  expect(provider.current.outputs["problem"]).toMatch(/made anew outside of this stack; its clientSecret/);
  expect(await provider.up(ours)).toBe("update");
  expect(stored().client_secret).toBe("our-secret");
  expect(await provider.refresh()).toBe(false);
});

test("a create that an error hook repeats sends what its first half could not, although no answer shows it", async () => {
  const { handler } = await platform.resource("OAuthProvider");
  const row = "urn:pulumi:dev::test::agent-platform:index:OAuthProvider::work";
  const ours = { ...program, allowedRedirectUris: ["https://a.example/back"], __progressUrn: row };
  platform.emulator.faults.add({ kind: "status", status: 422, method: "PATCH", count: 1 });
  await expect(handler.create(ours)).rejects.toThrow("without its allowedRedirectUris");
  await handler.create(ours);
  expect(stored().allowed_redirect_uris).toEqual(["https://a.example/back"]);
});
