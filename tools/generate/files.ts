import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import { pluginSchema } from "../../provider/native/schema";
import { folderOf, MANAGED_TYPES, RESOURCE_TYPES, type ResourceType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { bySourceModule } from "./by-source";
import { functionsIndex, functionsModule } from "./functions";
import { referencePages } from "./reference/pages";
import { argsNames, argsText, classlessModule, head, headOf } from "./resource";
import { resourceClass } from "./resource-class";
import { CONVERTED, convertedOf, programsOf, type Read } from "./programs";
import { platformModule } from "./settings";
import { sourcesPage } from "./sources";

/** Everything that is generated, as file and text. */
export async function generatedFiles(read: Read): Promise<ReadonlyMap<string, string>> {
  // As in .prettierrc.json.
  const options = { parser: "typescript", plugins: [estree, typescript], printWidth: 120 };
  const texts = [...textsOf(read)].map(
    async ([file, text]) => [file, file.endsWith(".ts") ? await format(text, options) : text] as const,
  );
  return new Map(await Promise.all(texts));
}

function textsOf(read: Read): ReadonlyMap<string, string> {
  const converted = convertedOf(programsOf(read), read);
  return new Map([
    ...RESOURCE_TYPES.map((kind) => [`sdk/resources/${folderOf(kind)}.generated.ts`, classModule(kind, read)] as const),
    ["sdk/resources/index.generated.ts", indexModule(read)],
    ...MANAGED_TYPES.map((kind) => [`sdk/functions/${folderOf(kind)}.generated.ts`, functionsModule(kind)] as const),
    ["sdk/functions/index.generated.ts", functionsIndex()],
    ["sdk/resources/deployment-source.generated.ts", bySourceModule()],
    ["sdk/platform.generated.ts", platformModule()],
    ["docs/sources.md", sourcesPage()],
    ["plugin/schema.json", `${JSON.stringify(JSON.parse(pluginSchema()), null, 2)}\n`],
    [CONVERTED, `${JSON.stringify(converted, null, 2)}\n`],
    ...referencePages(read, converted),
  ]);
}

/** Where a class is that does more than its table says. Without the file, it is generated. */
const classFile = (folder: string): string => `sdk/resources/${folder}.ts`;

function classModule(kind: ResourceType, read: Read): string {
  const { table } = RESOURCES[kind];
  const managedType = MANAGED_TYPES.find((each) => each === kind);
  if (managedType === undefined || read(classFile(folderOf(kind))) !== undefined) return classlessModule(table);
  const example = read(`docs/examples/${folderOf(kind)}.ts`) ?? "";
  const { imports, text } = resourceClass(managedType, example);
  return [headOf(table), imports, argsText(table), text].join("\n");
}

/** The module that makes the classes public, with the interfaces of their arguments. */
function indexModule(read: Read): string {
  const exports = RESOURCE_TYPES.map((kind) => [folderOf(kind), RESOURCES[kind].table] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, table]) => {
      const names = [...argsNames(table)].sort();
      const generated = `"./${folder}.generated";`;
      if (read(classFile(folder)) === undefined) {
        const types = names.map((name) => `type ${name}`);
        return [`export { ${[table.kind, ...types].join(", ")} } from ${generated}\n`];
      }
      const own = table.extendedArgs === undefined ? [] : [`type ${table.kind}Args`];
      return [
        `export { ${[table.kind, ...own].join(", ")} } from "./${folder}";\n`,
        ...(names.length === 0 ? [] : [`export type { ${names.join(", ")} } from ${generated}\n`]),
      ];
    });
  return `${head("the tables of provider/resources")}\n${exports.join("")}`;
}
