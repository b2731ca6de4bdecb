import { join, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Links to examples lead to their pages. Other links that leave docs/ become plain text: the site does not hold those files. */
export function withoutOuterLinks(md: MarkdownRenderer, docs: string): void {
  md.core.ruler.push("outer-links", (state) => {
    const folder = join(docs, state.env.relativePath ?? "", "..");
    for (const { children } of state.tokens) {
      let isOuter = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = token.attrGet("href") ?? "";
          isOuter = false;
          if (!/^([a-z]+:|#|\/)/i.test(href)) {
            const target = relative(docs, join(folder, href)).replace(
              /^\.\.\/examples\/([\w-]+)\/README\.md/,
              "projects/$1.md",
            );
            isOuter = target.startsWith("..") || !/\.(md|html)(#|$)/.test(target);
            token.attrSet("href", relative(folder, join(docs, target)));
          }
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
