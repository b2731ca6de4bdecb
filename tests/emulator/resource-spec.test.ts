import { SPEC_QUANTITIES, completeSpec, deploymentBody, field, problems, platformForTests } from "./api";

// docs/internals/platform.md, resource_spec.

const platform = platformForTests();

const create = (spec: object) =>
  platform.call("POST", "/v2/deployments", { body: { ...deploymentBody, source_config: { resource_spec: spec } } });
const answered = async (spec: object) => field((await create(spec)).body, "source_config", "resource_spec");

test("nothing at all is one small instance, and null for the rest: a limit that is not set is not shown either", async () => {
  expect(await answered({})).toEqual(completeSpec({}));
});

test("every field that an official client knows is answered as it was sent", async () => {
  const container = { name: "proxy", image: "proxy:1", env: [{ name: "A", value: "b" }] };
  const spec = {
    ...Object.fromEntries(SPEC_QUANTITIES.map((name, index) => [name, 1 + index / 10])),
    labels: { team: "desk" },
    annotations: { note: "n" },
    service_account_name: "agents",
    image_pull_secrets: [{ name: "registry" }],
    volumes: [{ name: "data", emptyDir: {} }],
    volume_mounts: [{ name: "data", mountPath: "/data" }],
    init_containers: [container],
    sidecars: [container],
  };
  expect(await answered(spec)).toEqual(spec);
});

test.each([
  ["the least request", { cpu: 0.1 }, { cpu: 0.1 }],
  ["the largest request", { cpu: 8, queue_cpu: 8 }, { cpu: 8, queue_cpu: 8 }],
  ["the largest limit", { cpu_limit: 16 }, { cpu_limit: 16 }],
  ["cores have one decimal", { cpu: 0.54, cpu_limit: 1.26 }, { cpu: 0.5, cpu_limit: 1.3 }],
  ["half way between two, the even one", { cpu: 0.25, cpu_limit: 1.75 }, { cpu: 0.2, cpu_limit: 1.8 }],
])("accepted: %s", async (_reason, spec, shown) => {
  expect(await answered(spec)).toMatchObject(shown);
});

test.each([
  ["a request below 0.1", { cpu: 0.05 }, "cpu: greater_than_equal"],
  ["no cores", { cpu: 0 }, "cpu: greater_than_equal"],
  ["a request above 8", { cpu: 8.1 }, "cpu: less_than_equal"],
  ["a limit above 16", { cpu_limit: 16.5 }, "cpu_limit: less_than_equal"],
  ["of the queue too", { queue_cpu: 9 }, "queue_cpu: less_than_equal"],
  ["of redis too", { redis_cpu_limit: 17 }, "redis_cpu_limit: less_than_equal"],
  ["of an orchestrator too", { orchestrator_cpu: 9 }, "orchestrator_cpu: less_than_equal"],
])("422: %s", async (_reason, spec, problem) => {
  expect(problems(await create(spec))).toEqual([`body.source_config.resource_spec.${problem}`]);
});
