import { fleetFileOf } from "./file";

const read = (text: string) => fleetFileOf(text, "fleet.yaml");
const SMALL = "stacks: [{ project: agents/* }]\n";

test("what is left out has its usual value", () => {
  expect(read(SMALL)).toEqual({
    stacks: [{ project: "agents/*", stacks: ["*"], labels: {} }],
    waves: [{ name: "all" }],
    limits: { concurrency: 4, failures: 1 },
  });
});

test.each([
  ["stacks: [", /^fleet\.yaml is no YAML: /],
  ["{}", /stacks: Invalid input/],
  [`${SMALL}limits: { concurency: 3 }`, /limits\.concurency: there is no such key; did you mean concurrency\?/],
  [`${SMALL}limits: { failures: 0 }`, /limits\.failures: /],
  [`${SMALL}waves: [{ name: a, share: 120% }]`, /waves\.0\.share: must be a share such as "10%"/],
  [
    `${SMALL}waves: [{ name: a, share: 10%, labels: { region: eu } }]`,
    /waves\.0: has more than one of stacks, labels and share/,
  ],
  [`${SMALL}waves: [{ name: a, gate: { drift: dirty } }]`, /waves\.0\.gate\.drift: /],
  [`${SMALL}waves: [{ name: a }, { name: a }]`, /two waves are named "a": rename one of them/],
])("%j is refused by name", (text, message) => {
  expect(() => read(text)).toThrow(message);
});
