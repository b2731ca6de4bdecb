import type { Table } from "../../provider/lifecycle/fields/table";
import { fitted } from "./fitted";
import { argsNames, head } from "./resource";

/**
 * The module that makes the classes public, with the interfaces of their arguments.
 * @param tables By the names of their folders. @param isWhole Whether the class of a folder is generated, too.
 */
export function indexModule(
  tables: readonly (readonly [folder: string, table: Table])[],
  isWhole: (folder: string) => boolean,
): string {
  const exports = [...tables]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, table]) => {
      const names = [...argsNames(table)].sort();
      const generated = `"./${folder}.generated";`;
      if (isWhole(folder)) {
        const types = names.map((name) => `type ${name}`);
        return [fitted("export { ", [table.kind, ...types], ` } from ${generated}`)];
      }
      const own = table.extendedArgs === undefined ? [] : [`type ${table.kind}Args`];
      return [
        fitted("export { ", [table.kind, ...own], ` } from "./${folder}";`),
        ...(names.length === 0 ? [] : [fitted("export type { ", names, ` } from ${generated}`)]),
      ];
    });
  return `${head("the tables of provider/resources")}\n${exports.join("")}`;
}
