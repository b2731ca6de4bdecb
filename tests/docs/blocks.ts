import { relative } from "node:path";
import { transformSync } from "esbuild";
import { pages, read, ROOT } from "./pages";

/**
 * What stands in a comment in front of a block, where no reader sees it: `walk` names the step of the stranger's walk that runs it, `recorded` the
 * one that also writes its output, `run by` another test that does, and `not run` the reason why none can.
 */
export interface Mark {
  readonly kind: "walk" | "recorded" | "run by" | "not run";
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly mark?: Mark;
}

const FENCE = /^```([^\n`]*)\n([^]*?)^```$/gm;
const MARK = /<!-- (walk|recorded|run by|not run): ([^\n]+) -->\n\n?$/;
const KINDS: readonly Mark["kind"][] = ["walk", "recorded", "run by", "not run"];

/** The blocks of a page, in their order. */
export const blocksOf = (page: string, text: string): Block[] =>
  [...text.matchAll(FENCE)].map(({ 1: info = "", 2: code = "", index }) => {
    // Of a group of tabs, a block also has the name of its tab.
    const [language = ""] = info.split(" ");
    const before = text.slice(0, index);
    const [, marked, words = ""] = MARK.exec(before) ?? [];
    const kind = KINDS.find((each) => each === marked);
    const block = { page, line: before.split("\n").length, language, code };
    return kind === undefined ? block : { ...block, mark: { kind, text: words } };
  });

/** The blocks of all pages. */
export const allBlocks = (): Block[] => pages().flatMap((page) => blocksOf(relative(ROOT, page), read(page)));

/** Whether a step of the walk runs it. */
export const isWalked = ({ mark }: Block): boolean => mark?.kind === "walk" || mark?.kind === "recorded";

/** The blocks that a test runs, as the pages say: a path from the root. */
export const blocksRunBy = (test: string): Block[] =>
  allBlocks().filter(({ mark }) => mark?.kind === "run by" && mark.text === test);

/** A program in TypeScript as Node runs it; its types are checked elsewhere. */
export const inJavaScript = (code: string): string =>
  transformSync(code, { loader: "ts", format: "cjs", target: "node20" }).code;

/** The block that a step of the walk runs. A recorded one may stand on several pages. */
export function blockOf(step: string): Block {
  const found = allBlocks().find((block) => isWalked(block) && block.mark?.text === step);
  if (found === undefined) throw new Error(`no block of the docs is marked with ${step}`);
  return found;
}
