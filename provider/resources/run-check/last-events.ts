import { nodeOf, textOf, type RunEvent } from "../../streaming/events";
import type { Disclosure } from "./disclosure";

/** How many lines an error shows, and how much of each. */
const SHOWN = 3;
const LONGEST = 300;

interface Line {
  readonly where: string;
  readonly isText: boolean;
  readonly data: string;
}

/** The end of a run's output, for people. The tokens of a node are one text: a secret in them may be cut anywhere. */
export class LastEvents {
  /** The newest last. Tokens are keyed by where they come from, other events by a number. */
  private readonly lines = new Map<string | number, Line>();
  private count = 0;

  see(event: RunEvent): void {
    const { mode, namespace } = event;
    if (mode === "messages-tuple") {
      const [message, metadata] = event.data;
      const where = [mode, ...namespace, nodeOf(metadata) ?? ""].join(" ");
      const before = this.lines.get(where)?.data ?? "";
      this.lines.delete(where);
      this.lines.set(where, { where, isText: true, data: before + textOf(message) });
      return;
    }
    this.count += 1;
    this.lines.set(this.count, {
      where: [mode, ...namespace].join(" "),
      isText: false,
      data: JSON.stringify(event.data),
    });
    this.lines.delete(this.count - SHOWN);
  }

  /** One line each; secrets are removed before anything is cut off, which could leave part of one. */
  show({ showsData, clean }: Disclosure): string[] {
    return [...this.lines.values()].slice(-SHOWN).map(({ where, isText, data }) => {
      if (!showsData) return clean(`${where} (${data.length} characters)`);
      const text = clean(data);
      return `${clean(where)}: ${isText ? JSON.stringify(tail(text)) : head(text)}`;
    });
  }
}

const head = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
const tail = (text: string): string => (text.length > LONGEST ? `...${text.slice(-LONGEST)}` : text);
