// Prints the pages that the site's search finds, as JSON: those of each of its indexes. Run by search.test.ts, since jest loads no ES modules.
import { createServer } from "vitepress";

const server = await createServer("docs", { ws: false, watch: null });
/** What a module of the search exports, as text. vitepress/dist/node makes these modules. */
const load = async (id) => (await server.pluginContainer.load(id)).replace("export default ", "");
const names = [...(await load("/@localSearchIndex")).matchAll(/@localSearchIndex(\w+)/g)].map(([, name]) => name);
const pagesOf = async (name) => {
  const { documentIds } = JSON.parse(JSON.parse(await load(`/@localSearchIndex${name}`)));
  return [...new Set(Object.values(documentIds).map((id) => id.replace(/#.*/, "")))];
};
const found = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await pagesOf(name)])));
await server.close();
console.log(JSON.stringify(found));
