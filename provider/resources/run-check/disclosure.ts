import type { Json } from "../../base/json";
import { safeText } from "../../base/masker";
import type { RunCheckInputs } from "./fields";

/** How much the messages about a check may show. */
export interface Disclosure {
  /** Whether the run's output, and what was expected of it, may be shown. */
  readonly showsData: boolean;
  /** A text from elsewhere, without anything that must not be shown. */
  readonly clean: (text: string) => string;
}

/**
 * What the process knows as secret is never shown: the agent has its deployment's secrets, and may repeat them. The plugin for dynamic resources is not told
 * which values of the check are secret. Unless the program's side says that no value is, every argument of the check counts as secret, and the run's output is
 * not shown at all, because it may hold a secret in parts or in another spelling.
 */
export function disclosureOf({ input, expect, showData }: RunCheckInputs): Disclosure {
  const given = [input, ...(expect?.values ?? []).flatMap(({ equals, matches }) => [equals, matches])];
  const hidden = showData === true ? [] : given.flatMap(leavesOf);
  return { showsData: showData === true, clean: (text) => safeText(text, hidden) };
}

/** All texts and numbers in a value, as texts. */
function leavesOf(value: Json | undefined): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}
