/** What a page says after a change, by the name in its address: a text in the address itself could be anybody's. */
export const NOTICES: ReadonlyMap<string, string> = new Map([
  ["fault-on", "The fault is switched on."],
  ["fault-off", "The fault is switched off."],
  ["released", "Everything that it held continues."],
  ["revision-set", "The next revision will end like this."],
  ["revisions-off", "The next revisions will end normally."],
  ["changed", "Changed behind the stack's back."],
  ["deleted", "Deleted behind the stack's back."],
  ["pushed", "The commit is pushed."],
]);
