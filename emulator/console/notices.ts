/** What is said after a change, by the name in the address: a text in the address itself could be anybody's. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["fault-on", "The fault is switched on."],
  ["fault-off", "The fault is switched off."],
  ["released", "Everything that it held continues."],
  ["revision-set", "The next revision will end like this."],
  ["revisions-off", "The next revisions will end normally."],
  ["changed", "Changed behind the stack's back."],
  ["deleted", "Deleted behind the stack's back."],
  ["pushed", "The commit is pushed."],
]);
/** Said at the top of a page: what was pressed stands there, or is no longer on the page. */
const ON_TOP: readonly (string | undefined)[] = ["fault-off", "released", "revisions-off", "deleted"];

type Query = (name: string) => string | undefined;

/** What the top of a page says. */
export const noticeOnTop = (query: Query): string | undefined =>
  ON_TOP.includes(query("done")) ? NOTICES.get(query("done") ?? "") : undefined;

/** What a form says after this was done with it. */
export const noticeOf = (query: Query, done: string): string | undefined =>
  query("done") === done ? NOTICES.get(done) : undefined;
