import { findByKey, type PlatformReader, type ReadObject } from "../../provider/tools";
import { CliError } from "./cli-error";

/** A deployment as commands show it. */
export interface ShownDeployment {
  readonly id: string;
  readonly name: string;
  readonly latestRevisionId: string | null;
  /** The revision that serves. */
  readonly activeRevisionId: string | null;
}

/** Names of deployments that a message lists. */
const NAMES = 10;

/**
 * The deployment that `--deployment` names, by its id or its whole name; without it, the only one that there is. Throws CliError where that
 * is none, or not clear.
 */
export async function deploymentNamedBy(platform: PlatformReader, given: string | undefined): Promise<ShownDeployment> {
  if (given === undefined) return onlyDeployment(platform);
  const found = await findByKey(platform.reader("Deployment"), given);
  if (found !== undefined) return shown(found);
  throw new CliError(`--deployment: no deployment has the name or id ${JSON.stringify(given)} ${placeOf(platform)}`);
}

async function onlyDeployment(platform: PlatformReader): Promise<ShownDeployment> {
  const all: ShownDeployment[] = [];
  for await (const found of platform.reader("Deployment").list()) {
    all.push(shown(found));
    if (all.length > NAMES) break;
  }
  const [only, other] = all;
  if (only === undefined) throw new CliError(`there are no deployments ${placeOf(platform)}`);
  if (other === undefined) return only;
  const names = all.slice(0, NAMES).map(({ name }) => JSON.stringify(name));
  const rest = all.length > NAMES ? ", ..." : "";
  throw new CliError(`there are several deployments: choose one with --deployment (${names.join(", ")}${rest})`);
}

const placeOf = ({ connection }: PlatformReader): string => `at ${connection.baseUrl} for this key and tenant`;

function shown({ id, inputs, outputs, details }: ReadObject): ShownDeployment {
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(inputs["name"]) ?? id,
    latestRevisionId: textOf(outputs["latestRevisionId"]),
    activeRevisionId: textOf(details["activeRevisionId"]),
  };
}
