import { phaseOf, type Fault, type FaultPhase } from "../../faults/fault";
import type { ConsoleParts } from "../handler";
import type { SwitchedOn } from "../views";

/** What is switched on: it stands on every page until it is switched off. */
export function switchedOn({ faults, outcomes }: Pick<ConsoleParts, "faults" | "outcomes">): readonly SwitchedOn[] {
  const queued = outcomes.queued;
  const revisions: SwitchedOn = {
    id: "next-revision",
    what: queued.length === 1 ? `Next revision: ${queued[0] ?? ""}` : `Next ${queued.length} revisions`,
    detail: queued.length === 1 ? "of any deployment" : queued.join(", "),
    isSpent: false,
    off: "/console/next-revision/off",
    release: undefined,
  };
  return [
    ...faults.list.map(({ id, fault, fired, isSpent }) => ({
      id: `fault-${id}`,
      what: `Fault: ${fault.kind}${fault.kind === "status" ? ` ${fault.status}` : ""}`,
      detail: `${whereOf(fault)}; struck ${countOf(fired, fault)}${isSpent ? ", used up" : ""}`,
      isSpent,
      off: `/console/faults/${id}/off`,
      release: fault.kind === "hold" ? `/console/faults/${id}/release` : undefined,
    })),
    ...(queued.length === 0 ? [] : [revisions]),
  ];
}

/** Effects that go without saying. */
const PRESETS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["echo", false],
  ["body", "platform"],
  ["jitterMs", 0],
]);

/** When a fault strikes. */
const PHASE_WORDS: Readonly<Record<FaultPhase, string>> = {
  "before-route": "before it is carried out",
  "after-commit": "after it is carried out",
};

/** Which requests a fault strikes, and how. */
function whereOf(fault: Fault): string {
  const { kind: _kind, method, path, nth, count, probability, forMs, ...rest } = fault;
  const requests = `${method === "*" ? "any method" : method} ${path === "*" ? "any path" : path}`;
  const chance = probability < 1 ? [`chance ${probability}`] : [];
  const which = [...(nth === undefined ? [] : [`from number ${nth}`]), ...chance];
  const { phase: _phase, status: _status, ...effects } = { phase: "", status: 0, ...rest };
  const told = Object.entries(effects).filter(([name, value]) => PRESETS.get(name) !== value);
  const how = told.map(([name, value]) => `${name} ${String(value)}`);
  const time = forMs === undefined ? [] : [`for ${forMs} ms`];
  const times = count === undefined ? [] : [`${count} times`];
  const when = PHASE_WORDS[phaseOf(fault)];
  return [requests, when, ...how, ...which, ...times, ...time].join(", ");
}

function countOf(fired: number, { count }: Fault): string {
  const times = fired === 1 ? "1 request" : `${fired} requests`;
  return count === undefined ? times : `${times} of ${count}`;
}
