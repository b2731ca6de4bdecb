/** How a refused request learns when to retry: the form of Retry-After. */
export type RetryAfterForm = "seconds" | "date" | "none";

/** The rate limits of docs/internals/platform.md, Limits. */
export interface LimitOptions {
  /** Chooses the column of the limits table. @default "us" */
  readonly region?: "us" | "eu";
  /** Enforce the rate limits. @default false; with true, the form of Retry-After is "seconds" */
  readonly limits?: boolean | { readonly retryAfter: RetryAfterForm };
}

/** The options with every default filled in. */
export interface LimitSettings {
  readonly region: "us" | "eu";
  readonly retryAfter: RetryAfterForm;
}

/** The settings, or undefined unless the limits are enforced. */
export function limitSettings({ region = "us", limits = false }: LimitOptions): LimitSettings | undefined {
  if (limits === false) return undefined;
  return { region, retryAfter: limits === true ? "seconds" : limits.retryAfter };
}
