import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { CliError } from "../base/cli-error";
import { objectsIn } from "../base/stack-objects";
import { stateIn } from "../base/stack-state";
import { assistantIn, readInput, requestOf, runFlags, usageOf } from "./request";
import { ArgumentError, messageOf } from "../../provider/base/errors";
import { nativeToken } from "../../provider/resources/resource-types";
import { newFolder } from "../../tests/support/new-folder";

const flags = (given: object) => runFlags.parse({ url: "http://127.0.0.1:1", ...given });
const request = (given: object, environment: NodeJS.ProcessEnv = {}) => requestOf(flags(given), environment);

describe("the request", () => {
  test("tokens of a run that keeps nothing, unless the flags say otherwise", async () => {
    expect(await request({ assistant: "agent" })).toEqual({
      ...flags({ assistant: "agent", mode: ["messages-tuple"] }),
      client: { url: "http://127.0.0.1:1", apiKey: undefined, idleTimeout: undefined, allowInsecure: false },
    });
  });

  test("each mode once", async () => {
    const { mode } = await request({ assistant: "a", mode: ["updates", "values", "updates"] });
    expect(mode).toEqual(["updates", "values"]);
  });

  test("the url and the key of the environment; --url goes before it", async () => {
    const environment = { AGENT_PLATFORM_AGENT_URL: "http://127.0.0.1:2", AGENT_PLATFORM_API_KEY: "k" };
    expect((await requestOf(runFlags.parse({ assistant: "a" }), environment)).client).toMatchObject({
      url: "http://127.0.0.1:2",
      apiKey: "k",
    });
    const { AGENT_PLATFORM_AGENT_URL } = environment;
    expect((await request({ assistant: "a" }, { AGENT_PLATFORM_AGENT_URL })).client.url).toBe("http://127.0.0.1:1");
  });

  test.each<[reason: string, url: string, environment: NodeJS.ProcessEnv]>([
    ["nothing in the environment says whose key it is", "https://any.example", {}],
    ["a host of the platform", "https://a.example/agents/1", { AGENT_PLATFORM_BASE_URL: "https://a.example" }],
    [
      "a host of its agents' domain",
      "https://desk.agents.example",
      { AGENT_PLATFORM_BASE_URL: "https://a.example", AGENT_PLATFORM_AGENT_DOMAIN: "agents.example" },
    ],
    [
      "the agent of the environment",
      "https://desk.example/a",
      { AGENT_PLATFORM_BASE_URL: "https://a.example", AGENT_PLATFORM_AGENT_URL: "https://desk.example" },
    ],
  ])("the key of the environment goes to --url: %s", async (_reason, url, environment) => {
    const given = { ...environment, AGENT_PLATFORM_API_KEY: "k" };
    expect((await requestOf(flags({ url, assistant: "a" }), given)).client).toMatchObject({ url, apiKey: "k" });
  });

  test.each<[named: string, environment: NodeJS.ProcessEnv]>([
    ["AGENT_PLATFORM_BASE_URL", { AGENT_PLATFORM_BASE_URL: "https://a.example" }],
    ["AGENT_PLATFORM_REGION", { AGENT_PLATFORM_REGION: "eu", AGENT_PLATFORM_BASE_URL_EU: "https://eu.example" }],
    ["AGENT_PLATFORM_REGION", { AGENT_PLATFORM_REGION: "eu" }],
    ["AGENT_PLATFORM_AGENT_URL", { AGENT_PLATFORM_AGENT_URL: "https://desk.example" }],
  ])(
    "a key of the environment that is meant for another address is refused, with the host and the remedy: %s",
    async (named, environment) => {
      const given = { ...environment, AGENT_PLATFORM_API_KEY: "k" };
      await expect(requestOf(flags({ url: "https://evil.example/x", assistant: "a" }), given)).rejects.toThrow(
        new CliError(
          `--url: apiKey comes from the environment (AGENT_PLATFORM_API_KEY), so it is only meant for the address in the environment (${named}) ` +
            "and is not sent to evil.example: set AGENT_PLATFORM_AGENT_URL to that address, or AGENT_PLATFORM_AGENT_DOMAIN to the domain of the " +
            `platform's agents, or unset ${named}`,
          { exitCode: 2 },
        ),
      );
    },
  );

  test("an empty key counts as no key", async () => {
    expect((await request({ assistant: "a" }, { AGENT_PLATFORM_API_KEY: "" })).client.apiKey).toBeUndefined();
  });

  test("a join has all modes of its run, and --mode picks from them", async () => {
    expect((await request({ thread: "t", join: "r" })).mode).toEqual([]);
    expect((await request({ thread: "t", join: "r", mode: ["custom"] })).mode).toEqual(["custom"]);
  });
});

