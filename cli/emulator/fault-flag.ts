import { InvalidArgumentError } from "commander";
import type { Fault } from "../../emulator/faults/fault";
import { faultKinds } from "../../emulator/faults/options";
import { readFault } from "../../emulator/faults/fault-schema";
import { messageOf } from "../../provider/base/errors";

const kinds = faultKinds.filter((kind) => kind !== "hold");
const half = Math.ceil(kinds.length / 2);

/** The text of --help about `--fault`. */
export const FAULT_HELP = `
A fault is a JSON object, the same as in startEmulator({ faults }); docs/emulator.md describes its keys.
  kind   ${kinds.slice(0, half).join(", ")},
         ${kinds.slice(half).join(", ")}
  which  method; path (* stands for a part between slashes, ** for any rest); probability per request; nth; count;
         forMs: all for this long from the first strike on; default: all requests
Examples: --fault '{ "kind": "reset-after-commit", "method": "POST", "path": "/v2/deployments", "count": 2 }'
          --fault '{ "kind": "status", "status": 503, "method": "GET", "probability": 0.1 }'`;

/** The fault that a `--fault` describes. Throws what commander prints with the name of the option. */
export function parseFault(text: string): Fault {
  try {
    const fault = readFault(JSON.parse(text));
    if (fault.kind !== "hold") return fault;
  } catch (error) {
    throw new InvalidArgumentError(`${messageOf(error)} See --help.`);
  }
  throw new InvalidArgumentError("hold is for tests in the same process: nothing here releases it. See --help.");
}
