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
  ["{}", /Invalid input.*at stacks/s],
  [`${SMALL}limits: { concurency: 3 }`, /Unrecognized key: "concurency".*at limits/s],
  [`${SMALL}limits: { failures: 0 }`, /Too small.*at limits\.failures/s],
  [`${SMALL}waves: [{ name: a, share: 120% }]`, /must be a share such as "10%".*at waves\[0\]\.share/s],
  [
    `${SMALL}waves: [{ name: a, share: 10%, labels: { region: eu } }]`,
    /has more than one of stacks, labels and share.*at waves\[0\]/s,
  ],
  [`${SMALL}waves: [{ name: a, gate: { drift: dirty } }]`, /Invalid input.*at waves\[0\]\.gate\.drift/s],
  [`${SMALL}waves: [{ name: a }, { name: a }]`, /two waves are named "a": rename one of them/],
])("%j is refused by name", (text, message) => {
  expect(() => read(text)).toThrow(message);
});
