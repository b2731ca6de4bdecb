import { pluralOf } from "../../../provider/lifecycle/fields/table";
import { FUNCTIONS } from "../../../provider/functions/functions";
import { folderOf, RESOURCE_TYPES } from "../../../provider/resources/resource-types";
import { RESOURCES } from "../../../provider/resources/registry";
import { functionsPage, type ShownFunction } from "./functions-page";
import { indexPage } from "./index-page";
import { resourcePage, type Example } from "./resource-page";
import { settingsPage } from "./settings-page";

/** The text of a file of the project; undefined where it is not there. */
type Read = (file: string) => string | undefined;

/** The sources that a page of {@link RESOURCES} has an example of, beside the kind's own. */
const VARIANTS = ["", "-external-docker", "-github", "-internal-docker"];

/** All pages of the reference, as file and text. */
export function referencePages(read: Read): (readonly [string, string])[] {
  const functions = [...FUNCTIONS].map(([name, described]) => ({ name, described, read: readBy(name) }));
  const resources = RESOURCE_TYPES.map((kind) => {
    const folder = folderOf(kind);
    const { table } = RESOURCES[kind];
    const module = read(`sdk/resources/${folder}.ts`) ?? "";
    const page = resourcePage({ table, module, examples: examplesOf(folder, read) });
    return [`docs/reference/${folder}.md`, page] as const;
  });
  return [
    [
      "docs/reference/index.md",
      indexPage(
        RESOURCE_TYPES.map((kind) => [folderOf(kind), RESOURCES[kind].table]),
        functions,
      ),
    ],
    ["docs/reference/settings.md", settingsPage()],
    ...resources,
    ["docs/reference/functions.md", functionsPage(functions)],
  ];
}

/** The kind of resource that a function reads, by the function's name; undefined for what is none. */
function readBy(name: string): ShownFunction["read"] {
  const kind = RESOURCE_TYPES.find((each) => [`get${each}`, `list${pluralOf(each)}`].includes(name));
  return kind && { page: folderOf(kind), table: RESOURCES[kind].table };
}

const examplesOf = (folder: string, read: Read): Example[] =>
  VARIANTS.flatMap((variant) => {
    const text = read(`docs/examples/${folder}${variant}.ts`);
    return text === undefined ? [] : [{ name: folder + variant, text }];
  });
