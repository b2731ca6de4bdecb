import type { Fault } from "../../faults/fault";
import type { ConsoleParts } from "../parts";

/** What is switched on: it stands on every page until it is switched off. */
export function switchedOn({ faults, outcomes }: Pick<ConsoleParts, "faults" | "outcomes">) {
  const queued = outcomes.queued;
  const revisions = {
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
      /** Where to let go what it holds. */
      release: fault.kind === "hold" ? `/console/faults/${id}/release` : undefined,
    })),
    ...(queued.length === 0 ? [] : [revisions]),
  ];
}

/** Which requests a fault strikes, and how. */
function whereOf({ kind: _kind, method, path, ...rest }: Fault): string {
  const fields = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  const requests = `${method === "*" ? "any method" : method} ${path === "*" ? "any path" : path}`;
  return [requests, ...fields].join(", ");
}

function countOf(fired: number, { count }: Fault): string {
  const times = fired === 1 ? "1 request" : `${fired} requests`;
  return count === undefined ? times : `${times} of ${count}`;
}