describe("wrong usage is refused, with the name of the flag", () => {
  test.each<[reason: string, given: object, flag: string]>([
    ["no address", { url: undefined, assistant: "a" }, "name a deployment of the stack, or give an agent's address"],
    ["an empty address", { url: "", assistant: "a" }, "name a deployment of the stack, or give an agent's address"],
    ["a stack, but no deployment of it", { stack: "prod", assistant: "a" }, "--stack: only works for a deployment"],
    ["a Platform of the stack, but no deployment", { platform: "eu", assistant: "a" }, "--platform: only works"],
    ["no assistant", {}, "--assistant"],
    ["an empty assistant", { assistant: "" }, "--assistant"],
    ["a join without its thread", { join: "r" }, "--join"],
    ["a join on a thread that does not exist yet", { join: "r", thread: "new" }, "--join"],
    ["a join that names a graph", { join: "r", thread: "t", assistant: "a" }, "--assistant"],
    ["a join with an input", { join: "r", thread: "t", input: "1" }, "--input"],
    ["a join with a choice of what to stream", { join: "r", thread: "t", subgraphs: true }, "--subgraphs"],
  ])("%s", async (_reason, given, flag) => {
    await expect(request(given)).rejects.toThrow(CliError);
    await expect(request(given)).rejects.toThrow(new RegExp(`^${flag}`));
  });

  test.each<[theirs: ArgumentError, ours: string | undefined]>([
    [new ArgumentError("idleTimeout", "must be a number"), "--idle-timeout: must be a number"],
    [new ArgumentError("runId", '".." cannot be part of a URL'), '--join: ".." cannot be part of a URL'],
    [new ArgumentError("other", "no flag of ours"), undefined],
  ])("the client's message about an argument becomes one about its flag: %s", (theirs, ours) => {
    expect(usageOf(theirs)).toBe(ours);
  });
});

describe("--input", () => {
  let folder: string;
  beforeAll(() => (folder = newFolder()));

  const none = Readable.from([]);
  /** The file of this text, as --input names it. */
  const file = (text: string): string => {
    const path = join(folder, "input.json");
    writeFileSync(path, text);
    return `@${path}`;
  };

  test.each<[reason: string, given: () => string, stdin: string[], value: unknown]>([
    ["an object", () => '{"topic":"cats"}', [], { topic: "cats" }],
    ["null, which continues a thread from where it is", () => "null", [], null],
    ["a file", () => file('{"a":1}\n'), [], { a: 1 }],
    ["a file that begins with a byte order mark", () => file("\uFEFF[1]"), [], [1]],
    ["standard input, in parts", () => "-", ['{"a"', ":1}"], { a: 1 }],
  ])("%s", async (_reason, given, stdin, value) => {
    expect(await readInput(given(), Readable.from(stdin))).toEqual(value);
  });

  test.each<[reason: string, given: () => string, message: RegExp]>([
    ["a text that is not JSON", () => "{topic: canary}", /^--input: is not JSON \(in a shell, quote it/],
    ["a file of something else", () => file("canary"), /^--input: the file \S+ is not JSON$/],
    ["no file", () => `@${folder}/missing`, /^--input: cannot be read: .*ENOENT.*missing/],
    ["nothing", () => "", /^--input: is empty; leave it out for no input$/],
    ["standard input that is empty", () => "-", /^--input: is empty/],
  ])("%s is refused, and nothing of the text is repeated", async (_reason, given, message) => {
    const problem = await readInput(given(), none).then(() => "none", messageOf);
    expect(problem).toMatch(message);
    expect(problem).not.toContain("canary");
  });
});

describe("an assistant of the stack", () => {
  const type = nativeToken("Assistant");
  const resources = [
    ["triage", "helper"],
    ["second", "helper"],
    ["helper-of-sales", "sales"],
    ["sales", "third"],
  ].map(([name, shown]) => ({
    urn: `urn:pulumi:prod::shop::${type}::${name}`,
    type,
    id: `id-of-${name}`,
    outputs: { name: shown },
  }));
  const declared = objectsIn("prod", stateIn(JSON.stringify({ deployment: { resources } })));

  test.each([
    ["by its name in the program", "triage", "id-of-triage"],
    ["by its name on the agent", "third", "id-of-sales"],
    ["by its name in the program first", "sales", "id-of-sales"],
    ["or a graph, or an id", "agent", "agent"],
  ])("%s", (_how, given, id) => expect(assistantIn(declared, given)).toBe(id));

  test("is not one of two with the name", () =>
    expect(() => assistantIn(declared, "helper")).toThrow(
      '"helper" is the name of several assistants: give the name of one (triage, second)',
    ));
});
