import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Puts the pictures of docs/pictures into the page, so that they take the colours of its theme. */
export function inlinePictures(md: MarkdownRenderer, docs: string): void {
  const otherwise = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const source = token?.attrGet("src") ?? "";
    if (!source.includes("pictures/")) return otherwise?.(tokens, index, options, env, self) ?? "";
    const picture = readFileSync(join(docs, env.relativePath ?? "", "..", source), "utf8");
    const title = md.utils.escapeHtml(token?.content ?? "");
    return picture
      .replace("<svg ", `<svg v-pre role="img" aria-label="${title}" `)
      .replace(/<style>[^]*?<\/style>/, "");
  };
}
