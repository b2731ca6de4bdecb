import type { Json } from "../../base/json";
import { redact } from "../../base/masker";
import type { RunCheckInputs } from "./fields";

/** How much the messages about a check may show. */
export interface Disclosure {
  /** Whether the run's output, and what was expected of it, may be shown. */
  readonly showsData: boolean;
  /** A text from elsewhere, without anything that must not be shown. */
  readonly clean: (text: string) => string;
}

/**
 * The key is never shown, nor what the program declares as a secret: the agent has its deployment's, and may repeat them. The plugin is not told which values are secret. Unless the program's side says that no value is, every argument of
 * the check counts as secret, and the run's output is not shown at all, because it may hold a secret in parts or in another spelling.
 * @param declared Every secret of the program.
 */
export function disclosureOf(
  { input, expect, showData }: RunCheckInputs,
  apiKey: string | undefined,
  declared: Iterable<string>,
): Disclosure {
  const given = [input, ...(expect?.values ?? []).flatMap(({ equals, matches }) => [equals, matches])];
  const hidden = showData === true ? [] : given.flatMap(leavesOf);
  const secrets = [...(apiKey === undefined ? [] : [apiKey]), ...hidden, ...declared];
  return { showsData: showData === true, clean: (text) => redact(text, secrets) };
}

/** All texts and numbers in a value, as texts. */
function leavesOf(value: Json | undefined): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}
