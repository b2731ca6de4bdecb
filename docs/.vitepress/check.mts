import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Throws if a page of the built site names a file that the site does not have, or a place that a page does not have. */
export function checkLinks(folder: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), "utf8")]));
  const broken = [...texts].flatMap(([page, html]) => {
    const links = [...html.matchAll(/(?:href|src)="((\.[^"#?]*)?(?:#([^"]*))?)"/g)];
    const isBroken = ([, , target = "", place = ""]: RegExpMatchArray): boolean => {
      const file = target === "" ? page : join(dirname(page), target.endsWith("/") ? `${target}index.html` : target);
      return !existsSync(join(folder, file)) || (place !== "" && texts.get(file)?.includes(` id="${place}"`) !== true);
    };
    return [...new Set(links.filter(isBroken).map(([, link = ""]) => `${page}: ${link}`))];
  });
  if (broken.length > 0) throw new Error(`The site has broken links:\n${broken.join("\n")}`);
}
