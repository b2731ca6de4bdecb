/** How far a request got. "committed" means that its writes are safe, whatever happens to the answer. */
type RequestPhase = "received" | "committed" | "answered";

/** One request as the log keeps it. Secrets are left out: only fields known to be harmless show their value. */
export interface LogEntry {
  readonly seq: number;
  /** When it arrived, by the emulator's clock, ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Of a long one, its length. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The shape of the body: objects and arrays as sent, leaves as their type, except in harmless fields. Of a long one, or without the key, its length. */
  readonly requestBody: unknown;
  phase: RequestPhase;
  /** null until it is answered. */
  status: number | null;
  /** null until the key is known to be right. */
  tenant: string | null;
  /** Kind of the last fault that struck it (faults/fault.ts). */
  fault: string | null;
  faultPhase: "before-route" | "after-commit" | null;
}
