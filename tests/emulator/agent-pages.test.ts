import { agentUnderTest, deployed, type AgentUnderTest } from "../support/agent-under-test";
import { serving } from "../support/serving";

// As the official server for Python answered.

const origin = "https://page.example";
let agent: AgentUnderTest;
beforeAll(async () => {
  agent = await agentUnderTest();
});

const preflight = (url: string) =>
  fetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key,content-type",
    },
  });

test("a page may ask an agent: the browser's own question needs no key", async () => {
  const { status, headers } = await preflight(`${agent.url}/runs/stream`);
  expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect(headers.get("access-control-allow-headers")).toBe("x-api-key,content-type");
  expect(headers.get("access-control-allow-methods")).toContain("PATCH");
});

test.each([
  ["an answer", "/assistants/search", 200],
  ["a stream", "/runs/stream", 200],
  ["a refusal", "/nothing", 404],
])("a page reads %s", async (_what, path, status) => {
  const init = { headers: { ...agent.headers(), origin } };
  const answer = await agent.post(path, { assistant_id: "agent", input: { topic: "x" } }, init);
  const { headers } = answer;
  expect([answer.status, headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
  expect(headers.get("access-control-expose-headers")).toContain("content-location");
  await answer.text();
});

test("without the key, a page learns that it needs one", async () => {
  const answer = await agent.post("/threads", {}, { headers: { origin } });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
});

test("the control plane is for no page, nor is a client that is none told of pages", async () => {
  const asked = await preflight(`${agent.emulator.url}/v2/deployments`);
  const listed = await fetch(`${agent.emulator.url}/v2/deployments`, { headers: { ...agent.headers(), origin } });
  const plain = await agent.post("/threads", {});
  for (const { headers } of [asked, listed, plain]) expect(headers.get("access-control-allow-origin")).toBeNull();
  expect([asked.status, listed.status]).toEqual([405, 200]);
});

test("what an agent of one's own says to pages stays", async () => {
  const own = await serving((_asked, answer) => {
    answer.writeHead(200, { "access-control-allow-origin": "https://own.example" }).end("{}");
  });
  const { emulator } = await agentUnderTest({ agents: { own } });
  const url = `${emulator.url}/agents/${await deployed(emulator, "own:1", "own")}`;
  expect((await preflight(url)).status).toBe(200);
  const answer = await fetch(`${url}/ok`, { headers: { ...agent.headers(), origin } });
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://own.example");
});
