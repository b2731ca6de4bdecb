/** Marks text for people: headings, details, errors. */
export interface Style {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly wrong: (text: string) => string;
}

const sgr =
  (code: number) =>
  (text: string): string =>
    text === "" ? "" : `\x1b[${code}m${text}\x1b[0m`;

const PLAIN: Style = { heading: (text) => text, faint: (text) => text, wrong: (text) => text };
const COLOURED: Style = { heading: sgr(36), faint: sgr(2), wrong: sgr(31) };

/** Colours on a terminal, unless NO_COLOR (any text but the empty one) or a dumb terminal says otherwise. */
export function styleFor(isTerminal: boolean, environment: NodeJS.ProcessEnv): Style {
  return isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb" ? COLOURED : PLAIN;
}
