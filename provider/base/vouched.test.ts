import { connectionTo } from "../../tests/support/connection";
import { vouchesFor } from "./vouched";

const connection = connectionTo("https://api.platform.example/v1", { sandboxBaseUrl: "https://sandbox.example:8443" });

describe("an agent's address that a connection's key is meant for", () => {
  test.each<[reason: string, url: string, expected: boolean, given: { declared?: string; agentDomain?: string }]>([
    ["the host of the control plane", "https://api.platform.example/agents/1", true, {}],
    ["the host of the sandbox API, with its port", "https://sandbox.example:8443/x", true, {}],
    ["another port is another server", "https://sandbox.example/x", false, {}],
    ["a host below the control plane's", "https://desk.api.platform.example", true, {}],
    ["in capitals", "https://DESK.API.platform.example", true, {}],
    ["a host beside it: of a shared domain, anybody may have one", "https://desk.platform.example", false, {}],
    ["a host that ends alike", "https://evilapi.platform.example", false, {}],
    ["a host that begins alike", "https://api.platform.example.evil.example", false, {}],
    ["another host", "https://evil.example/api.platform.example", false, {}],
    ["the platform as a user name", "https://api.platform.example@evil.example", false, {}],
    ["plain http to a host of the platform", "http://api.platform.example", false, {}],
    ["a declared address", "https://desk.example/a", true, { declared: "https://desk.example" }],
    ["a declared host", "https://desk.example", true, { declared: "desk.example" }],
    ["a host below a declared one", "https://evil.desk.example", false, { declared: "desk.example" }],
    ["another port of a declared host", "https://desk.example:444", false, { declared: "desk.example" }],
    ["declared as https, plain http", "http://desk.example", false, { declared: "https://desk.example" }],
    ["a host of the agents' domain", "https://desk-1.eu.agents.example", true, { agentDomain: "agents.example" }],
    ["the domain itself", "https://agents.example", true, { agentDomain: "agents.example" }],
    ["a host that only ends like the domain", "https://evilagents.example", false, { agentDomain: "agents.example" }],
  ])("%s", (_reason, url, expected, { declared, agentDomain }) => {
    expect(vouchesFor({ ...connection, agentDomain }, url, declared)).toBe(expected);
  });

  test.each<[reason: string, baseUrl: string, url: string, expected: boolean]>([
    ["localhost is both of its addresses", "http://localhost:81", "http://127.0.0.1:81/agents/1", true],
    ["of either family", "http://localhost:81", "http://[::1]:81/agents/1", true],
    ["which are two: another user's server may be there", "http://127.0.0.1:81", "http://[::1]:81/agents/1", false],
    ["and the name may lead to either of them", "http://[::1]:81", "http://localhost:81/agents/1", false],
    ["another address of this machine", "http://127.0.0.1:81", "http://127.0.0.2:81/agents/1", false],
    ["which localhost is not", "http://localhost:81", "http://127.0.0.2:81/agents/1", false],
    ["an address in another spelling", "http://127.0.0.1:81", "http://127.1:81/agents/1", true],
    ["plain http instead of https", "https://localhost:81", "http://127.0.0.1:81", false],
    ["another port is another program", "http://127.0.0.1:81", "http://127.0.0.1:82", false],
    ["a host below localhost", "http://localhost:81", "http://evil.localhost:81", false],
  ])("on this machine: %s", (_reason, baseUrl, url, expected) => {
    expect(vouchesFor(connectionTo(baseUrl), url)).toBe(expected);
  });
});
