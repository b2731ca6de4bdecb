import type { Table } from "../../provider/lifecycle/fields/table";
import { OFFER } from "../../provider/plugin";
import { folderOf, MANAGED_TYPES, RESOURCE_TYPES } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { bySourceModule } from "./by-source";
import { indexModule } from "./classes";
import { functionsIndex, functionsModule } from "./functions";
import { referencePages } from "./reference/pages";
import { withRegion } from "./region";
import { argsModule, outputMembers } from "./resource";
import { platformModule } from "./settings";
import { sourcesPage } from "./sources";

/** The text of a file of the project as it is, by its path from the root; undefined where it is not there. */
export type Read = (file: string) => string | undefined;

/** Everything that is generated, as file and text: some files in part. Throws where a file with such a part is not there. */
export function generatedFiles(read: Read): ReadonlyMap<string, string> {
  const tables = RESOURCE_TYPES.map((kind) => [folderOf(kind), RESOURCES[kind].table] as const);
  return new Map([
    ...tables.flatMap(([folder, table]) => filesOf(folder, table, read)),
    ["sdk/resources/index.generated.ts", indexModule(tables)],
    ...MANAGED_TYPES.map((kind) => [`sdk/functions/${folderOf(kind)}.generated.ts`, functionsModule(kind)] as const),
    ["sdk/functions/index.generated.ts", functionsIndex()],
    ["sdk/resources/deployment-source.generated.ts", bySourceModule()],
    ["sdk/platform.generated.ts", platformModule()],
    ["docs/sources.md", sourcesPage()],
    ["plugin/schema.json", `${JSON.stringify(JSON.parse(OFFER.schema()), null, 2)}\n`],
    ...referencePages(read),
  ]);
}

function filesOf(folder: string, table: Table, read: Read): (readonly [string, string])[] {
  const inPart = (path: string, generated: string) => [path, withRegion(path, read(path), generated)] as const;
  return [
    [`sdk/resources/${folder}.generated.ts`, argsModule(table, `provider/resources/${folder}/fields.ts`)],
    inPart(`sdk/resources/${folder}.ts`, outputMembers(table.fields)),
  ];
}
