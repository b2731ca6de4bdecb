import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { checkLinks } from "./check.mts";
import { inlinePictures } from "./pictures.mts";
import { plainText } from "./plain-text.mts";
import { registryPages, withoutRegistryLayout } from "./registry-pages.mts";
import { BASE, relocate } from "./relocate.mts";
import { writeTexts } from "./texts.mts";
import { withoutOuterLinks } from "./outer-links.mts";

const docs = dirname(dirname(fileURLToPath(import.meta.url)));
/** The page of an example is its README. */
const sourceOf = (page: string): string => page.replace(/^projects\/(.+)\.md$/, "../examples/$1/README.md");
const titleOf = (page: string): string =>
  /^(?:# |title: )(.+)$/m.exec(readFileSync(join(docs, sourceOf(page)), "utf8"))?.[1]?.replaceAll("`", "") ?? page;
/** The pages of a folder, those named first in front. */
const pagesOf = (folder: string, ...first: readonly string[]) => {
  const names = readdirSync(join(docs, folder)).filter((file) => file.endsWith(".md") && file !== "index.md");
  const sorted = [
    ...first.map((name) => `${name}.md`),
    ...names.filter((name) => !first.includes(name.slice(0, -3))).sort(),
  ];
  return sorted.map((name) => page(`${folder}/${name.slice(0, -3)}`));
};
const page = (path: string) => ({ text: titleOf(`${path}.md`), link: `/${path}` });

const LANGUAGES = ["python", "go", "yaml"].map(page);
const GUIDES = [
  "waiting",
  "run-checks",
  "assistants",
  "review",
  "policies",
  "environments",
  "pipelines",
  "teams",
  "many-stacks",
  "emulator",
  "console",
  "testing",
  "debugging",
  "without-a-program",
].map(page);

export default defineConfig({
  title: "pulumi-agent-platform",
  description: "Declare agent environments and roll them out with Pulumi.",
  lang: "en",
  // No address is known at build time: relocate() makes every link relative, so the site works wherever its files lie.
  base: BASE,
  outDir: "../.state/docs",
  cacheDir: "../.state/vitepress",
  // The example of _index.md, a page of Pulumi's registry, is on the front page. A page of its own would take its place: VitePress writes "/" as "_".
  srcExclude: ["_index.md"],
  lastUpdated: false,
  // Two parts, for those who use the product and those who build it: each locale has a search of its own. As the labels are the same, no menu of languages
  // is shown.
  locales: {
    root: { label: "English" },
    internals: {
      label: "English",
      title: "pulumi-agent-platform internals",
      description: "How pulumi-agent-platform is built.",
      themeConfig: {
        // On a phone, the whole title is wider than the bar.
        siteTitle: "pulumi-agent-platform",
        nav: [
          { text: "Use", link: "/" },
          { text: "Internals", link: "/internals/" },
        ],
        sidebar: [
          page("internals/index"),
          ...pagesOf(
            "internals",
            "design",
            "one-update",
            "platform",
            "engine",
            "glossary",
            "adding-a-resource",
            "releasing",
          ),
        ],
      },
    },
  },
  markdown: {
    // A heading's address is as on code hosts, whose links the pages use.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, "")
          .replace(/\s/g, "-"),
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    config(md) {
      md.use(registryPages, docs).use(plainText).use(withoutOuterLinks, docs).use(inlinePictures, docs);
    },
  },
  transformPageData: withoutRegistryLayout,
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  buildEnd({ outDir, pages }) {
    relocate(outDir);
    checkLinks(outDir);
    writeTexts(docs, outDir, pages);
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    // No more than fits beside the search at 768 pixels: the sidebar has every page.
    nav: [
      { text: "Start", link: "/start" },
      { text: "Reference", link: "/reference/" },
      { text: "Internals", link: "/internals/" },
    ],
    sidebar: [
      page("start"),
      { text: "Installation and configuration", link: "/installation-configuration" },
      { text: "Languages", items: [...LANGUAGES, ...["native-plugin", "before-0.2"].map(page)] },
      { text: "Concepts", items: [page("adopting"), ...pagesOf("concepts", "drift", "contracts")] },
      { text: "How-to", items: pagesOf("how-to") },
      {
        text: "Reference",
        items: [
          { text: "Overview", link: "/reference/" },
          ...pagesOf("reference", "deployment", "rollout", "run-check"),
          page("agent-environment"),
          page("sources"),
          page("cli"),
        ],
      },
      { text: "Guides", items: GUIDES },
      { text: "Examples", items: pagesOf("projects") },
      { text: "When something is wrong", items: [page("troubleshooting")] },
      { text: "How it behaves", items: ["support", "compatibility", "performance", "reliability"].map(page) },
    ],
  },
});
