import { valueAt } from "../../provider/lifecycle/fields";
import { configKey } from "../../provider/base/settings";
import { revisionConfigFields, sourceConfigFields } from "../../provider/resources/deployment/fields";
import { alternatives, listed } from "../../provider/resources/deployment/source-sentences";
import {
  CORES,
  DEPLOYMENT_TYPES,
  RESERVED_NAMES,
  SOURCE_NAMES,
  sourceRow,
  TAG,
  type Source,
  type SourceRow,
} from "../../provider/resources/deployment/sources";
import { markdownTable, paragraph } from "./markdown";

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[], word: "and" | "or"): string => listed(texts.map(code), word);

/** The page that says what a deployment has to have by its source. */
export function sourcesPage(): string {
  const alternative = SOURCE_NAMES.flatMap((name) => sourceRow(name).needsOneOf ?? []).slice(0, 2);
  return [
    "# Sources\n",
    "<!-- Generated from provider/resources/deployment/sources.ts by `npm run generate`: do not edit. -->\n",
    paragraph(
      "What a deployment has to have depends on its `source`. This table is what the platform's own clients and test servers refuse " +
        "([platform](platform.md#source)); everything else is left to the platform. `pulumi preview` checks it before any request.",
    ),
    markdownTable([["", ...SOURCE_NAMES.map(code)], ...rows()]),
    paragraph(
      `Needed: preview fails without it. Refused: preview fails with it. One way: it needs ${alternatives(alternative)}. Taken: it makes sense there. ` +
        "An empty cell is the platform's to judge.",
    ),
    "Beside the table:\n",
    [
      `- ${code("sourceConfig.deploymentType")} is ${codes(DEPLOYMENT_TYPES, "or")}, and has no default.`,
      `- A tag (a \`repoRef\` that begins with ${code(TAG)}) cannot be built on push.`,
      `- In \`resourceSpec\`, whatever counts CPUs is ${CORES.request.least} to ${CORES.request.most}, a CPU limit ${CORES.limit.least} to ${CORES.limit.most}; the platform rounds them to one decimal.`,
      "- Names of variables are any text that is not empty, but for the reserved ones below.",
    ].join("\n") + "\n",
    paragraph(
      `A platform that is newer or laxer than this table stays usable: with ${code(configKey("checks"))} set to \`platform\`, each refusal is a warning, ` +
        "and everything is sent as declared. What a stack's state has already is not judged again.",
    ),
    "## Reserved names\n",
    paragraph(`With any source: ${codes(RESERVED_NAMES.everywhere, "and")}.`),
    paragraph(
      `On the platform's cloud, with ${codes(cloudSources(), "and")}: ${codes(RESERVED_NAMES.onCloud, "and")}.`,
    ),
  ].join("\n");
}

const cloudSources = (): readonly Source[] => SOURCE_NAMES.filter((name) => sourceRow(name).isOnCloud);

function rows(): string[][] {
  const places = [
    ...Object.keys(sourceConfigFields).map((name) => `sourceConfig.${name}`),
    ...Object.keys(revisionConfigFields).map((name) => `sourceRevisionConfig.${name}`),
    "secretReferences",
  ];
  const about = SOURCE_NAMES.map((name) => sourceRow(name).description);
  return [
    ["What it is", ...about],
    ...places.map((place) => [code(place), ...SOURCE_NAMES.map((name) => cell(sourceRow(name), place))]),
  ];
}

function cell({ needs, needsOneOf = [], takes = [], refuses, defaults }: SourceRow, place: string): string {
  const among = (list: readonly string[]): boolean => list.includes(place);
  const sent = valueAt(defaults, place.split("."));
  if (sent !== undefined) return `taken, ${code(JSON.stringify(sent))} by default`;
  if (among(needs)) return "needed";
  if (among(needsOneOf.flat())) return "one way";
  if (among([...refuses.keys()])) return "refused";
  return among(takes) ? "taken" : "";
}
