import { pluralOf } from "../../../provider/lifecycle/fields/table";
import { FUNCTIONS } from "../../../provider/functions/functions";
import { folderOf, RESOURCE_TYPES } from "../../../provider/resources/resource-types";
import { RESOURCES } from "../../../provider/resources/registry";
import { bodiesOf, type Converted, examplesOf, type Read } from "../programs";
import { COMPONENTS } from "../../../provider/resources/components";
import { componentPage } from "./component-page";
import { functionsPage, type ShownFunction } from "./functions-page";
import { indexPage } from "./index-page";
import { resourcePage, type Example } from "./resource-page";
import { settingsPage } from "./settings-page";

/** The example that is shown with imports and main function; the index page says so. */
const WHOLE = "docs/examples/deployment-external-docker.yaml";

/** All pages of the reference, as file and text. */
export function referencePages(read: Read, programs: Converted): (readonly [string, string])[] {
  const whole = read(WHOLE);
  const shown = Object.entries(programs).filter(([yaml]) => yaml === whole);
  const converted = { ...bodiesOf(programs), ...Object.fromEntries(shown) };
  const functions = [...FUNCTIONS].map(([name, described]) => ({ name, described, read: readBy(name) }));
  const resources = RESOURCE_TYPES.map((kind) => {
    const folder = folderOf(kind);
    const { table } = RESOURCES[kind];
    const module = read(`sdk/resources/${folder}.ts`) ?? "";
    const page = resourcePage(table, module, examplesOn(folder, read), converted);
    return [`docs/reference/${folder}.md`, page] as const;
  });
  return [
    ["docs/reference/index.md", indexPage(functions)],
    ["docs/reference/settings.md", settingsPage()],
    ...resources,
    ...COMPONENTS.map((each): [string, string] => {
      const name = folderOf(each.kind);
      return [`docs/reference/${name}.md`, componentPage(each, examplesOn(name, read), converted)];
    }),
    ["docs/reference/functions.md", functionsPage(functions, converted)],
  ];
}

/** The kind of resource that a function reads, by the function's name; undefined if it reads none. */
function readBy(name: string): ShownFunction["read"] {
  const kind = RESOURCE_TYPES.find((each) => [`get${each}`, `list${pluralOf(each)}`].includes(name));
  return kind && { page: folderOf(kind), table: RESOURCES[kind].table };
}

const examplesOn = (folder: string, read: Read): Example[] =>
  examplesOf(folder, read).map((file) => ({ typescript: read(`${file}.ts`) ?? "", yaml: read(`${file}.yaml`) ?? "" }));
