import type { PlatformReader, ReadObject } from "../../provider/reading";
import { CliError } from "./cli-error";

/** A deployment as commands show it. */
export interface ShownDeployment {
  readonly id: string;
  readonly name: string;
  readonly latestRevisionId: string | null;
  /** The revision that serves. */
  readonly activeRevisionId: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The deployment that `--deployment` names, by its id or its whole name. Throws CliError where there is none. */
export async function deploymentOf(platform: PlatformReader, given: string): Promise<ShownDeployment> {
  if (given === "") throw new CliError("--deployment is empty: is the value that it comes from set?");
  const reader = platform.reader("Deployment");
  const byId = UUID.test(given) ? await reader.find({ id: given }) : undefined;
  const found = byId ?? (await reader.find({ name: given }));
  if (found !== undefined) return shown(found);
  const where = `at ${platform.connection.baseUrl} for this key and tenant`;
  throw new CliError(`--deployment: there is no deployment with the name or the id ${JSON.stringify(given)} ${where}`);
}

function shown({ id, inputs, outputs, details }: ReadObject): ShownDeployment {
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(inputs["name"]) ?? id,
    latestRevisionId: textOf(outputs["latestRevisionId"]),
    activeRevisionId: textOf(details["activeRevisionId"]),
  };
}
