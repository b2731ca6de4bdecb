import { columns } from "../cli/base/printable";
import { markdownTable } from "../tools/generate/markdown";
import type { Curve, Measured, Row } from "./row";

/** The results of all measurements, in their order; each is as it was last measured on this machine. */
export interface Results {
  readonly machine: { readonly cpus: number; readonly node: string };
  readonly parts: readonly Part[];
}

/** The results of one measurement. */
export interface Part extends Measured {
  readonly name: string;
}

export const rowsOf = ({ parts }: Pick<Results, "parts">): Row[] => parts.flatMap(({ rows }) => rows);
export const curvesOf = ({ parts }: Pick<Results, "parts">): Curve[] => parts.flatMap(({ curves = [] }) => curves);

/** The kept results with the new ones in place of their own, in the order of these names; of a measurement that is no more, none. */
export function merged(kept: Results, now: Results, names: readonly string[]): Results {
  const parts = names.flatMap((name) => {
    const part = [...now.parts, ...kept.parts].find((each) => each.name === name);
    return part === undefined ? [] : [part];
  });
  const isWhole = parts.every((part) => now.parts.includes(part));
  if (!isWhole && (kept.machine.cpus !== now.machine.cpus || kept.machine.node !== now.machine.node)) {
    throw new Error("the kept results are of another machine or Node: run all measurements to write them");
  }
  return { machine: now.machine, parts };
}

const [BEGIN, END] = ["<!-- results: written by npm run bench -->", "<!-- end of results -->"];

/** The page with these results in place of the old ones. */
export function withResults(page: string, results: Results): string {
  const { machine } = results;
  const rows = rowsOf(results);
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no place between ${BEGIN} and ${END}`);
  const missed = rows.filter(({ isMet }) => !isMet).length;
  const goals = rows.filter(({ goal }) => goal !== undefined).length;
  const summary = `${machine.cpus} CPUs, Node ${machine.node}: ${goals - missed} of ${goals} goals met.`;
  return `${before}${BEGIN}\n\n${summary}\n\n${markdownTable([HEAD, ...rows.map(cellsOf)])}\n${END}${after}`;
}

/** A ratio of medians is good for three digits at most. */
const short = (ratio: number): string => String(Number(ratio.toPrecision(3)));

const HEAD = ["what", "ours", "baseline", "ratio", "goal", ""];

const cellsOf = ({ name, ours, baseline, ratio, goal, isMet }: Row): string[] => [
  name,
  ours,
  baseline,
  short(ratio),
  goal ?? "",
  goal === undefined ? "" : isMet ? "met" : "MISSED",
];

/** For a terminal. */
export const textTable = (rows: readonly Row[]): string => columns([HEAD, ...rows.map(cellsOf)]).join("\n");
