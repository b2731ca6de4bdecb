import { deployments } from "../../emulator";
import { FRONT, notOk, ok } from "../support/cli-stack";
import { serving } from "../support/serving";
import { describeWithEngine } from "../support/with-engine";
import { onAgent } from "./on-emulator";

const on = onAgent("desk");

/** A server of somebody who may change the deployment on the platform. */
let keys: unknown[];
let strayUrl: string;
beforeAll(async () => {
  strayUrl = await serving((request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.end('{"ok":true}');
  });
});
beforeEach(() => void (keys = []));

const program = (description: string, options = "{}", declared = on.agent.url): string => `
  const desk = new platform.Deployment("desk", {
    source: "external_docker", sourceConfig: { customUrl: "${declared}" }, sourceRevisionConfig: { imageUri: "a:1" },
  }, ${options});
  new platform.Assistant("helper", {
    deploymentId: desk.id, url: desk.url, graphId: "agent", description: "${description}",
    customUrl: desk.sourceConfig.apply((config) => config.customUrl),
  });
`;

describeWithEngine("an address that somebody has set on the platform, and a refresh has brought into the state", () => {
  async function moved(options = "{}") {
    const stack = await on.platform.stackOf(program("one", options));
    ok(await stack.up());
    const config = { custom_url: strayUrl, resource_spec: {} };
    on.platform.emulator.outOfBand(deployments).change("desk", { source_config: config });
    ok(await stack.refresh());
    stack.write(program("two", options));
    return stack;
  }

  test("gets no key beside --target, when this run does not know what the program declares; without it, all is as declared", async () => {
    const stack = await moved();
    expect(notOk(await stack.up("--target", "**helper"))).toMatch(
      /customUrl: has changed, and this run does not know .*: run it without --target/,
    );
    ok(await stack.up());
    // What the program declares is back, and stays its own word.
    stack.write(program("three"));
    ok(await stack.up("--refresh"));
    expect(keys).toEqual([]);
    expect([...on.agent.assistants.values()]).toContainEqual(expect.objectContaining({ description: "three" }));
  });

  test("is the program's once it declares it, or is gone once it is put back by hand", async () => {
    const stack = await moved();
    stack.write(program("two", "{}", strayUrl));
    const { output } = await stack.up();
    // Whether a program ignores changes, only the native protocol tells.
    if (FRONT === "native") expect(keys).toContain(on.platform.emulator.apiKey);
    else expect(output).toContain("is what a refresh has found");
    const config = { custom_url: on.agent.url, resource_spec: {} };
    on.platform.emulator.outOfBand(deployments).change("desk", { source_config: config });
    ok(await stack.refresh());
    stack.write(program("three"));
    ok(await stack.up());
  });

  test("is no such thing where the program itself moves the agent", async () => {
    const stack = await on.platform.stackOf(program("one"));
    ok(await stack.up());
    const elsewhere = on.agent.url.replace("127.0.0.1", "localhost");
    for (const description of ["two", "three"]) {
      stack.write(program(description, "{}", elsewhere));
      ok(await stack.up());
    }
  });

  test("gets no key where the program ignores changes of it, unless the configuration vouches for it", async () => {
    const stack = await moved('{ ignoreChanges: ["sourceConfig"] }');
    expect(notOk(await stack.up())).toMatch(
      /customUrl: is what a refresh has found .* set agent-platform:agentDomain to 127\.0\.0\.1 .*, or /,
    );
    expect(keys).toEqual([]);
    await stack.configure({ "agent-platform:agentDomain": "127.0.0.1" }, {});
    await stack.up();
    expect(keys).toContain(on.platform.emulator.apiKey);
  });
});
