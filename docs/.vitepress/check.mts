import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Throws if a page of the built site names a file that the site does not have. */
export function checkLinks(folder: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  const broken = pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), "utf8");
    const targets = [...html.matchAll(/(?:href|src)="(\.[^"#?]*)/g)].map(([, target = ""]) => target);
    return [...new Set(targets)]
      .map((target) => join(folder, dirname(page), target.endsWith("/") ? `${target}index.html` : target))
      .filter((target) => !existsSync(target))
      .map((target) => `${page}: ${target}`);
  });
  if (broken.length > 0) throw new Error(`The site has broken links:\n${broken.join("\n")}`);
}
