import type { Table } from "../../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../../provider/resources/registry";
import { folderOf, RESOURCE_TYPES } from "../../../provider/resources/resource-types";
import { mark, markdownTable } from "../markdown";
import { type NamedFunction, together } from "../example";
import { argumentsOf } from "./facts";
import { headingOf } from "./functions-page";

/** The page that leads to all others of the reference. */
export const indexPage = (functions: readonly NamedFunction[]): string =>
  [
    "# Reference\n",
    mark("provider/resources"),
    "Tables and messages name a property as TypeScript and YAML do. `imageUri` is `image_uri` in Python, and `ImageUri` in Go.\n",
    "An argument that you do not declare is not managed: it causes neither changes nor drift. What an object's row says about changes and drift holds " +
      "for the fields in it. Times are texts in ISO 8601.\n",
    "Programs in Python, Go and Java are shown without imports and main function; the first one of [Deployment](deployment.md) has them. There are tabs for Java where " +
      "Pulumi's generator can write it, and none for C#.\n",
    "## Resources\n",
    markdownTable([
      ["Resource", "What it is", "A change of these replaces it"],
      ...RESOURCE_TYPES.map((kind) => [
        `[${kind}](${folderOf(kind)}.md)`,
        firstSentence(RESOURCES[kind].table.summary),
        replacing(RESOURCES[kind].table),
      ]),
    ]),
    "A replacement that keeps the name deletes the old object first, because only one object can have the name; several snapshots can, so a new one is built first.\n",
    "[Agent](agent.md) and [AgentEnvironment](agent-environment.md) combine them ([components](../agent-environment.md)).\n",
    "## extra and adopt\n",
    "Most resources have these two arguments, which are no outputs:\n",
    "- `extra`: fields of the platform that this version does not know, sent as they are. Not for secrets. If you remove it, the platform keeps its values. " +
      "Drift is not detected.\n" +
      "- `adopt`: the existing object to take over, which is then changed to match the declaration ([adopting](../adopting.md)). A change sends nothing.\n",
    "## Functions\n",
    "[Functions](functions.md) read the platform, in programs and in plain scripts:\n",
    `${together(functions).map(linkTo).join(", ")}.\n`,
    "## Settings\n",
    "[Settings](settings.md) says how a program finds the platform, and with which key.\n",
  ].join("\n");

function linkTo(functions: readonly NamedFunction[]): string {
  const title = headingOf(functions);
  return `[${title}](functions.md#${title.toLowerCase().replace(", ", "-")})`;
}

const firstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;

/** The arguments that replace the resource, without those inside one of them. */
function replacing(table: Table): string {
  const paths = argumentsOf(table).flatMap(({ rule, path }) => (rule.replaceOn === "always" ? [path] : []));
  return paths
    .filter((path) => !paths.some((other) => /^(?:\[\]|\.)/.test(path.slice(other.length)) && path.startsWith(other)))
    .map((path) => `\`${path}\``)
    .join(", ");
}
