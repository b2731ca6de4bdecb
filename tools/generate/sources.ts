import { valueAt } from "../../provider/lifecycle/fields/fields";
import { configKey } from "../../provider/base/settings";
import { revisionConfigFields, sourceConfigFields } from "../../provider/resources/deployment/fields";
import {
  alternatives,
  CORES,
  DEPLOYMENT_TYPES,
  listed,
  RESERVED_NAMES,
  type Source,
  SOURCE_NAMES,
  sourceRow,
  type SourceRow,
  TAG,
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
      "What a deployment needs depends on its `source`. This table lists what the platform's own clients and test servers demand and refuse " +
        "([platform](internals/platform.md#source)); the platform decides about everything else. `pulumi preview` checks these rules before any request.",
    ),
    markdownTable([["", ...SOURCE_NAMES.map(code)], ...rows()]),
    paragraph(
      `Needed: preview fails without it. Refused: preview fails with it. One way: it needs ${alternatives(alternative)}. Taken: allowed, and useful there. ` +
        "Empty: the platform decides.",
    ),
    "Besides the table:\n",
    [
      `- ${code("sourceConfig.deploymentType")} is ${codes(DEPLOYMENT_TYPES, "or")}, and has no default.`,
      `- \`buildOnPush\` does not work with a tag (a \`repoRef\` that begins with ${code(TAG)}).`,
      `- In \`resourceSpec\`, CPUs can be ${CORES.request.least} to ${CORES.request.most}, and CPU limits ${CORES.limit.least} to ${CORES.limit.most}. The platform rounds them to one decimal.`,
      "- The name of a variable can be any text that is neither empty nor reserved (see below).",
    ].join("\n") + "\n",
    paragraph(
      `If your platform is newer or less strict than this table, set ${code(configKey("checks"))} to \`platform\`: each refusal becomes a warning, ` +
        "and everything is sent as declared. Values that are already in a stack's state are not checked again.",
    ),
    "## In TypeScript\n",
    paragraph(
      "The compiler checks `source`, `sourceConfig` and `sourceRevisionConfig` against this table: what a source needs has to be there, and an editor offers " +
        "only what it takes:",
    ),
    MISTAKE,
    paragraph(
      "This works where you write them in the arguments of a `Deployment`. A `source` that the compiler does not know (a setting, an output, a variable of type " +
        "`string`) takes everything. So do arguments of the type `DeploymentArgs`: use it to build them step by step, or to send what the table refuses, with " +
        '`checks` set to `platform`. `DeploymentArgsFor<"github">` is checked. ' +
        "Preview checks everything else on this page, and the agents of an `AgentEnvironment`.",
    ),
    "## Reserved names\n",
    paragraph(`With any source: ${codes(RESERVED_NAMES.everywhere, "and")}.`),
    paragraph(
      `On the platform's cloud, with ${codes(cloudSources(), "and")}: ${codes(RESERVED_NAMES.onCloud, "and")}.`,
    ),
  ].join("\n");
}

const MISTAKE = `\`\`\`
new Deployment("desk", { source: "external_docker", sourceConfig: { repoUrl: "https://github.com/example/agents" } });
                                                                    ~~~~~~~
Object literal may only specify known properties, and 'repoUrl' does not exist in type 'Input<ExternalDockerSourceConfigArgs>'.
\`\`\`
`;

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
