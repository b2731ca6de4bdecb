import { valueAt } from "../../provider/lifecycle/fields/fields";
import { configKey } from "../../provider/base/settings";
import {
  CORES,
  DEPLOYMENT_TYPES,
  listed,
  RESERVED_NAMES,
  type Source,
  SOURCE_NAMES,
  sourceRow,
  TAG,
} from "../../provider/resources/deployment/sources";
import { markdownTable, paragraph } from "./markdown";

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[], word: "and" | "or"): string => listed(texts.map(code), word);

/** The page that says what a deployment has to have by its source. */
export function sourcesPage(): string {
  return [
    "# Sources\n",
    "<!-- Generated from provider/resources/deployment/sources.ts by `npm run generate`. -->\n",
    paragraph(
      "What a deployment needs depends on its `source`. `pulumi preview` checks these rules, which are those of the platform's own clients and test servers " +
        "([platform](internals/platform.md#source)), before any request. The platform decides about everything else.",
    ),
    markdownTable([["Source", "What it is", "Needs", "Takes", "Refuses"], ...SOURCE_NAMES.map(row)]),
    paragraph(
      "The names are those of `sourceConfig` and `sourceRevisionConfig` ([Deployment](reference/deployment.md#sourceconfig)).",
    ),
    [
      `- ${code("deploymentType")} is ${codes(DEPLOYMENT_TYPES, "or")}, and has no default.`,
      `- ${code("buildOnPush")} does not work with a tag (a ${code("repoRef")} that begins with ${code(TAG)}).`,
      `- In ${code("resourceSpec")}, CPUs can be ${CORES.request.least} to ${CORES.request.most}, and CPU limits ${CORES.limit.least} to ${CORES.limit.most}. The platform rounds them to one decimal.`,
      "- The name of a variable can be any text that is neither empty nor reserved.",
    ].join("\n") + "\n",
    paragraph(
      `If your platform is newer or less strict, set ${code(configKey("checks"))} to \`platform\`: each refusal becomes a warning, ` +
        "and everything is sent as declared. Values that are already in a stack's state are not checked again.",
    ),
    "## In TypeScript\n",
    paragraph(
      "The compiler checks the arguments of a `Deployment` against this table, and an editor offers only what the source takes:",
    ),
    MISTAKE,
    paragraph(
      "A `source` that the compiler does not know (a setting, an output, a variable of type `string`) takes everything. So do arguments of the type " +
        '`DeploymentArgs`, for arguments that you build step by step; `DeploymentArgsFor<"github">` is checked. ' +
        "Preview checks the rest of this page, and the agents of an `AgentEnvironment`.",
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

function row(name: Source): string[] {
  const { description, needs, needsOneOf, takes = [], refuses, defaults } = sourceRow(name);
  const either = (needsOneOf ?? []).map((places) => places.map(shown).join(" with ")).join(", or ");
  const taken = takes.map((place) => {
    const sent = valueAt(defaults, place.split("."));
    return shown(place) + (sent === undefined ? "" : ` (default ${code(JSON.stringify(sent))})`);
  });
  return [
    code(name),
    description,
    [...needs.map(shown), ...(either === "" ? [] : [`and ${either}`])].join(", "),
    taken.join(", "),
    [...refuses.keys()].map(shown).join(", "),
  ];
}

/** A place without the object that it is in. */
const shown = (place: string): string => code(place.split(".").at(-1) ?? place);
