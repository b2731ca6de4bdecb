import { nodeOf, type RunEvent, textOf } from "../../streaming/events";
import { leavesOf } from "../../base/json";
import { safeText, Spellings } from "../../base/masker";
import type { RunCheckInputs } from "./fields";

/** How many lines an error shows, and how much of each. */
const SHOWN = 3;
const LONGEST = 300;
/** The least that is kept of a text: a secret that begins before the shown part has to be complete, so that it can be masked. */
const KEPT = 64 * 1024;
/** How many nodes' tokens are kept; those of further nodes are not shown. */
const MOST_NODES = 100;

interface Line {
  readonly where: string;
  readonly isText: boolean;
  /** For tokens the end of the text, for any other event its beginning. */
  readonly data: string;
  /** Characters of the whole. */
  readonly length: number;
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
      const where = [mode, ...namespace, nodeOf(metadata) ?? ""].join(" ").slice(0, KEPT);
      const before = this.lines.get(where);
      // Do not start to keep a node late: its next token could be the second half of a secret.
      if (before === undefined && this.lines.size >= MOST_NODES) return;
      const [token, all] = [textOf(message), before?.data ?? ""];
      const data = all.length + token.length > 2 * KEPT ? (all + token).slice(-KEPT) : all + token;
      this.lines.delete(where);
      this.lines.set(where, { where, isText: true, data, length: (before?.length ?? 0) + token.length });
      return;
    }
    this.count += 1;
    const data = JSON.stringify(event.data);
    this.lines.set(this.count, {
      where: [mode, ...namespace].join(" ").slice(0, KEPT),
      isText: false,
      data: data.slice(0, KEPT),
      length: data.length,
    });
    this.lines.delete(this.count - SHOWN);
  }

  /** One line each; secrets are removed before anything is cut off, which could leave part of one. */
  show({ showsData, clean }: Disclosure): string[] {
    return [...this.lines.values()].slice(-SHOWN).map(({ where, isText, data, length }) => {
      if (!showsData) return head(clean(`${where} (${length} characters)`));
      const text = clean(data);
      return `${head(clean(where))}: ${isText ? JSON.stringify(tail(text)) : head(text)}`;
    });
  }
}

const head = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
const tail = (text: string): string => (text.length > LONGEST ? `...${text.slice(-LONGEST)}` : text);

/** How much the messages about a check may show. */
export interface Disclosure {
  /** Whether the run's output, and what was expected of it, may be shown. */
  readonly showsData: boolean;
  /** A text from elsewhere, without anything that must not be shown. */
  readonly clean: (text: string) => string;
}

/**
 * Secrets that the process knows are never shown: the agent has its deployment's secrets and may repeat them. The plugin for dynamic resources does not learn
 * which arguments of the check are secret. Unless the SDK says that none is (`showData`), every argument counts as secret, and the run's output is not shown
 * at all, because it may contain a secret in parts or in another spelling.
 */
export function disclosureOf({ input, expect, showData }: RunCheckInputs): Disclosure {
  const given = [input, ...(expect?.values ?? []).flatMap(({ equals, matches }) => [equals, matches])];
  const hidden = new Spellings(showData === true ? [] : given.flatMap(leavesOf));
  return { showsData: showData === true, clean: (text) => safeText(text, hidden) };
}
