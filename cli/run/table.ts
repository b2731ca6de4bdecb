import { shortText } from "../base/printable";
import { namespaceText, eventRow, type RowEvent } from "./rows";
import type { Style } from "../base/style";

const HEAD = ["TIME", "MODE", "NAMESPACE", "NODE"] as const;
/** The initial widths of columns: most runs never widen them. */
const USUAL = { time: "999.99s".length, namespace: "sub:6b19631c".length, node: 8 } as const;
/** The maximum width of a column; longer cells are cut off, so that they do not push away the text of every line. */
const WIDEST = 32;
/** The least width of the text, however narrow the terminal is. */
const NARROWEST = 24;
const GAP = "  ";

/** A table that is printed while it grows: columns widen with their cells, and never narrow. */
export class TextTable {
  private readonly widths: number[];
  private begun = false;

  /** @param modes The modes that may come, so that their column is wide enough at once. */
  constructor(
    private readonly style: Style,
    private readonly lineWidth: () => number,
    modes: readonly string[],
  ) {
    const mode = Math.max(...[HEAD[1], ...modes].map(lengthOf));
    this.widths = [USUAL.time, mode, USUAL.namespace, USUAL.node];
  }

  /** The line of an event, `seconds` after the start; the first one comes with the column heads. */
  line(event: RowEvent, seconds: number): string {
    const { mode, node, text } = eventRow(event);
    const cells = [`${seconds.toFixed(2)}s`, mode, namespaceText(event.namespace) || "-", node || "-"].map((cell) =>
      shortText(cell, WIDEST),
    );
    this.fit(cells);
    const head = this.begun ? "" : `${this.style.faint(this.join(HEAD, "DATA"))}\n`;
    this.begun = true;
    const left = this.lineWidth() - this.widths.reduce((sum, width) => sum + width + GAP.length, 0);
    return `${head}${this.join(cells, shortText(text, Math.max(NARROWEST, left)))}\n`;
  }

  private fit(cells: readonly string[]): void {
    cells.forEach((cell, column) => (this.widths[column] = Math.max(this.widths[column] ?? 0, lengthOf(cell))));
  }

  private join(cells: readonly string[], text: string): string {
    const padded = cells.map((cell, column) => {
      const space = " ".repeat((this.widths[column] ?? 0) - lengthOf(cell));
      return column === 0 ? space + cell : cell + space;
    });
    return [...padded, text].join(GAP);
  }
}

const lengthOf = (text: string): number => Array.from(text).length;
