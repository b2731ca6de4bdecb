import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** The base path that the site is built with. It stands for wherever a page's address says that the site lies. */
export const BASE = "/__base__/";

/** Makes a built site work below any path of any file server: links are relative, and scripts take the base from the page's address. */
export function relocate(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const change = file.endsWith(".html") ? relocatedPage : file.endsWith(".js") ? relocatedScript : undefined;
    if (change === undefined) continue;
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, "utf8"), file));
  }
}

function relocatedPage(html: string, file: string): string {
  const up = "../".repeat(file.split("/").length - 1) || "./";
  const base = `window.__BASE__=new URL(${JSON.stringify(up)},location.href).pathname;`;
  // The scripts take over the links of the page as they are, and keep them on the next page, which may lie in another folder.
  const absolute = `for(const a of document.querySelectorAll("[href^='.']"))a.setAttribute("href",a.href);`;
  return html
    .replaceAll(`"${BASE}`, `"${up}`)
    .replace("<head>", `<head><script>${base}</script>`)
    .replace(
      /(window\.__VP_SITE_DATA__=JSON\.parse\(.*?\));?<\/script>/,
      "$1;window.__VP_SITE_DATA__.base=window.__BASE__;</script>",
    )
    .replace("</body>", `<script>${absolute}</script></body>`);
}

/** Each text that holds the base gets the real one when it is evaluated. */
function relocatedScript(script: string, file: string): string {
  const edits: { readonly at: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (!isText || ts.isImportDeclaration(node.parent) || !node.getText().includes(BASE)) {
      ts.forEachChild(node, visit);
      return;
    }
    edits.push({
      at: node.getStart(),
      end: node.end,
      text: `(${node.getText()}).replaceAll("${BASE}",window.__BASE__)`,
    });
  };
  if (!script.includes(BASE)) return script;
  visit(ts.createSourceFile(file, script, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS));
  return edits.reverse().reduce((text, { at, end, text: now }) => text.slice(0, at) + now + text.slice(end), script);
}
