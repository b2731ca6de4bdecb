import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { z } from "zod";
import { pages, ROOT } from "./pages";

const SITE = join(ROOT, "docs");

test("the search of each part of the site finds all pages of the part, and no others", () => {
  const output = execFileSync(process.execPath, [join(__dirname, "search.mjs")], { cwd: ROOT, encoding: "utf8" });
  const found = z.record(z.string(), z.array(z.string())).parse(JSON.parse(output));
  const addresses = pages()
    .map((file) => relative(SITE, file).replace(/\.md$/, ".html"))
    // _index.md is a page of Pulumi's registry alone.
    .filter((file) => !file.startsWith("..") && file !== "_index.html")
    .map((file) => `/__base__/${file.replace(/(?<=^|\/)index\.html$/, "")}`)
    .sort();
  const isInternal = (address: string): boolean => address.startsWith("/__base__/internals/");
  expect(Object.keys(found).sort()).toEqual(["internals", "root"]);
  expect(found.internals?.sort()).toEqual(addresses.filter(isInternal));
  expect(found.root?.sort()).toEqual(addresses.filter((address) => !isInternal(address)));
});
