import type { Fields } from "../../lifecycle/fields/table";
import { deploymentTable, revisionConfigFields, sourceConfigFields } from "./fields";
import { reservation } from "./refused";
import { type ArgumentPlace, sentencesOf, SOURCE_NAMES, sourceRow } from "./sources";

// docs/internals/platform.md, Source.

const namesUnder = (above: string, fields: Fields): string[] => Object.keys(fields).map((name) => `${above}.${name}`);
const PLACES = [
  ...namesUnder("sourceConfig", sourceConfigFields),
  ...namesUnder("sourceRevisionConfig", revisionConfigFields),
  ...Object.keys(deploymentTable.fields),
];

describe.each(SOURCE_NAMES)("%s", (name) => {
  const { needs, needsOneOf = [], takes = [], refuses } = sourceRow(name);
  const places: readonly ArgumentPlace[] = [...needs, ...needsOneOf.flat(), ...takes, ...refuses.keys()];

  test("names places that are arguments", () => expect(places.filter((place) => !PLACES.includes(place))).toEqual([]));
  test("says one thing of each place", () => expect(new Set(places).size).toBe(places.length));
});

test.each<[name: string, source: string, isReserved: boolean]>([
  ["REDIS_URI", "a_new_source", true],
  ["PORT", "internal_template", true],
  ["PORT", "external_docker", false],
  // Nothing is known of it, so nothing of its cloud either.
  ["PORT", "a_new_source", false],
  ["port", "github", false],
])("%s with source %s: reserved is %s", (name, source, isReserved) =>
  expect(reservation(name, source) !== undefined).toBe(isReserved),
);

test("sentences say who needs and who refuses", () => {
  expect(sentencesOf("sourceConfig.repoUrl")).toBe('Needed by "github". Refused by "external_docker".');
  expect(sentencesOf("sourceRevisionConfig.sourceTarballPath")).toBe(
    'For "internal_docker" and "internal_source": imageUri, or sourceTarballPath with langgraphConfigPath.',
  );
  expect(sentencesOf("sourceConfig.installCommand")).toBe("");
});
