import { pluginSchema } from "../../provider/native/schema";
import { folderOf, MANAGED_TYPES, RESOURCE_TYPES, type ResourceType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { bySourceModule } from "./by-source";
import { indexModule } from "./classes";
import { functionsIndex, functionsModule } from "./functions";
import { referencePages } from "./reference/pages";
import { withRegion } from "./region";
import { argsModule, argsText, headOf, outputMembers } from "./resource";
import { classImports, resourceClass } from "./resource-class";
import { platformModule } from "./settings";
import { sourcesPage } from "./sources";
import { installationPage } from "./registry-page";

/** The text of a file of the project as it is, by its path from the root; undefined where it is not there. */
export type Read = (file: string) => string | undefined;

/** Everything that is generated, as file and text: some files in part. Throws where a file with such a part is not there. */
export function generatedFiles(read: Read): ReadonlyMap<string, string> {
  const tables = RESOURCE_TYPES.map((kind) => [folderOf(kind), RESOURCES[kind].table] as const);
  const isWhole = (folder: string): boolean => read(classFile(folder)) === undefined;
  return new Map([
    ...RESOURCE_TYPES.flatMap((kind) => classFilesOf(kind, read)),
    ["sdk/resources/index.generated.ts", indexModule(tables, isWhole)],
    ...MANAGED_TYPES.map((kind) => [`sdk/functions/${folderOf(kind)}.generated.ts`, functionsModule(kind)] as const),
    ["sdk/functions/index.generated.ts", functionsIndex()],
    ["sdk/resources/deployment-source.generated.ts", bySourceModule()],
    ["sdk/platform.generated.ts", platformModule()],
    ["docs/sources.md", sourcesPage()],
    ["docs/installation-configuration.md", installationPage()],
    ["plugin/schema.json", `${JSON.stringify(JSON.parse(pluginSchema()), null, 2)}\n`],
    ...referencePages(read),
  ]);
}

/** Where a class is that does more than its table says. Without the file, it is generated. */
const classFile = (folder: string): string => `sdk/resources/${folder}.ts`;

function classFilesOf(kind: ResourceType, read: Read): (readonly [string, string])[] {
  const { table } = RESOURCES[kind];
  const own = classFile(folderOf(kind));
  const generated = own.replace(/ts$/, "generated.ts");
  const managedType = MANAGED_TYPES.find((each) => each === kind);
  const text = read(own);
  if (text === undefined && managedType !== undefined) {
    const example = read(`docs/examples/${folderOf(kind)}.ts`) ?? "";
    return [
      [
        generated,
        [headOf(table) + "\n" + classImports(managedType), argsText(table), resourceClass(managedType, example)].join(
          "\n",
        ),
      ],
    ];
  }
  return [
    [generated, argsModule(table)],
    [own, withRegion(own, text, outputMembers(table.fields))],
  ];
}
