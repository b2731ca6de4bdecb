import type { Table } from "../../provider/lifecycle/fields/table";
import { argsNames, head } from "./resource";

const WIDTH = 120;

/** The module that makes the classes public, with the interfaces of their arguments. @param tables By the names of their folders. */
export function indexModule(tables: readonly (readonly [folder: string, table: Table])[]): string {
  const exports = [...tables]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, table]) => {
      const own = table.extendedArgs === undefined ? [] : [`type ${table.kind}Args`];
      const names = [...argsNames(table)].sort();
      return [
        exported("export", [table.kind, ...own], `./${folder}`),
        ...(names.length === 0 ? [] : [exported("export type", names, `./${folder}.generated`)]),
      ];
    });
  return `${head("the tables of provider/resources")}\n${exports.join("")}`;
}

/** As prettier formats it. */
export function exported(keyword: string, names: readonly string[], module: string): string {
  const line = `${keyword} { ${names.join(", ")} } from "${module}";\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join("")}} from "${module}";\n`;
}
