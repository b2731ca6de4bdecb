import type { Layer } from "../../emulator";
import { Search } from "../security/search";
import { notOk, ok, type CliStack } from "../support/cli-stack";
import { OtlpReceiver } from "../support/otlp-receiver";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

/** The platform's id of each request. */
const numbered: Layer = {
  afterCommit: ({ entry }, response) => {
    response.headers.set("x-request-id", `req-${entry.seq}`);
    return Promise.resolve(response);
  },
};
const canaries = [
  "canary-api-key-7f3a",
  "canary-token-91c2",
  "canary-client-secret-44d0",
  "canary-variable-0b8e",
] as const;
const [apiKey, token, clientSecret, variable] = canaries;
const platform = onEmulator({ buildSeconds: 2.5, layers: [numbered], apiKey });

const program = (image: string): string => `
new platform.OAuthProvider("github", {
  providerId: "github", name: "GitHub", clientId: "c", clientSecret: "${clientSecret}",
  authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
});
new platform.Deployment("desk", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/${image}" },
  secrets: { TOKEN: "${token}" },
  environmentVariables: { PLAIN: "${variable}" },
});
`;

describeWithEngine("spans of a run", () => {
  let receiver: OtlpReceiver;
  beforeAll(async () => (receiver = await OtlpReceiver.start()));
  afterAll(() => receiver.close());

  const withSpans = (stack: CliStack, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    stack.run([...args, "--yes", "--skip-preview"], { environment: { ...receiver.environment, ...more } });
  /** The names of the spans from this one up to its root. */
  const lineOf = (name: string): string[] => {
    const line = [];
    for (let span = receiver.named(name)[0]; span !== undefined; span = receiver.parentOf(span)) line.push(span.name);
    return line;
  };
  const searchForCanaries = () => {
    const search = new Search(canaries.map((value) => ({ name: value, value, fromConfig: false })));
    search.look("spans", receiver.bodies.join("\n"));
    expect(search.hits).toEqual([]);
  };

  /** What a command has sent is there as soon as it ends. */
  function expectSpansOfFirstUp(): void {
    expect(receiver.serviceNames).toEqual(["pulumi-agent-platform"]);
    const create = receiver.only("create Deployment").attributes;
    expect(create).toMatchObject({
      "agent_platform.kind": "Deployment",
      "agent_platform.verb": "create",
      "agent_platform.name": "desk",
      "agent_platform.outcome": "done",
    });
    expect(create["pulumi.urn"]).toMatch(/^urn:pulumi:test::test::.*Deployment::desk$/);
    expect(receiver.only("create OAuthProvider")).toMatchObject({
      attributes: { "agent_platform.outcome": "failed", "error.type": "AgentPlatformError" },
      status: { code: 2 },
    });
    expect(lineOf("wait")).toEqual(["wait", "create Rollout"]);
    const statuses = receiver.only("wait").events.map(({ attributes }) => attributes["agent_platform.status"]);
    expect(statuses.at(-1)).toBe("done");
    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses).size).toBe(statuses.length);
  }

  function expectRequestsOfFirstUp(): void {
    expect(lineOf("POST /v2/deployments")).toEqual(["POST /v2/deployments", "create Deployment"]);
    const post = receiver.only("POST /v2/deployments").attributes;
    expect(post).toMatchObject({
      "http.request.method": "POST",
      "url.template": "/v2/deployments",
      "http.response.status_code": 201,
      "agent_platform.attempt": 1,
      "server.address": "127.0.0.1",
      "server.port": platform.emulator.port,
    });
    expect(post["agent_platform.request_id"]).toMatch(/^req-\d+$/);
    const lookUps = receiver
      .named("GET /v2/deployments")
      .filter((span) => receiver.parentOf(span)?.name === "create Deployment")
      .map(({ attributes }) => [attributes["agent_platform.attempt"], attributes["error.type"]]);
    expect(lookUps).toEqual([
      [1, "503"],
      [2, undefined],
    ]);
  }

  function expectSpansOfSecondUp(trace: string): void {
    expect(receiver.only("update Deployment").attributes["pulumi.urn"]).toMatch(
      /::agent-platform:index:Deployment::desk$/,
    );
    expect(lineOf("PATCH /v2/deployments/{id}")).toEqual(["PATCH /v2/deployments/{id}", "update Deployment"]);
    expect(lineOf("POST /v2/auth/providers")).toEqual(["POST /v2/auth/providers", "create OAuthProvider"]);
    expect(lineOf("wait")).toEqual(["wait", "update Rollout"]);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
  }

  test("show verbs, requests and waits on both fronts, and no secret; a receiver that hangs fails nothing", async () => {
    const { faults } = platform.emulator;
    const stack = await platform.stackOf(program("agent:1"), {}, "dynamic");
    faults.add({ kind: "status", status: 503, method: "GET", path: "/v2/deployments", count: 1 });
    const refused = faults.add({ kind: "status", status: 422, echo: true, method: "POST", path: "/v2/auth/providers" });
    notOk(await withSpans(stack, ["up", "--continue-on-error"]));
    expectSpansOfFirstUp();
    expectRequestsOfFirstUp();
    searchForCanaries();

    refused.remove();
    receiver.clear();
    stack.choose("native");
    stack.write(program("agent:2"));
    const trace = "0af7651916cd43dd8448eb211c80319c";
    ok(await withSpans(stack, ["up"], { TRACEPARENT: `00-${trace}-b7ad6b7169203331-01` }));
    expectSpansOfSecondUp(trace);
    searchForCanaries();

    receiver.isStuck = true;
    receiver.clear();
    ok(await withSpans(stack, ["destroy"]));
    expect(receiver.spans.length).toBeGreaterThan(0);
  });
});
