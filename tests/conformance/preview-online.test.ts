import { deployments, revisions, startEmulator, type Emulator } from "../../emulator";
import { realClock } from "../../provider/base/clock";
import { messageOf } from "../../provider/base/errors";
import { UNKNOWN, type JsonObject } from "../../provider/base/json";
import { createHandler, type Handler } from "../../provider/dynamic/handler";
import { createSession, SILENT, type Session } from "../../provider/lifecycle/session";
import { NativePlugin } from "../../provider/native/native-plugin";
import { PluginRun } from "../../provider/native/run";
import { nativeToken, MANAGED_TYPES, type ResourceType } from "../../provider/resources/resource-types";
import { openResource } from "../../provider/resources/registry";
import { givenByClass } from "../support/engine-model";
import { CASES } from "./cases";
import { OnAgent } from "./on-agent";
import { ofSuite, ofTest } from "../support/of-suite";

// docs/review.md: what a preview asks, through both fronts, without an engine.

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0 });
});
afterEach(() => {
  emulator.reset();
  emulator.clearLog();
});
afterAll(() => emulator.close());

/** A preview in a process of its own. */
interface Preview {
  readonly notes: string[];
  readonly warnings: string[];
  /** The problems of a resource. @param before Its inputs in state; none for a new one. */
  ask(kind: ResourceType, inputs: JsonObject, before?: JsonObject): Promise<string[]>;
  /** The same of a replacement, as the engine asks: a check, a diff, and a check without the inputs in state. */
  replace(kind: ResourceType, old: Replaced): Promise<string[]>;
}

interface Replaced {
  readonly id: string;
  readonly before: JsonObject;
  readonly outputs: JsonObject;
  readonly after: JsonObject;
}

const ONLINE = { preview: "online" };
const settingsOf = (more: Record<string, string>): Record<string, string> => ({
  baseUrl: emulator.url,
  apiKey: emulator.apiKey,
  ...more,
});

function started(): { session: Session; notes: string[]; warnings: string[] } {
  const [notes, warnings]: [string[], string[]] = [[], []];
  const log = {
    ...SILENT,
    warn: (message: string) => warnings.push(message),
    info: (message: string) => notes.push(message),
  };
  return { session: createSession({ log }), notes, warnings };
}

/** A dynamic resource of this process. */
async function handlerOf(kind: ResourceType, session: Session, more: Record<string, string>): Promise<Handler> {
  const settings = settingsOf(more);
  const handler = createHandler(openResource(kind, session), session);
  await handler.configure({ config: { get: (key) => settings[key.replace("agent-platform:", "")] } });
  return handler;
}

function dynamicPreview(more: Record<string, string> = ONLINE): Preview {
  const { session, ...seen } = started();
  return {
    ...seen,
    async ask(kind, inputs, before = {}) {
      const handler = await handlerOf(kind, session, more);
      return (await handler.check(before, inputs)).failures.map(({ reason }) => reason);
    },
    async replace(kind, { id, before, outputs, after }) {
      const handler = await handlerOf(kind, session, more);
      const first = await handler.check(before, after);
      await handler.diff(id, outputs, after);
      const second = await handler.check({}, after);
      return [...first.failures, ...second.failures].map(({ reason }) => reason);
    },
  };
}

function nativePreview(more: Record<string, string> = ONLINE): Preview {
  const { session, ...seen } = started();
  const plugin = new NativePlugin(session, new PluginRun(realClock));
  plugin.configure(settingsOf(more));
  const asked = async (act: Promise<unknown>): Promise<string[]> => {
    try {
      await act;
      return [];
    } catch (error) {
      return [messageOf(error)];
    }
  };
  return {
    ...seen,
    async replace(kind, { id, before, outputs, after }) {
      const urn = `urn:pulumi:test::test::${nativeToken(kind)}::it`;
      const native = plugin.resource(urn);
      const first = native.check(urn, before, after);
      native.diff(id, urn, outputs, before, first.inputs);
      const { reasons, inputs: properties } = native.check(urn, undefined, after);
      if (reasons.length > 0) return [...reasons];
      return asked(native.create({ urn, properties, timeout: 0, preview: true }));
    },
    async ask(kind, inputs, before) {
      const urn = `urn:pulumi:test::test::${nativeToken(kind)}::it`;
      const native = plugin.resource(urn);
      const { reasons, inputs: properties } = native.check(urn, before, inputs);
      if (reasons.length > 0) return reasons;
      const changing = { urn, properties, timeout: 0, preview: true };
      return asked(before === undefined ? native.create(changing) : native.update("id", before, before, changing));
    },
  };
}

