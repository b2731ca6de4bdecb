import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startEmulator, type Emulator } from "../../emulator";
import { wireName } from "../../provider/lifecycle/fields/rename";
import type { Fields, Shape, Table } from "../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../provider/resources/registry";
import * as sdk from "../../sdk";
import { deployed } from "../support/agent-under-test";

// facts.json: what official packages send and read (facts.py writes it). marks.json: what this project makes of each operation, and of each
// field of those that a resource uses.

const names = z.array(z.string());
const reason = z.string().min(1);
const Fact = z.strictObject({
  client: z.string(),
  operation: z.string(),
  sends: names.default([]),
  answers: names.default([]),
});
const Mark = z.strictObject({
  resource: z.string().optional(),
  function: z.string().optional(),
  command: z.string().optional(),
  emulatorOnly: reason.optional(),
  leftOut: reason.optional(),
  operations: names.default([]),
  /** A collection, never a whole version of the platform: what is new there is unmarked. */
  below: z.array(z.string().regex(/^[\w-]+ (\/api)?\/v\d(\/[a-z-]+)+$/)).default([]),
  /** Of a resource: the fields that it does not have, and why. */
  fields: z.record(z.string(), reason).default({}),
});
type Mark = z.infer<typeof Mark>;

const read = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, name), "utf8"));
const facts = z
  .array(Fact)
  .parse(read("facts.json"))
  .map(({ client, operation, ...fields }) => ({ name: `${client} ${operation}`, ...fields }));
const { everywhere, marks } = z
  .strictObject({ everywhere: z.record(z.string(), reason), marks: z.array(Mark) })
  .parse(read("marks.json"));

const isBelow = (name: string, prefix: string): boolean => {
  const [client = "", , path = ""] = name.split(" ");
  return `${client} ${path}/`.startsWith(`${prefix}/`);
};
const marksOf = (name: string): Mark[] =>
  marks.filter(({ operations, below }) => operations.includes(name) || below.some((each) => isBelow(name, each)));
const factsOf = ({ operations }: Mark) => facts.filter(({ name }) => operations.includes(name));
const fieldsOf = (mark: Mark): string[] => [
  ...new Set(factsOf(mark).flatMap(({ sends, answers }) => [...sends, ...answers])),
];
const tables = new Map<string, Table>(Object.entries(RESOURCES).map(([kind, { table }]) => [kind, table]));
const tableOf = ({ resource }: Mark): Table | undefined => tables.get(resource ?? "");

/** Whether a table has a row for a field of the platform. What is below free JSON is there as well. */
function hasRow(fields: Fields, [first = "", ...rest]: readonly string[]): boolean {
  return Object.entries(fields).some(([name, row]) => {
    if (row.carriedBy === first && rest.length === 0) return true;
    return wireName(name, row) === first && (rest.length === 0 || hasRowIn(row.type, rest));
  });
}
function hasRowIn(shape: Shape, path: readonly string[]): boolean {
  if (shape.kind === "list" || shape.kind === "nullable") return hasRowIn(shape.of, path);
  return shape.kind === "object" ? hasRow(shape.fields, path) : shape.kind === "map" || shape.kind === "json";
}
const isRow = ({ fields, reading }: Table, field: string): boolean =>
  hasRow({ ...fields, ...reading?.details }, field.split("."));
/** A reason for an object is one for all that is in it. */
const isReasoned = (field: string, reasons: object): boolean =>
  Object.keys(reasons).some((each) => `${field}.`.startsWith(`${each}.`));

test("each operation has one mark: what is new is not overlooked", () => {
  const marked = facts.map(({ name }) => [name, marksOf(name).length]);
  expect(marked.filter(([, count]) => count !== 1)).toEqual([]);
});

test("each mark says one thing, of operations that there are", () => {
  for (const mark of marks) {
    const kinds = [mark.resource, mark.function, mark.command, mark.emulatorOnly, mark.leftOut];
    expect(kinds.filter((each) => each !== undefined)).toHaveLength(1);
    expect(mark.operations.filter((each) => facts.every(({ name }) => name !== each))).toEqual([]);
    expect(mark.below.filter((each) => !facts.some(({ name }) => isBelow(name, each)))).toEqual([]);
  }
});

const ofResources = marks.flatMap((mark) => (mark.resource === undefined ? [] : [[mark.resource, mark] as const]));

test.each(ofResources)("%s has each field, or the reason why it has not", (_kind, mark) => {
  const table = tableOf(mark);
  expect(table).toBeDefined();
  const open = fieldsOf(mark).filter((field) => !isReasoned(field, { ...everywhere, ...mark.fields }));
  expect(open.filter((field) => table !== undefined && !isRow(table, field))).toEqual([]);
});

test.each(ofResources)("%s has no reason for a field that it has, or that there is not", (_kind, mark) => {
  const table = tableOf(mark);
  const given = Object.keys(mark.fields);
  const isStale = (field: string): boolean =>
    !fieldsOf(mark).includes(field) || (table !== undefined && isRow(table, field));
  expect(given.filter(isStale)).toEqual([]);
});

test("what is said of every resource is said of some", () => {
  const all = ofResources.flatMap(([, mark]) => fieldsOf(mark));
  expect(Object.keys(everywhere).filter((field) => !all.includes(field))).toEqual([]);
});

test("each function and command is there", () => {
  const functions = marks.flatMap(({ function: name }) => name ?? []);
  expect(functions.filter((name) => !(name in sdk))).toEqual([]);
  const commands = marks.flatMap(({ command }) => command ?? []);
  expect(commands.filter((name) => !existsSync(join(__dirname, "..", "..", "cli", name)))).toEqual([]);
});

describe("the emulator", () => {
  let emulator: Emulator;
  let agent: string;
  beforeAll(async () => {
    emulator = await startEmulator({ buildSeconds: 0 });
    agent = `/agents/${await deployed(emulator, "agent:1")}`;
  });
  afterAll(() => emulator.close());

  /** Whether it has a route for the operation, whatever that says to this request. */
  async function isServed(name: string): Promise<boolean> {
    const [client, method = "", path = ""] = name.split(" ");
    const url = emulator.url + (client === "langgraph-sdk" ? agent : "") + path.replace(/\{\w+\}/g, "x");
    const body = ["GET", "DELETE"].includes(method) ? undefined : "{}";
    const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
    const answer = await fetch(url, { method, headers, body });
    return ![405, 501].includes(answer.status) && !(await answer.text()).includes("do not offer");
  }

  test.each(
    facts.map(({ name }) => name).filter((name) => marksOf(name).every(({ leftOut }) => leftOut === undefined)),
  )("serves %s", async (name) => expect(await isServed(name)).toBe(true));

  test("has no route for what is left out", async () => {
    const left = facts
      .map(({ name }) => name)
      .filter((name) => marksOf(name).some((mark) => mark.leftOut !== undefined));
    const served = await Promise.all(left.map(async (name) => ((await isServed(name)) ? [name] : [])));
    expect(served.flat()).toEqual([]);
  });
});
