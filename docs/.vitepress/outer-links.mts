import { join, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Links that leave docs/, to files of the repository, become plain text: the site does not hold those files. */
export function withoutOuterLinks(md: MarkdownRenderer, docs: string): void {
  md.core.ruler.push("outer-links", (state) => {
    const folder = join(docs, state.env.relativePath ?? "", "..");
    for (const { children } of state.tokens) {
      let isOuter = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = token.attrGet("href") ?? "";
          isOuter = !/^([a-z]+:|#|\/)/i.test(href) && relative(docs, join(folder, href)).startsWith("..");
        }
        if (isOuter && token.type.startsWith("link_")) {
          token.hidden = true;
          token.content = "";
          if (token.type === "link_close") isOuter = false;
          token.type = "text";
        }
      }
    }
  });
}