/** An object that is on the platform, made by a program that nobody remembers. */
async function made(
  kind: ResourceType,
  inputs: JsonObject = CASES.Deployment.program,
  more: Record<string, string> = {},
): Promise<string> {
  const handler = await handlerOf(kind, started().session, more);
  const { id } = await handler.create({ ...givenByClass(kind), ...inputs });
  emulator.clearLog();
  return id;
}

const agent = CASES.Deployment.program;
const writing = (): string[] => emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");

describe.each([
  ["dynamic resources", dynamicPreview],
  ["the native plugin", nativePreview],
] as const)("%s", (_front, preview) => {
  afterEach(() => expect(writing()).toEqual([]));

  test("unless the stack asks for it, a preview sends nothing", async () => {
    for (const kind of MANAGED_TYPES) expect(await preview({}).ask(kind, CASES[kind].program)).toEqual([]);
    expect(emulator.requests).toEqual([]);
  });

  test.each(MANAGED_TYPES)(
    "%s: a name that is free is no problem, one that is taken is, with the way out",
    async (kind) => {
      const { program } = CASES[kind];
      expect(await preview().ask(kind, program)).toEqual([]);
      await made(kind, program);
      const [problem, ...others] = await preview().ask(kind, program);
      expect(others).toEqual([]);
      expect(problem).toMatch(new RegExp(`^${kind} ".*" already exists on the platform .* equals this declaration`));
      expect(problem).toMatch(
        /take it over with `adopt: true` .*set agent-platform:preview to "offline" for this command/,
      );
    },
  );

  test("it tells once whether the key works, and which tenant it opens", async () => {
    await made("Deployment");
    const asking = preview();
    expect(await asking.ask("Deployment", { ...agent, name: "one" })).toEqual([]);
    const { length } = emulator.requests;
    expect(await asking.ask("Deployment", { ...agent, name: "two" })).toEqual([]);
    // One list answers for all.
    expect(emulator.requests).toHaveLength(length);
    const [tenant] = emulator.outOfBand(deployments).list();
    const asked = asking.notes.filter((note) => note.startsWith("Asked"));
    expect(asked).toEqual([`Asked ${emulator.url}: the key works; it opens ${tenant?.tenant_id ?? "?"}.`]);
  });

  test("a key that the platform refuses is a problem, once, with the way out", async () => {
    const asking = preview({ ...ONLINE, apiKey: "wrong-canary" });
    const [problem] = await asking.ask("Deployment", agent);
    expect(problem).toMatch(
      /^the platform rejects the key: GET .* answered 40[13].* Set the right one: `pulumi config set.*`, or, for a resource with a `Platform`, its apiKey where/,
    );
    expect(problem).not.toContain("canary");
    expect(await asking.ask("OAuthProvider", CASES.OAuthProvider.program)).toEqual([]);
    expect(emulator.requests).toHaveLength(1);
  });

  test.each<[what: string, settings: Record<string, string>, warning: RegExp, requests: number]>([
    [
      "cannot be reached",
      { baseUrl: "http://127.0.0.1:9", apiKey: "k" },
      /^Could not ask the platform \(.*ECONNREFUSED.*\)\. The preview continues/,
      0,
    ],
    ["fails", {}, /answered 503/, 1],
  ])("a platform that %s is one warning, and no problem", async (_what, settings, warning, requests) => {
    emulator.faults.add({ kind: "status", status: 503 });
    const asking = preview({ ...ONLINE, ...settings });
    for (const kind of MANAGED_TYPES) expect(await asking.ask(kind, CASES[kind].program)).toEqual([]);
    expect(asking.warnings).toEqual([expect.stringMatching(warning)]);
    expect(emulator.requests).toHaveLength(requests);
  });

  test("adopt: it tells what adopting changes, by the fields alone", async () => {
    const id = await made("Deployment");
    const asking = preview();
    const { secrets: _, ...plain } = agent;
    const adopting = { ...plain, adopt: true };
    expect(
      await asking.ask("Deployment", { ...adopting, sourceRevisionConfig: { imageUri: "r.example/canary:2" } }),
    ).toEqual([]);
    expect(asking.notes.at(-1)).toMatch(
      new RegExp(`^Deployment "agent" \\(${id}\\) will be adopted: this changes .*sourceRevisionConfig\\.imageUri`),
    );
    expect(asking.notes.join()).not.toContain("canary");
    expect(await asking.ask("Deployment", { ...adopting, name: "other" })).toEqual([]);
    expect(asking.notes.at(-1)).toBe('Deployment "other": no object has this name, so it will be created.');

    await made("SandboxTemplate", CASES.SandboxTemplate.program);
    expect(await asking.ask("SandboxTemplate", { ...CASES.SandboxTemplate.program, adopt: true })).toEqual([]);
    expect(asking.notes.at(-1)).toMatch(
      /^SandboxTemplate "code" \(.*\) will be adopted: it is as declared, so nothing is sent\.$/,
    );
  });

  test("adopt: what cannot be adopted is a problem", async () => {
    await made("SandboxTemplate", CASES.SandboxTemplate.program);
    const template = { ...CASES.SandboxTemplate.program, image: "python:3.13", adopt: true };
    expect(await preview().ask("SandboxTemplate", template)).toEqual([
      expect.stringMatching(/cannot be adopted: it differs in fields that cannot be changed in place.*image/s),
    ]);
    // What is not known yet may be equal.
    expect(await preview().ask("SandboxTemplate", { ...template, image: UNKNOWN })).toEqual([]);
    const gone = "5a3f2c1e-0000-4000-8000-000000000001";
    expect(await preview().ask("Deployment", { ...agent, adopt: gone })).toEqual([
      expect.stringMatching(
        new RegExp(`^Deployment "${gone}" cannot be adopted: it does not exist for this key and tenant`),
      ),
    ]);
  });

  const missing = "5a3f2c1e-0000-4000-8000-00000000000a";
  const cloud = {
    source: "github",
    sourceConfig: { integrationId: missing, repoUrl: "https://git.example/a", deploymentType: "dev" },
    sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "a.json" },
  };
  const hosted = {
    ...agent,
    sourceConfig: { resourceSpec: {}, listenerId: missing, listenerConfig: { k8sNamespace: "agents" } },
  };

  test.each<[string, JsonObject, RegExp]>([
    ["listener", hosted, /^sourceConfig\.listenerId: there is no listener "5a3f.*the id, or declare the Listener/],
    [
      "integration",
      { name: "a", ...cloud },
      /^sourceConfig\.integrationId: there is no GitHub integration "5a3f.*getGithubIntegration/,
    ],
  ])("a %s that does not exist is a problem, unless the state names it, too", async (_what, inputs, reason) => {
    expect(await preview().ask("Deployment", inputs)).toEqual([expect.stringMatching(reason)]);
    expect(await preview().ask("Deployment", { ...inputs, displayName: "A" }, inputs)).toEqual([]);
    expect(await preview().ask("Deployment", { ...inputs, sourceConfig: UNKNOWN })).toEqual([]);
  });

  test("an agent of the platform that does not exist is a problem, unless the program declares it; so is one with a deployment there", async () => {
    const { name: _name, ...others } = agent;
    const desk = { ...others, agent: { agentId: "desk", environment: "production" } };
    const absent = /^agent\.agentId: there is no agent "desk" .*declare the PlatformAgent/;
    expect(await preview().ask("Deployment", desk)).toEqual([expect.stringMatching(absent)]);
    const both = preview();
    expect(await both.ask("PlatformAgent", { agentId: "desk" })).toEqual([]);
    expect(await both.ask("Deployment", desk)).toEqual([]);
    await made("PlatformAgent", { agentId: "desk" });
    expect(await preview().ask("Deployment", desk)).toEqual([]);
    await made("Deployment", desk);
    expect(await preview().ask("Deployment", desk)).toEqual([
      expect.stringMatching(/^Deployment "desk \(production\)" already exists on the platform/),
    ]);
  });

  test("a revision that does not exist is a problem", async () => {
    const deploymentId = await made("Deployment");
    const [revision] = emulator.outOfBand(revisions).list();
    const wait = { deploymentId, deploymentName: "agent" };
    expect(await preview().ask("Rollout", { ...wait, revisionId: revision?.id })).toEqual([]);
    expect(await preview().ask("Rollout", { ...wait, revisionId: missing })).toEqual([
      expect.stringMatching(/^revisionId: there is no revision "5a3f.*pulumi-agent-platform revisions/),
    ]);
    expect(await preview().ask("Rollout", { ...wait, revisionId: UNKNOWN })).toEqual([]);
  });

  test("nothing is asked about what does not change, or about a name that is not known yet", async () => {
    await made("Deployment");
    for (const kind of MANAGED_TYPES)
      expect(await preview().ask(kind, CASES[kind].respelled, CASES[kind].program)).toEqual([]);
    expect(emulator.requests).toEqual([]);
    expect(await preview().ask("Deployment", { ...agent, name: UNKNOWN })).toEqual([]);
  });

  test("a name whose holder is being deleted will be free: the preview does not wait for it", async () => {
    const slow = ofTest(await startEmulator({ buildSeconds: 0, deleteSeconds: 3600 }));

    const { baseUrl, apiKey } = { baseUrl: slow.url, apiKey: slow.apiKey };
    const id = await made("Deployment", agent, { baseUrl, apiKey });
    const headers = { "x-api-key": apiKey };
    expect((await fetch(`${baseUrl}/v2/deployments/${id}`, { method: "DELETE", headers })).status).toBe(204);
    const asking = preview({ ...ONLINE, baseUrl, apiKey });
    expect(await asking.ask("Deployment", agent)).toEqual([]);
    expect(await asking.ask("Deployment", { ...agent, adopt: true })).toEqual([]);
    expect(asking.notes.at(-1)).toBe('Deployment "agent": no object has this name, so it will be created.');
  });

  test.each(MANAGED_TYPES.filter((kind) => CASES[kind].replacing !== undefined))(
    "a replacement of a %s under the same name is not stopped by the object that it replaces, whose second half the engine checks as a new one",
    async (kind) => {
      const { program, replacing = {} } = CASES[kind];
      const own = givenByClass(kind);
      const [before, after] = [program, replacing].map((each) => ({ ...own, ...each }));
      const maker = await handlerOf(kind, started().session, {});
      const { id, outs } = await maker.create(before ?? {});
      emulator.clearLog();
      expect(await preview().replace(kind, { id, before: before ?? {}, outputs: outs, after: after ?? {} })).toEqual(
        [],
      );
    },
  );

  test("contract documented: what has no endpoint is not asked", async () => {
    await made("SandboxTemplate", CASES.SandboxTemplate.program);
    const documented = { ...ONLINE, contract: "documented" };
    for (const kind of ["OAuthProvider", "Deployment"] as const)
      expect(await preview(documented).ask(kind, CASES[kind].program)).toEqual([]);
    expect(await preview(documented).ask("SandboxTemplate", CASES.SandboxTemplate.program)).toEqual([
      expect.stringMatching(/already exists/),
    ]);
  });
});

test("dynamic resources: once `up` has written something, nothing more is asked", async () => {
  const handler = await handlerOf("SandboxTemplate", started().session, ONLINE);
  const template = CASES.SandboxTemplate.program;
  await handler.check({}, { ...template, name: "first" });
  await handler.create({ ...template, name: "first" });
  emulator.clearLog();
  await handler.check({}, { ...template, name: "second" });
  expect(emulator.requests).toEqual([]);
});

describe("what an agent keeps", () => {
  const on = ofSuite(OnAgent.prototype, () => OnAgent.start());

  const own = { __progressUrn: "urn:pulumi:dev::p::agent-platform:index:Assistant::it" };
  const programs = {
    Assistant: { name: "triage", graphId: "agent", ...own },
    Cron: { assistantId: "agent", schedule: "@daily", input: { topic: "news" }, ...own },
  };
  const reasons = async (kind: "Assistant" | "Cron", inputs: JsonObject): Promise<string[]> => {
    const handler = await on.platform.handler(kind, ONLINE);
    return (await handler.check({}, { ...programs[kind], ...inputs })).failures.map(({ reason }) => reason);
  };
  const missing = "5a3f2c1e-0000-4000-8000-00000000000a";

  describe.each(["Assistant", "Cron"] as const)("%s", (kind) => {
    test("nothing is asked of an agent that is not there yet", async () => {
      const place = { deploymentId: UNKNOWN, url: UNKNOWN, customUrl: UNKNOWN };
      for (const adopt of [undefined, missing]) expect(await reasons(kind, { ...place, adopt })).toEqual([]);
      expect(await reasons(kind, { ...on.place, apiKey: UNKNOWN, adopt: missing })).toEqual([]);
      expect(on.agent.requests).toEqual([]);
      expect(on.platform.warnings).toEqual([]);
    });

    test("its name is nobody's key, so nobody is asked about it", async () => {
      expect(await reasons(kind, on.place)).toEqual([]);
      expect(on.agent.requests).toEqual([]);
    });

    test("an id to adopt is asked about, once the agent is known", async () => {
      const model = await on.model(kind);
      await model.up({ ...programs[kind], ...on.place });
      const { id } = model.current;
      expect(await reasons(kind, { ...on.place, adopt: id })).toEqual([]);
      expect(on.platform.told.at(-1)?.message).toMatch(
        `(${id}) will be adopted: it is as declared, so nothing is sent.`,
      );
      expect(await reasons(kind, { ...on.place, adopt: missing })).toEqual([
        expect.stringMatching(`^${kind} "${missing}" cannot be adopted: it does not exist`),
      ]);
    });

    test("an agent that does not answer costs a question and no wait", async () => {
      await on.agent.stop();
      const began = on.platform.clock.now();
      expect(await reasons(kind, { ...on.place, adopt: missing })).toEqual([
        expect.stringMatching(/cannot be adopted: this platform cannot look it up \(the agent of Deployment "desk" /),
      ]);
      expect(on.platform.clock.now()).toBe(began);
    });
  });
});
