import { Ownership } from "./ownership";

// Stories of one engine run, as the engine's calls tell them (docs/internals/engine.md, trap 41).

const held = (mark: string) => ({ names: ["Deployment 5a3f2c1e-0000-4000-8000-000000000001"], mark });
const [OLD, NEW] = ["the row that is deleted", "another row"];
const WHAT = 'Deployment "agent"';
const REFUSED = /is not deleted: this run has read it for another resource of the program as well/;

const step = {
  compared: (mark: string) => (ownership: Ownership) => void ownership.recordDiff(held(mark), true, WHAT),
  maybeCompared: (mark: string) => (ownership: Ownership) => void ownership.recordDiff(held(mark), false, WHAT),
  replaced: (mark: string) => (ownership: Ownership) => ownership.recordReplacement(held(mark)),
  refreshed: (ownership: Ownership) => ownership.recordRead(held(OLD)),
  found: (mark: string) => (ownership: Ownership) => ownership.recordImport(held(mark), "urn", "id"),
  adopted: (mark: string) => (ownership: Ownership) => ownership.recordAdoption(held(mark), WHAT),
};

type Story = readonly ((ownership: Ownership) => void)[];

test.each<[reason: string, story: Story, end: "deleted" | "stays" | RegExp]>([
  ["nobody else has it", [], "deleted"],
  ["another row of the program has it too", [step.compared(NEW)], "stays"],
  ["another row may have it: its values are not known yet", [step.maybeCompared(NEW)], "stays"],
  ["another row has adopted it", [step.adopted(NEW)], "stays"],
  ["another row was imported: read, and compared after it", [step.found(NEW), step.compared(NEW)], "stays"],
  ["the import of this very row takes its place, by another spelling", [step.found(OLD), step.compared(OLD)], "stays"],
  ["a read has found it for another row, which is no target, or only reads it", [step.found(NEW)], REFUSED],
  ["the same, in a command that refreshes first", [step.refreshed, step.compared(OLD), step.found(NEW)], REFUSED],
  ["another row only reads it, and this one is replaced", [step.replaced(OLD), step.found(NEW)], "deleted"],
  ["another row only reads it, and this one was to be replaced", [step.compared(OLD), step.found(NEW)], "deleted"],
  ["this row itself was read as one that only reads", [step.found(OLD)], "deleted"],
])("at a delete: %s", (_reason, story, end) => {
  const ownership = new Ownership();
  story.forEach((tell) => tell(ownership));
  const isLeft = (): boolean => ownership.isLeftToAnother(held(OLD), WHAT);
  if (end instanceof RegExp) expect(isLeft).toThrow(end);
  else expect(isLeft()).toBe(end === "stays");
});

test("after a creation, a journal that fails is said and not thrown: the object has to come into the state", () => {
  const said: string[] = [];
  let isFull = false;
  const journal = (entry: string): string[] => {
    if (isFull) throw new Error("the disk is full");
    return [entry];
  };
  const ownership = new Ownership(journal, (message) => said.push(message));
  ownership.beforeCreate();
  isFull = true;
  ownership.recordCreate(held(NEW));
  expect(said).toEqual([
    expect.stringMatching(
      /^Deployment 5a3f2c1e-0000-4000-8000-000000000001 was made, and is in the state, .*: the disk is full$/,
    ),
  ]);
  expect(() => ownership.beforeCreate()).toThrow("the disk is full");
  isFull = false;
  expect(() => ownership.recordAdoption(held(OLD), WHAT)).toThrow("would belong to two resources");
});

test("an object that one of its names shows to be adopted is left alone, though a read found another of them", () => {
  const ownership = new Ownership();
  const [here, byKey] = ["OAuthProvider here github", "OAuthProvider by its key github"];
  ownership.recordImport({ names: [here, byKey], mark: "a row that only reads it" }, "urn", "github");
  ownership.recordAdoption({ names: ["OAuthProvider of the tenant github", byKey], mark: NEW }, WHAT);
  expect(ownership.isLeftToAnother({ names: [here, byKey], mark: OLD }, WHAT)).toBe(true);
});
