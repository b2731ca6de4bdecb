import { seededRandom } from "../../emulator/faults/trigger";
import type { ObjectType } from "../conformance/cases";
import { TYPES } from "./declarations";
import { FAULTS, type Fault } from "./faults";
import type { Program } from "./play";
import { QUIRKS } from "./quirks";
import { STEPS, type Step, type Struck, rowOf } from "./steps";

/** A number from 0 to below `of`, the next one of a sequence. */
type Draw = (of: number) => number;

function drawFrom(seed: number): Draw {
  const random = seededRandom(seed);
  return (of) => (random() * 2 ** 32) % of;
}

function one<T>(draw: Draw, all: readonly T[]): T {
  const chosen = all[draw(all.length)];
  if (chosen === undefined) throw new Error("nothing to choose from");
  return chosen;
}

/** Like cards: each of them comes once before any comes again. */
function dealt<T>(all: readonly T[], nth: number): T {
  const draw = drawFrom(1 + Math.floor(nth / all.length));
  const cards = all.map((card) => ({ card, at: draw(1_000_000) })).sort((first, second) => first.at - second.at);
  const [dealtOne] = cards.slice(nth % all.length);
  if (dealtOne === undefined) throw new Error("no cards");
  return dealtOne.card;
}

const DONE = STEPS.filter(({ is }) => is !== "ask");
const COMMANDS = STEPS.filter(({ is, name }) => is === "ask" && name !== "get by id" && name !== "preview");
/** How many rounds a program has: something happens, and a command follows. */
const ROUNDS = 5;

/** The program of a number: the rows of the tables in turn, and the rest at random. @param wanted A row to begin with. */
export function programOf(seed: number, wanted?: string): Program {
  const draw = drawFrom(seed * 7919 + 13);
  const pick = <T extends { readonly name: string }>(rows: readonly T[], round: number): T =>
    (round === 0 ? rows.find(({ name }) => name === wanted) : undefined) ?? dealt(rows, seed * ROUNDS + round);
  const length = wanted === undefined ? ROUNDS : 1;
  const rounds = Array.from({ length }, (_, round): Round => {
    return { row: pick(DONE, round), fault: pick(FAULTS, round), command: pick(COMMANDS, round) };
  });
  const needed = rounds.flatMap(({ row, fault, command }) =>
    [row.types, fault.types, command.types].flatMap((types) => (types === undefined ? [] : [one(draw, types)])),
  );
  const [first] = rounds;
  const begins = [first?.row, first?.command].find((row) => row !== undefined && row.name === wanted);
  const wished = QUIRKS.find(({ name }) => name === wanted || name === begins?.quirk) ?? dealt(QUIRKS, seed);
  const quirk = needed.every((type) => (wished.types ?? TYPES).includes(type)) ? wished : QUIRKS[0];
  const types = quirk?.types ?? TYPES;
  const declares = [...new Set([dealt(TYPES, seed), ...needed, one(draw, types), one(draw, types)])]
    .filter((type) => types.includes(type))
    .slice(0, wanted === undefined ? 5 : 4);
  const drawn = draw(6) === 0 ? "another backend" : draw(8) === 0 ? "another workspace" : undefined;
  const beside = begins?.beside ?? quirk?.beside ?? drawn;
  const steps: Step[] = [["up", 0, 0, draw(4) === 0 ? struckBy(draw, one(draw, FAULTS), "POST") : undefined]];
  for (const round of rounds) steps.push(...stepsOf(draw, declares, round, round.command.name === wanted));
  return { quirk: quirk?.name ?? "", declares, ...(beside !== undefined && { beside }), steps };
}

interface Round {
  readonly row: (typeof STEPS)[number];
  readonly fault: Fault;
  readonly command: (typeof STEPS)[number];
}

function stepsOf(
  draw: Draw,
  declares: readonly ObjectType[],
  { row, fault, command }: Round,
  isAsked: boolean,
): Step[] {
  const placeOf = (types: readonly ObjectType[] | undefined): number => {
    const fitting = declares.flatMap((type, index) => (types === undefined || types.includes(type) ? [index] : []));
    return fitting.length === 0 ? 0 : one(draw, fitting);
  };
  const of = placeOf(row.types);
  const staged = ({ name, after = [] }: Round["row"], place: number): Step[] =>
    [...after, name].map((each) => [each, place, draw(64)]);
  const done = staged(row, of);
  const ofFault =
    fault.request?.method === undefined ? ["POST", "PUT", "PATCH", "DELETE", "GET"] : [fault.request.method];
  const method = one(draw, fault.methods ?? ofFault);
  const struck = struckBy(draw, fault, method);
  const at = placeOf(fault.types);
  const isOfRevision = fault.lasts === "wait" || fault.outcome !== undefined || fault.superseded === true;
  const leading = isOfRevision ? LEADING_TO_REVISION : (LEADING[method] ?? LEADING["*"] ?? []);
  const [edit, ...commands] = one(draw, leading);
  const changed = staged(rowOf(edit), at);
  const hit: Step = [one(draw, commands), at, 0, struck];
  const asked = isAsked || draw(2) === 0 ? command.name : one(draw, ["preview", "get by id", "up"]);
  return [...done, ...changed, hit, [asked, command.types === undefined ? at : placeOf(command.types), 0]];
}

/** Edits, each with the commands that then send a request of a method. */
const LEADING: Readonly<Record<string, readonly (readonly [edit: string, ...commands: readonly string[]])[]>> = {
  POST: [
    ["replace", "up"],
    ["rename", "up", "up with an error hook"],
    ["declare", "up", "up with an error hook"],
  ],
  PATCH: [
    ["change a field", "up"],
    ["change two fields", "up", "up --refresh"],
    ["rename", "up"],
    ["declare", "up with an error hook"],
  ],
  DELETE: [
    ["drop", "up"],
    ["replace", "up"],
    ["drop", "destroy", "destroy --refresh"],
  ],
  GET: [
    ["change a field", "refresh", "up --refresh"],
    ["change a field by hand", "refresh", "up --refresh"],
  ],
  "*": [
    ["change a field", "up"],
    ["replace", "up"],
    ["rename", "up"],
  ],
};
const LEADING_TO_REVISION: (typeof LEADING)[string] = [
  ["change two fields", "up"],
  ["replace", "up"],
];

function struckBy(draw: Draw, fault: Fault, method: string): Struck {
  const nth = fault.kill === undefined ? one(draw, [1, 1, 1, 1, 1, 2]) : 1 + draw(5);
  return [fault.name, fault.kill === undefined ? method : "*", nth, one(draw, [1, 1, 2, 8])];
}
